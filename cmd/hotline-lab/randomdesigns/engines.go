package randomdesigns

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// engine runs a batch of designs. start initializes them with their random states.
type engine struct {
	name  string
	start func(d *ir.Design, dir string) (sim.Batch, error)
}

// newEngines returns the engines for batches. It builds their common parts in dir.
func newEngines(dir string) ([]engine, error) {
	verilator, err := external.NewUnoptimized(dir)
	return []engine{
		{"verilator", process(verilator.Verilator)},
		{"icarus", process(external.Icarus)},
		{"interp", func(d *ir.Design, _ string) (sim.Batch, error) {
			s, err := interp.New(d)
			if err != nil {
				return nil, err
			}
			powerUp(s)
			return sim.NewBlocks(s), nil
		}},
	}, err
}

// process returns a function that starts a Verilog simulator.
func process(start func(*ir.Design, string) (*external.Process, error)) func(*ir.Design, string) (sim.Batch, error) {
	return func(d *ir.Design, dir string) (sim.Batch, error) {
		p, err := start(d, dir)
		if err != nil {
			return nil, err
		}
		powerUp(p)
		return p, nil
	}
}
