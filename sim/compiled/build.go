package compiled

import (
	"bytes"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// builtFor is the Hash of the design that Build built this program for, set by the linker. It is
// empty in all other programs.
var builtFor string

// generator is the import path of the program that writes a model.
const generator = modulePath + "/sim/compiled/generate"

// Program is an executable that contains a model of one design. The running program is expected to
// start it as its replacement.
type Program struct {
	Path string
	New  bool // built by this call, not by an earlier one
}

// Build builds the given command with a model of d linked in. The argument command is the import
// path of its main package, which must be pure Go, with or without embedded files. The command may
// belong to any module. Build looks for modules other than this one first from the source directory
// of its caller, then from the current directory.
//
// Recently used programs are cached in dir, or in the user's cache directory if dir is empty; a
// cached program is returned without building. Build requires a Go toolchain, the source of the
// command's module and the source of this module. It finds this module where the running program
// was compiled, or else through the module of the current directory, or else in the program itself,
// if it is a release. The error names what is missing.
//
// A program that Build built never builds another one. If it lacks a model of its design, its
// source has changed since it was built, and the error says so. If dir or the cache of the go
// command is not writable, the error is a [*buildcache.UnwritableError].
func Build(d *ir.Design, command, dir string) (Program, error) {
	_, caller, _, _ := runtime.Caller(1)
	in, err := moduleOf(command, filepath.Dir(caller))
	if err != nil {
		return Program{}, err
	}
	root := in.Dir
	if builtFor != "" {
		return Program{}, fmt.Errorf("compiled: the source in %s has changed since the command was built; build it again", root)
	}
	packages, err := golang(root, "list", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "-export", command, generator)
	if err != nil {
		return Program{}, err
	}
	k, err := buildcache.Open(dir)
	if err != nil {
		return Program{}, err
	}
	name := executable("command")
	made, isNew, err := k.Get("command", buildcache.Key(ir.Hash(d), packages), func(work string) error {
		generate, err := buildGenerator(k, root, packages)
		if err != nil {
			return err
		}
		if err := writeModule(d, in, command, generate, work); err != nil {
			return err
		}
		// The linker would discard the debug information; not generating it saves a tenth of the
		// build time.
		flags := fmt.Sprintf("-s -w -X %s/sim/compiled.builtFor=%s", modulePath, ir.Hash(d))
		_, err = golang(work, "build", "-buildvcs=false", "-gcflags=./...=-dwarf=false", "-ldflags", flags, "-o", name, ".")
		return err
	})
	return Program{filepath.Join(made, name), isNew}, err
}

// buildGenerator returns the path of the generator built from packages. It caches the executable
// like the programs, because go run takes longer to check that its own copy is up to date.
func buildGenerator(k buildcache.Store, root, packages string) (string, error) {
	name := executable("generate")
	made, _, err := k.Get("generator", buildcache.Key(packages), func(work string) error {
		_, err := golang(root, "build", "-buildvcs=false", "-o", filepath.Join(work, name), generator)
		return err
	})
	return filepath.Join(made, name), err
}

// executable returns the file name of a program on this system.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// onTheFly is the name of the module that writeModule creates and of its model package. The module
// path is below the path of the command's module, so that internal packages remain importable.
const onTheFly = "onthefly"

// writeModule writes a module to work. The module consists of the model of d, written by the
// program generate, and a copy of the command's main package. The copy also imports the model. All
// other packages are from the command's module. That module may be in the module cache, where go
// accepts no overlay.
func writeModule(d *ir.Design, in module, command, generate, work string) error {
	var text bytes.Buffer
	if err := ir.Print(&text, d); err != nil {
		return fmt.Errorf("compiled: %w", err)
	}
	cmd := exec.Command(generate, filepath.Join(work, onTheFly))
	cmd.Stdin = &text
	if _, err := run(cmd, "generate"); err != nil {
		return err
	}
	if err := copyMain(in, command, work); err != nil {
		return err
	}
	imports := fmt.Sprintf("package main\n\nimport _ %q\n", path.Join(in.Path, onTheFly, onTheFly))
	if err := outfile.Scratch(filepath.Join(work, "zz_onthefly.go"), []byte(imports)); err != nil {
		return fmt.Errorf("compiled: %w", err)
	}
	return in.below(work)
}

// copyMain copies the files of the command's main package and its embedded files to work.
func copyMain(in module, command, work string) error {
	from := filepath.Join(in.Dir, filepath.FromSlash(strings.TrimPrefix(command, in.Path)))
	main, err := build.ImportDir(from, 0)
	if err != nil {
		return fmt.Errorf("compiled: %w", err)
	}
	names := main.GoFiles
	if len(main.EmbedPatterns) > 0 {
		embedded, err := golang(in.Dir, "list", "-f", `{{join .EmbedFiles "\n"}}`, command)
		if err != nil {
			return err
		}
		names = append(names, strings.Split(embedded, "\n")...)
	}
	for _, name := range names {
		if err := copyFile(filepath.Join(from, name), filepath.Join(work, name)); err != nil {
			return fmt.Errorf("compiled: %w", err)
		}
	}
	return nil
}

// copyFile copies a file and creates the target directory if needed.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return outfile.Scratch(to, text)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
