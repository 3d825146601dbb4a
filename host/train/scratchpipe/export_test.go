package scratchpipe

import "errors"

// What follows breaks a system before it is trained.

// SetWindow is another window than the stages need.
func (s *System) SetWindow(past, future int) { s.Past, s.Future = past, future }

// LookAtNone holds no row before its mini-batch comes to it, lookup by lookup, as Algorithm 1
// of the paper does, which leaves the future window out.
func (s *System) LookAtNone() { s.ahead = func(*manager, int, []uint32) {} }

// before lets something happen before a stage.
func (s *System) before(behind int, change func(f *flight)) {
	for i, stage := range s.stages {
		if stage.behind == behind {
			s.stages[i].run = func(s *System, f *flight) error {
				change(f)
				return stage.run(s, f)
			}
		}
	}
}

// SkipWriteBack forgets the rows that leave.
func (s *System) SkipWriteBack() {
	s.before(3, func(f *flight) {
		for t := range f.plan {
			f.plan[t].leaves = nil
		}
	})
}

// UpdateHost updates rows that came with the mini-batch in host memory, where they were,
// instead of in their slots.
func (s *System) UpdateHost() {
	s.stages[3].run = func(s *System, f *flight) error {
		before := make([][][]float32, len(f.plan))
		for t, p := range f.plan {
			for _, at := range p.fills {
				row := make([]float32, s.model.Dim)
				if err := s.read(t, at.slot, row); err != nil {
					return err
				}
				before[t] = append(before[t], row)
			}
		}
		if err := s.train(f); err != nil {
			return err
		}
		for t, p := range f.plan {
			for i, at := range p.fills {
				row := make([]float32, s.model.Dim)
				if err := errors.Join(s.read(t, at.slot, row), s.Tables.Write(t, at.row, row), s.write(t, at.slot, before[t][i])); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// InsertLate lets Insert run behind Train.
func (s *System) InsertLate() { s.stages[2].behind, s.stages[3].behind = 4, 3 }

// SetSlots gives each table so many slots at most, whatever it needs.
func (s *System) SetSlots(n int) {
	s.stages[4].run = func(s *System, f *flight) error {
		for _, m := range s.managers {
			m.slots = min(m.slots, n)
		}
		return s.plan(f)
	}
}

// Turns is how many mini-batches a manager remembers at most.
func (s *System) Turns() int {
	n := 0
	for _, m := range s.managers {
		n = max(n, len(m.turns))
	}
	return n
}
