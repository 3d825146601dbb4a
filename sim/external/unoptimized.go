package external

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Unoptimized builds slow Verilator simulators quickly. It is for designs that run so few cycles
// that the build dominates the time.
type Unoptimized struct {
	objects []string // object files of the Verilator runtime
}

const optimizeNothing = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"

// NewUnoptimized compiles the Verilator runtime that all simulators share. It builds in dir, or in
// the user's cache directory if dir is empty; the results must remain there.
func NewUnoptimized(dir string) (*Unoptimized, error) {
	nothing := &source{design: &ir.Design{}, top: "nothing", format: sim.NewFormat(nil), files: []verilog.File{{Name: "nothing.v", Text: "module nothing; endmodule\n"}}}
	built, err := nothing.verilate(dir, "verilated", "-MAKEFLAGS", optimizeNothing)
	if err != nil {
		return nil, err
	}
	if built, err = filepath.Abs(built); err != nil { // later builds run in other directories
		return nil, fmt.Errorf("external: %w", err)
	}
	objects, _ := filepath.Glob(filepath.Join(built, "obj_dir", "verilated*.o"))
	if len(objects) == 0 {
		return nil, fmt.Errorf("external: verilator made no verilated.o in %s", built)
	}
	return &Unoptimized{objects}, nil
}

// Verilator works like the function Verilator but compiles all C++ in one file without
// optimization. The code is also shorter, because each module has its own functions. The option
// -fno-expand would shorten it further. With -fno-expand, however, Verilator 5.006 writes beyond
// the end of variables that are assigned a wide constant.
func (u *Unoptimized) Verilator(d *ir.Design, dir string) (*Process, error) {
	s, err := newSource(d)
	if err != nil {
		return nil, err
	}
	built, err := s.verilate(dir, "unoptimized", "-fno-inline", "--output-split", "1000000000",
		"-MAKEFLAGS", optimizeNothing+" VM_GLOBAL_FAST=", "-LDFLAGS", strings.Join(u.objects, " "))
	if err != nil {
		return nil, err
	}
	return s.startVerilated(built)
}
