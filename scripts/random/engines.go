package main

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/cosim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// engine runs designs side by side.
type engine struct {
	name  string
	start func(d *ir.Design, dir string) (sim.Batch, error)
}

// newEngines has what they share built in dir. They come in the order of the time that
// they take, the longest first.
func newEngines(dir string) ([]engine, error) {
	verilator, err := cosim.NewUnoptimized(dir)
	return []engine{
		{"verilator", func(d *ir.Design, dir string) (sim.Batch, error) { return verilator.Verilator(d, dir) }},
		{"icarus", func(d *ir.Design, dir string) (sim.Batch, error) { return cosim.Icarus(d, dir) }},
		{"interp", func(d *ir.Design, _ string) (sim.Batch, error) {
			s, err := interp.New(d)
			return sim.NewBlocks(s), err
		}},
	}, err
}
