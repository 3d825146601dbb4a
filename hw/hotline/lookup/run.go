package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// run is what the engines are told about a run, the lookups of a mini-batch.
// Cycles with settle come between start and active.
type run struct {
	Start  hw.Bits // a run begins; the rest holds from the next cycle to its end
	Settle hw.Bits // engine numbers are being reduced to lookup slots
	Active hw.Bits // words may be taken
	Learn  hw.Bits
	Half   hw.Bits // of the eDRAM
	Words  hw.Bits // of the mini-batch
	Slots  hw.Bits // lookups per input, L
	Step   hw.Bits // E mod L; 0 during settle
}

// runIn declares the inputs of an engine.
func runIn(m *hw.Module, p arch.Params) run {
	return run{
		Start:  m.In("start", 1),
		Settle: m.In("settle", 1),
		Active: m.In("active", 1),
		Learn:  m.In("learn", 1),
		Half:   m.In("half", 1),
		Words:  m.In("words", hw.CountWidth(p.HalfWords())),
		Slots:  m.In("slots", stepWidth(p)),
		Step:   m.In("step", stepWidth(p)),
	}
}

// connect drives the pins r of an engine.
func (r run) connect(from run) {
	r.Start.Set(from.Start)
	r.Settle.Set(from.Settle)
	r.Active.Set(from.Active)
	r.Learn.Set(from.Learn)
	r.Half.Set(from.Half)
	r.Words.Set(from.Words)
	r.Slots.Set(from.Slots)
	r.Step.Set(from.Step)
}

// progress is how far a run is.
type progress struct {
	busy     hw.Bits
	complete hw.Bits // rows that all engines have committed
	finished hw.Bits // these are all rows
}

// sequence describes the run. passed is 1 if every engine has committed row
// complete or has no word in it.
//
// E mod L and the engines' first slots e mod L are found by subtracting L in all
// of them at once until E is less than L: E/L + 1 cycles.
func (p Lookup) sequence(m *hw.Module, io Ports, passed hw.Bits) (run, progress) {
	width := stepWidth(p.Params)
	s := progress{
		busy:     m.Reg("running", 1, 0),
		complete: m.Reg("complete", rowWidth(p.Params), 0),
	}
	settle, step := m.Reg("settle", 1, 0), m.Data("step", width)
	r := run{
		Start:  io.Start,
		Settle: settle,
		Active: s.busy.And(settle.Not()),
		Learn:  m.Reg("learning", 1, 0),
		Half:   m.Data("run_half", 1),
		Words:  m.Reg("run_words", io.Words.Width(), 0),
		Slots:  m.Data("run_slots", width),
		Step:   hw.Mux(settle, hw.K(0), step),
	}
	s.finished = before(s.complete, hw.Lit(laneWidth(p.Params), 0), r.Words).Not().As("finished")

	m.When(io.Start, func() {
		s.busy.Set(hw.K(1))
		s.complete.Set(hw.K(0))
		settle.Set(hw.K(1))
		step.Set(hw.K(p.Engines))
		r.Learn.Set(io.Learn)
		r.Half.Set(io.Half)
		r.Words.Set(io.Words)
		r.Slots.Set(io.Slots.Ext(width))
	}).ElseWhen(settle, func() {
		m.When(step.Ge(r.Slots), func() { step.Set(step.Sub(r.Slots)) }).Else(func() { settle.Set(hw.K(0)) })
	}).ElseWhen(s.busy, func() {
		m.When(s.finished, func() { s.busy.Set(hw.K(0)) }).ElseWhen(passed, func() { s.complete.Set(s.complete.Inc()) })
	})
	m.When(io.Start, func() {
		m.Assert(s.busy.Not(), "a run starts after the end of the one before")
		m.Assert(io.Slots.Any(), "an input has lookups")
	})
	return r, s
}
