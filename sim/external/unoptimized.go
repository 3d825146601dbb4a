package external

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Unoptimized builds Verilator simulators fast that are slow: for designs that run so
// few cycles that the build is all they cost.
type Unoptimized struct {
	objects []string // object files: Verilator's part of a simulator
}

const optimizeNothing = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"

// NewUnoptimized compiles what all simulators have in common, in dir, where it has to
// stay, or in the user's cache directory if dir is empty.
func NewUnoptimized(dir string) (*Unoptimized, error) {
	nothing := &source{design: &ir.Design{}, top: "nothing", format: sim.NewFormat(nil), files: []verilog.File{{Name: "nothing.v", Text: "module nothing; endmodule\n"}}}
	built, err := nothing.verilate(dir, "verilated", "-MAKEFLAGS", optimizeNothing)
	if err != nil {
		return nil, err
	}
	if built, err = filepath.Abs(built); err != nil { // builds run elsewhere
		return nil, fmt.Errorf("cosim: %w", err)
	}
	objects, _ := filepath.Glob(filepath.Join(built, "obj_dir", "verilated*.o"))
	if len(objects) == 0 {
		return nil, fmt.Errorf("cosim: verilator made no verilated.o in %s", built)
	}
	return &Unoptimized{objects}, nil
}

// Verilator is the function Verilator, but with C++ that is compiled in one piece and
// not optimized. It is shorter, too, because each module has functions of its own.
// (-fno-expand would shorten it further, but with it Verilator 5.006 writes beyond the
// end of variables that get a wide constant.)
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
