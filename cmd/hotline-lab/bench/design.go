package bench

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// design is a design to measure. The name of a block is the name of its instance in the
// accelerator.
type design struct {
	name    string
	make    func() (*ir.Design, error)
	library bool // also measured from C++
	cxxrtl  form // form of the C++ of CXXRTL
}

// form selects whether the C++ of CXXRTL keeps the hierarchy of a design. The largest designs have
// none that compiles in reasonable time.
type form int

const (
	none form = iota
	layered
	flat
)

// whole is the name of the accelerator.
const whole = "hotline"

// designs returns the accelerator at the scale of the paper, and its blocks.
func designs() []design {
	p := arch.Paper()
	return []design{
		{name: whole, make: wholeDesign, library: true},
		{name: "lookup", make: elaborate(lookup.Of(p))},
		{name: "eal", make: elaborate(eal.Of(p))},
		{name: "dispatch", make: elaborate(dispatch.Of(p)), cxxrtl: layered},
		{name: "reduce", make: elaborate(reduce.Reduce{Stream: p.Stream(), VectorValues: p.VectorValues}), cxxrtl: flat},
		{name: "isa", make: elaborate(isa.Of(p)), library: true, cxxrtl: flat},
		{name: "dma_read", make: elaborate(dma.Read{Link: p.Link(), VectorValues: p.VectorValues}), cxxrtl: flat},
		{name: "dma_write", make: elaborate(dma.Write{Link: p.Link()}), cxxrtl: flat},
	}
}

// wholeDesign elaborates the accelerator at the scale of the paper.
func wholeDesign() (*ir.Design, error) { return hw.Elaborate(top.Hotline{Params: arch.Paper()}) }

func elaborate[P any](g hw.Generator[P]) func() (*ir.Design, error) {
	return func() (*ir.Design, error) { return hw.Elaborate(g) }
}

// stimuli returns the stimuli of a design.
func (b *bench) stimuli(design string, d *ir.Design) ([]stimulus, error) {
	if design == whole {
		return b.wholeStimuli(d)
	}
	busy, err := b.busyBlock(design, d)
	if err != nil || b.Check {
		return []stimulus{busy}, err
	}
	st, err := b.random(design, d)
	return []stimulus{busy, st}, err
}

// random is the name of the unconstrained stimulus of a block.
const random = "random"

// random writes a stimulus that changes every input now and then.
func (s Settings) random(design string, d *ir.Design) (stimulus, error) {
	const cycles = 20_000
	f := sim.NewFormat(sim.PortsOf(d))
	return s.write(design, random, f, sim.Random(f, 1), always(cycles))
}

// always returns a list in which all n cycles count.
func always(n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = true
	}
	return out
}
