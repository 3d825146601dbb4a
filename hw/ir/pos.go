package ir

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Pos is a position in the source of a design. In Go, it is a short stack of program counters,
// innermost first, which is symbolised only when printed. In other languages, it is a line.
type Pos struct {
	pcs  [8]uintptr
	n    int
	line *Frame
}

// At returns the position of a line of a file that is not Go.
func At(file string, line int) Pos {
	return Pos{line: &Frame{File: path.Base(filepath.ToSlash(file)), Path: file, Line: line}}
}

// Caller records the stack of the caller's caller, skip frames further up.
func Caller(skip int) Pos {
	var p Pos
	p.n = runtime.Callers(skip+3, p.pcs[:])
	return p
}

// Frame is a symbolised source position.
type Frame struct {
	Package string // import path; empty in other languages
	File    string // base name
	Path    string // as recorded by the compiler: absolute, unless paths are trimmed
	Line    int
}

// String returns package/file.go:line with the last element of the package path, or file:line
// without a package. The text is the same on every machine and in every build mode, and is
// therefore used in generated files.
func (f Frame) String() string {
	if f.Package == "" {
		return f.File + ":" + strconv.Itoa(f.Line)
	}
	return path.Base(f.Package) + "/" + f.File + ":" + strconv.Itoa(f.Line)
}

// Place returns file.go:line for messages, in a form that editors can open: a path relative to the
// current directory or, if that is longer, the absolute path.
func (f Frame) Place() string {
	file := f.Path
	if dir, err := os.Getwd(); err == nil && filepath.IsAbs(file) {
		if rel, err := filepath.Rel(dir, file); err == nil && len(rel) < len(file) {
			file = rel
		}
	}
	return file + ":" + strconv.Itoa(f.Line)
}

const languagePackage = "github.com/hotline-rtl/hotline/hw"

// Frames returns the positions outside package hw, innermost first.
func (p Pos) Frames() []Frame {
	if p.line != nil {
		return []Frame{*p.line}
	}
	if p.n == 0 {
		return nil
	}
	var out []Frame
	it := runtime.CallersFrames(p.pcs[:p.n])
	for {
		f, more := it.Next()
		pkg := packageOf(f.Function)
		inLanguage := pkg == languagePackage && !strings.HasSuffix(f.File, "_test.go")
		if f.Function != "" && !inLanguage && pkg != "runtime" && pkg != "testing" {
			out = append(out, Frame{Package: pkg, File: path.Base(f.File), Path: f.File, Line: f.Line})
		}
		if !more {
			return out
		}
	}
}

// String returns the places of the two nearest user frames: "a.go:12 < cmd/b.go:40". Inside hw/lib
// the second place is the use of the library module.
func (p Pos) String() string {
	fs := p.Frames()
	if len(fs) == 0 {
		return "?"
	}
	s := fs[0].Place()
	if len(fs) > 1 {
		s += " < " + fs[user(fs)].Place()
	}
	return s
}

// user returns the index of the frame that called the first one. If the first frame is in hw/lib,
// it returns the first frame outside that package.
func user(fs []Frame) int {
	if strings.HasPrefix(fs[0].Package, languagePackage+"/lib/") {
		for i, f := range fs {
			if f.Package != fs[0].Package {
				return i
			}
		}
	}
	return 1
}

// packageOf returns the import path in a symbol name such as "github.com/x/y.(*T).M.func1" or
// "github.com/x/y.F[...]".
func packageOf(fn string) string {
	slash := strings.LastIndexByte(fn, '/')
	if dot := strings.IndexByte(fn[slash+1:], '.'); dot >= 0 {
		fn = fn[:slash+1+dot]
	}
	return strings.ReplaceAll(fn, "%2e", ".")
}
