package lookup

import "github.com/hotline-rtl/hotline/hw"

// run holds the signals that control the engines during a run, which looks up a mini-batch. Cycles
// with Settle follow Start and precede Active.
type run struct {
	Start  hw.Bits `doc:"a run begins; the rest holds from the next cycle to its end"`
	Settle hw.Bits `doc:"engine numbers are being reduced to lookup slots"`
	Active hw.Bits `doc:"words may be taken"`
	Forget hw.Bits `doc:"with start: the EAL learns, or has learned since the run before; what caches hold is old"`
	Learn  hw.Bits `doc:"the run learns"`
	Half   hw.Bits `doc:"of the eDRAM"`
	Words  hw.Bits `hw:"WordsBits" doc:"of the mini-batch"`
	Slots  hw.Bits `hw:"StepBits" doc:"lookups per input, L"`
	Step   hw.Bits `hw:"StepBits" doc:"E mod L; 0 during settle"`
}

// progress is the progress of a run.
type progress struct {
	busy     hw.Bits
	complete hw.Bits // number of rows that all engines have committed; all ones if no words are left
}

// sequence describes the control of a run. complete is the number of rows that all engines have
// committed, delayed by some cycles. It is all ones if no engine has more words.
//
// All engines compute E mod L and their first slots e mod L in parallel. They subtract L repeatedly
// until E is less than L, which takes E/L + 1 cycles.
func (p Lookup) sequence(m *hw.Module, io Ports, complete hw.Bits) (run, progress) {
	width := p.StepBits()
	s := progress{m.Reg("running", 1, 0), complete}
	settle, step := m.Reg("settle", 1, 0), m.Data("step", width)
	r := run{
		Start:  io.Start,
		Settle: settle,
		Active: s.busy.And(settle.Not()),
		Learn:  m.Reg("learning", 1, 0),
		Half:   m.Data("run_half", 1),
		Words:  m.Reg("run_words", p.WordsBits(), 0),
		Slots:  m.Data("run_slots", width),
		Step:   hw.Mux(settle, hw.K(0), step),
	}

	r.Forget = io.Learn.Or(r.Learn).As("forget")
	m.When(io.Start, func() {
		s.busy.Set(hw.K(1))
		settle.Set(hw.K(1))
		step.Set(hw.Named("engines", p.Engines))
		r.Learn.Set(io.Learn)
		r.Half.Set(io.Half)
		r.Words.Set(io.Words)
		r.Slots.Set(io.Slots.Ext(width))
	}).ElseWhen(settle, func() {
		m.When(step.Ge(r.Slots), func() { step.Set(step.Sub(r.Slots)) }).Else(func() { settle.Set(hw.K(0)) })
	}).ElseWhen(complete.All(), func() { s.busy.Set(hw.K(0)) })
	m.When(io.Start, func() {
		m.Assert(s.busy.Not(), "a run starts after the end of the one before")
		m.Assert(io.Slots.Any(), "an input has lookups")
	})
	return r, s
}
