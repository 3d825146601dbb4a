package cosim

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// Model runs the compiled model of d (sim/compiled), built in dir, or in the user's
// cache directory if dir is empty: for programs, such as tests, that do not import
// one. It passes over failed assertions.
func Model(d *ir.Design, dir string) (*Process, error) {
	made, err := compiled.Build(d, "github.com/hotline-rtl/hotline/sim/cosim/serve", dir)
	if err != nil {
		return nil, err
	}
	return start("model", &source{design: d, format: sim.NewFormat(sim.PortsOf(d))}, binaryCodec{}, made.Path, ir.Hash(d))
}
