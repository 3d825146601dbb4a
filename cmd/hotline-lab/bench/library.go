package bench

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/clib"
)

//go:embed runner_library.cpp.txt
var libraryRunner string

// buildLibrary builds the Go model of d as a C library, and a C++ program that uses it.
func (s Settings) buildLibrary(name, level string, d *ir.Design) (*program, error) {
	defer progress("%s: building library-%s", name, level)()
	start := time.Now()
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(s.Dir, "library-"+name))
	if err != nil {
		return nil, err
	}
	if err := clib.Write(dir, d, clib.Options{Config: name, Version: "in scripts/bench", Source: root}); err != nil {
		return nil, err
	}
	if err := outfile.Scratch(filepath.Join(dir, "runner.cpp"), []byte(libraryRunner)); err != nil {
		return nil, err
	}
	build := exec.Command("make", "--always-make", "runner")
	build.Env = append(build.Environ(), "GOAMD64="+level)
	if err := run(build, dir); err != nil {
		return nil, err
	}
	return &program{name: "library-" + level, build: time.Since(start).Seconds(), command: []string{filepath.Join(dir, "runner")}, arguments: fileAndPasses}, nil
}
