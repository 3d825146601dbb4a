package interp

import (
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Step implements sim.Simulator. It applies the clock edge even if an assertion fails.
func (s *Sim) Step() error {
	s.settle()
	if s.host != nil {
		s.host.Before(s.reset)
	}
	s.sample()
	err := s.check()
	s.collide()
	s.writeMemories()
	s.writeHeld()
	s.commit()
	s.forget()
	s.cycle++
	if s.host != nil {
		if failed := s.host.After(); err == nil {
			err = failed
		}
	}
	return err
}

// check evaluates the assertions whose operands changed. A failing assertion stays pending, and all
// assertions stay pending during reset.
func (s *Sim) check() (err error) {
	if s.reset {
		return nil
	}
	s.pending.each(s.region[assertions], func(i int) bool {
		k := &s.d.Checks[i]
		failed := s.net(k.Enable)[0] == 1 && s.net(k.Cond)[0] == 0
		if failed && err == nil {
			err = &sim.AssertionError{Cycle: s.cycle, Path: k.Path, Text: k.Text, Pos: k.Pos}
		}
		return failed
	})
	return err
}

// writeMemories performs the writes of memories with a changed write port. All other writes would
// change nothing.
func (s *Sim) writeMemories() {
	s.pending.each(s.region[memories], func(i int) bool {
		m := &s.mems[i]
		if m.any && s.noise != nil {
			return false // handled by collide
		}
		for _, w := range m.writes {
			if index, changes := s.effect(m, w); changes {
				s.store(m, index, s.vals[w.data:][:m.size])
			}
		}
		return false
	})
}

// effect returns the word that a write port writes and reports whether that changes it.
func (s *Sim) effect(m *memory, w write) (index int, changes bool) {
	if s.vals[w.enable] == 0 {
		return 0, false
	}
	index, ok := bv.Index(s.vals[w.addr:][:w.addrWords], m.depth)
	return index, ok && !bv.Equal(m.word(index), s.vals[w.data:][:m.size])
}

// word returns the storage of word i.
func (m *memory) word(i int) []uint64 { return m.data[i*m.size:][:m.size] }

// store changes a word and makes the reads of that word pending.
func (s *Sim) store(m *memory, index int, x []uint64) {
	copy(m.word(index), x)
	for _, r := range m.readers {
		if r.addrWords > 1 || s.vals[r.addr] == uint64(index) {
			s.pending.addOne(int(r.op))
			s.dirty = true
		}
	}
}

// commit loads the next values into registers. The order is irrelevant, because no next value
// shares storage with another register (see isolateRegisters).
func (s *Sim) commit() {
	s.pending.each(s.region[registers], func(i int) bool {
		r := &s.regs[i]
		if s.reset && r.init != nil {
			return true
		}
		s.load(r, s.vals[r.d:][:r.words])
		return false
	})
	if !s.reset {
		return
	}
	for _, i := range s.resets {
		r := &s.regs[i]
		s.load(r, r.init)
		s.pending.addOne(s.region[registers].first() + int(i))
	}
}

// load sets a register and marks its users if the value changed.
func (s *Sim) load(r *register, x []uint64) {
	q := s.vals[r.q:][:r.words]
	if !bv.Equal(x, q) {
		copy(q, x)
		s.markAll(r.fan)
	}
}

// Quiet implements sim.Simulator. It returns false for designs with models of external modules,
// because a model may change at any step.
func (s *Sim) Quiet() bool {
	s.settle()
	quiet := true
	s.pending.each(s.region[registers], func(i int) bool {
		r := &s.regs[i]
		same := bv.Equal(s.vals[r.q:][:r.words], s.vals[r.d:][:r.words])
		if !same && !(s.reset && r.init != nil) {
			quiet = false
		}
		return !same
	})
	if s.reset {
		for _, i := range s.resets {
			r := &s.regs[i]
			quiet = quiet && bv.Equal(s.vals[r.q:][:r.words], r.init)
		}
	}
	s.pending.each(s.region[memories], func(i int) bool {
		m := &s.mems[i]
		for _, w := range m.writes {
			if _, changes := s.effect(m, w); changes {
				quiet = false
				return true
			}
		}
		return false
	})
	return quiet && s.host == nil && s.checksHold()
}

// checksHold reports whether no assertion would fail.
func (s *Sim) checksHold() bool {
	holds := true
	s.pending.each(s.region[assertions], func(i int) bool {
		k := &s.d.Checks[i]
		holds = holds && (s.reset || s.net(k.Enable)[0] == 0 || s.net(k.Cond)[0] == 1)
		return true
	})
	return holds
}

// Skip implements sim.Skipper.
func (s *Sim) Skip(n uint64) {
	s.sample() // changes of the last edge
	s.cycle += n
}
