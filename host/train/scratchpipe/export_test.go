package scratchpipe

import "errors"

// The following functions break a system before it is trained.

// SetWindow sets a window other than the stages need.
func (s *System) SetWindow(past, future int) { s.Past, s.Future = past, future }

// LookAtNone holds no row before its mini-batch reads it, lookup by lookup. This is Algorithm 1 of
// the paper, which omits the future window.
func (s *System) LookAtNone() { s.ahead = func(*manager, int, []uint32) {} }

// before calls a function before a stage.
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

// SkipWriteBack drops the rows that leave.
func (s *System) SkipWriteBack() {
	s.before(3, func(f *flight) {
		for t := range f.plan {
			f.plan[t].leaves = nil
		}
	})
}

// UpdateHost updates rows that arrived with the mini-batch in host memory instead of in their
// slots.
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

// InsertLate runs Insert after Train.
func (s *System) InsertLate() { s.stages[2].behind, s.stages[3].behind = 4, 3 }

// SetSlots limits the number of slots of each table.
func (s *System) SetSlots(n int) {
	s.stages[4].run = func(s *System, f *flight) error {
		for _, m := range s.managers {
			m.slots = min(m.slots, n)
		}
		return s.plan(f)
	}
}

// Turns returns the maximum number of mini-batches that a manager remembers.
func (s *System) Turns() int {
	n := 0
	for _, m := range s.managers {
		n = max(n, len(m.turns))
	}
	return n
}
