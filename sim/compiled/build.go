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

// builtFor is the Hash of the design that Build made this program for, set by
// its linker; empty in any other program.
var builtFor string

// generator is the import path of the program that writes a model.
const generator = modulePath + "/sim/compiled/generate"

// Program is a command with a model of one design in it: to be started in place
// of the running one.
type Program struct {
	Path string
	New  bool // built by this call, not by an earlier one
}

// Build makes a command, whose main package has the import path command and is Go, with
// embedded files if it has any, once more with a model of d in it. The command may be of any module; that of another
// module than this one is looked for from the source of the function that calls
// Build, and then from the present directory.
//
// The programs that were used last are kept in dir, or in the user's cache
// directory if dir is empty; one that is there is used as it is. The error tells
// what is missing: a Go toolchain, or the source of the command's module; that of
// this module is looked for where the running program was compiled and then in the
// present directory's module. A program that Build made never builds another: if it has no model of
// its design, the source is not that of the program which had it built, and the
// error says so. If dir or the cache of go cannot be written, the error is a
// [*buildcache.UnwritableError].
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
		// The linker would drop what debuggers need; compiling without it takes a tenth less.
		flags := fmt.Sprintf("-s -w -X %s/sim/compiled.builtFor=%s", modulePath, ir.Hash(d))
		_, err = golang(work, "build", "-buildvcs=false", "-gcflags=./...=-dwarf=false", "-ldflags", flags, "-o", name, ".")
		return err
	})
	return Program{filepath.Join(made, name), isNew}, err
}

// buildGenerator is the generator made of packages, kept as programs are: go run
// takes longer to find that its own copy is up to date.
func buildGenerator(k buildcache.Store, root, packages string) (string, error) {
	name := executable("generate")
	made, _, err := k.Get("generator", buildcache.Key(packages), func(work string) error {
		_, err := golang(root, "build", "-buildvcs=false", "-o", filepath.Join(work, name), generator)
		return err
	})
	return filepath.Join(made, name), err
}

// executable is the file name of a program on this system.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// onTheFly names the module that writeModule makes, below the command's so that
// internal packages stay in reach, and its package that is the model.
const onTheFly = "onthefly"

// writeModule writes a module to work: the command's main package, which also
// imports the model of d, beside the model, which the program generate writes.
// Everything else comes from the command's module, which may be in the module
// cache, where go accepts no overlay.
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

// copyMain copies the files of the command's main package, and those embedded there, to work.
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

// copyFile copies a file to a path whose folder is made if needed.
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
