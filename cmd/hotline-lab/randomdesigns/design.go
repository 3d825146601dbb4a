package randomdesigns

import (
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/frames"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// options returns the options of the design with this seed.
func options(seed uint64) random.Options {
	o := random.Varied(seed)
	o.Fail = true
	return o
}

// design is a random design with its inputs and the outputs of the interpreter, one frame for each
// cycle.
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

// run computes the outputs with the interpreter.
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

// frame returns the inputs of a cycle.
func (d *design) frame(cycle int) []uint64 {
	return d.in[cycle*d.format.InWords:][:d.format.InWords]
}

// replay returns the inputs as a stimulus.
func (d *design) replay() *frames.Inputs {
	return &frames.Inputs{Frames: d.in, Words: d.format.InWords}
}
