package randomdesigns

import (
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/frames"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// options are those of the design of a seed.
func options(seed uint64) random.Options {
	o := random.Varied(seed)
	o.Fail = true
	return o
}

// design is a random design with its inputs and what the interpreter makes of
// them, a frame for each cycle.
type design struct {
	*ir.Design
	seed    uint64
	format  *sim.Format
	in, out []uint64
}

func newDesign(seed uint64, cycles int) design {
	d := random.Random(seed, options(seed))
	f := sim.NewFormat(sim.PortsOf(d))
	return design{Design: d, seed: seed, format: f, in: inputs(f, seed, cycles)}
}

// run has the interpreter compute the outputs.
func (d *design) run() error {
	s, err := interp.New(d.Design)
	if err != nil {
		return err
	}
	sim.PowerUp(s, d.seed)
	d.out = make([]uint64, len(d.in)/d.format.InWords*d.format.OutWords)
	return sim.NewBlocks(s).RunBlock(d.in, d.out)
}

func (d *design) cycles() int { return len(d.in) / d.format.InWords }

// frame are the inputs of a cycle.
func (d *design) frame(cycle int) []uint64 {
	return d.in[cycle*d.format.InWords:][:d.format.InWords]
}

// replay gives the inputs once more.
func (d *design) replay() *frames.Inputs {
	return &frames.Inputs{Frames: d.in, Words: d.format.InWords}
}
