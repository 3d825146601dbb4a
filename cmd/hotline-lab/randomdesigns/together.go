package randomdesigns

import (
	"errors"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/frames"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
)

// together is a batch of designs in one design, with the inputs of all.
type together struct {
	parts  []design
	d      *ir.Design
	format *sim.Format
	in     []uint64
}

func newTogether(parts []design) *together {
	t := &together{parts: parts}
	var list []random.Part
	for _, p := range parts {
		list = append(list, random.Part{Seed: p.seed, Options: options(p.seed)})
	}
	t.d = random.Together(list)
	t.format = sim.NewFormat(sim.PortsOf(t.d))
	for c := range parts[0].cycles() {
		rst := parts[0].frame(c)[0]
		t.in = append(t.in, rst)
		if len(t.d.Top.Domains) > 0 { // the clock and the reset of the designs with a single clock
			t.in = append(t.in, 1, rst)
		}
		for _, p := range parts {
			t.in = append(t.in, p.frame(c)[1:]...)
		}
	}
	return t
}

// divergence describes how an engine differs from the interpreter on one design.
type divergence struct {
	seed uint64
	text string
}

// run builds an engine in dir for the batch and compares it with the interpreter on each design. It
// returns an error if the engine fails.
func (t *together) run(e engine, dir string) (found []divergence, err error) {
	b, err := e.start(t.d, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	out := make([]uint64, t.parts[0].cycles()*t.format.OutWords)
	if err := b.RunBlock(t.in, out); err != nil {
		return nil, err
	}
	var unknown []uint64
	if x, ok := b.(sim.Unknowns); ok {
		unknown = x.Unknown()
	}
	at := 0
	for _, p := range t.parts {
		n := p.format.OutWords
		got := &frames.Outputs{List: p.format.Ports, Frames: t.column(out, at, n), Bits: t.column(unknown, at, n)}
		at += n
		r, err := p.verify(e.name, got)
		if err != nil {
			return nil, err
		}
		if r.First != nil {
			found = append(found, divergence{p.seed, r.First.Error()})
		}
	}
	return found, nil
}

// verify compares the outputs of an engine with the outputs of the interpreter.
func (d *design) verify(name string, got sim.Batch) (sim.Report, error) {
	known := sim.NamedBatch{Name: "interp", Batch: &frames.Outputs{List: d.format.Ports, Frames: d.out}}
	return frames.Compare(d.Design, *d.replay(), known, sim.NamedBatch{Name: name, Batch: got}, nil)
}

// column returns n words, from word at on, of each output frame.
func (t *together) column(frames []uint64, at, n int) []uint64 {
	var out []uint64
	for i := at; i < len(frames); i += t.format.OutWords {
		out = append(out, frames[i:i+n]...)
	}
	return out
}
