package scratchpipe

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/train"
)

// plan decides which rows are in which slots when the mini-batch is trained on.
func (s *System) plan(f *flight) error {
	held := int64(0)
	for t, m := range s.managers {
		rows := rowsOf(s.model, f.batch, t)
		p, err := m.plan(f.m, rows)
		if err != nil {
			return &train.Unmet{Err: fmt.Errorf("scratchpipe: table %d (%q): %w; use a larger share", t, s.model.Tables[t].Name, err)}
		}
		for _, at := range p.fills {
			s.Cluster.Watch.Keep(store(t), at.slot, t, at.row)
		}
		f.plan = append(f.plan, p)
		s.counts.add(p, len(rows))
		held += int64(m.held())
	}
	s.counts.held = max(s.counts.held, held)
	return nil
}

// store returns the name of a table's slots.
func store(table int) string { return fmt.Sprintf("scratchpad of table %d", table) }

// collect reads arriving rows from host memory, and leaving rows from their slots.
func (s *System) collect(f *flight) error {
	if s.Cluster.Valueless() {
		return nil
	}
	f.come, f.leave = make([]transit, len(f.plan)), make([]transit, len(f.plan))
	for t, p := range f.plan {
		var err error
		f.come[t].read, err = s.gather(p.fills, func(at place, dst []float32) error { return s.Tables.Read(t, at.row, dst) })
		if err != nil {
			return err
		}
		f.leave[t].read, err = s.gather(p.leaves, func(at place, dst []float32) error { return s.read(t, at.slot, dst) })
		if err != nil {
			return err
		}
	}
	return nil
}

// gather reads rows into one buffer.
func (s *System) gather(rows []place, read func(place, []float32) error) ([]float32, error) {
	buffer := make([]float32, len(rows)*s.model.Dim)
	for i, at := range rows {
		if err := read(at, buffer[i*s.model.Dim:][:s.model.Dim]); err != nil {
			return nil, err
		}
	}
	return buffer, nil
}

// exchange transfers the collected rows between host and GPUs.
func (s *System) exchange(f *flight) error {
	for t := range f.come {
		f.come[t] = transit{brought: f.come[t].read}
		f.leave[t] = transit{brought: f.leave[t].read}
	}
	return nil
}

// insert writes leaving rows to host memory, and arriving rows to their slots.
func (s *System) insert(f *flight) error {
	for t := range f.come {
		held := s.storages[t].held
		for i, at := range f.plan[t].leaves {
			if err := s.Tables.Write(t, at.row, f.leave[t].brought[i*s.model.Dim:][:s.model.Dim]); err != nil {
				return err
			}
			delete(held, at.row)
		}
		for i, at := range f.plan[t].fills {
			if err := s.write(t, at.slot, f.come[t].brought[i*s.model.Dim:][:s.model.Dim]); err != nil {
				return err
			}
			held[at.row] = at.slot
		}
	}
	f.come, f.leave = nil, nil
	return nil
}
