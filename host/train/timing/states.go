package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// An optimiser with states, such as Adagrad, reads and writes one beside each
// parameter. States live where their parameters do: those of dense parameters and
// hot rows on the GPUs, those of cold rows in host memory. A row that moves takes
// its state along.

// stateful tells whether the model's optimiser has states.
func (s *Schedule) stateful() bool { return s.Model.Optimiser.StateLen(1) > 0 }

// update is what the update of a parameter takes of a GPU.
type update struct {
	operators     int
	flops, values float64 // of a parameter: done; read and written
}

// update of SGD adds the scaled gradient to the parameter. That of Adagrad adds the
// square of the gradient to the state, takes the root, adds epsilon, and adds the
// scaled quotient.
func (s *Schedule) update() update {
	if s.stateful() {
		return update{4, 2 + 1 + 1 + 3, 3 + 2 + 2 + 4}
	}
	return update{1, 2, 3}
}

// Tables is how many tables there are of a kind of rows: the rows, and their
// states.
func (s *Schedule) Tables() int {
	if s.stateful() {
		return 2
	}
	return 1
}

// rowStates is what the update of rows of some tables on a GPU takes more than
// without states.
func (s *Schedule) rowStates(rows, tables int) []Op {
	if rows == 0 || !s.stateful() {
		return nil
	}
	u, values := s.update(), float64(rows*s.Model.Dim)
	return []Op{{"states of rows", (u.operators - 1) * tables, s.Machine.Elementwise((u.flops-2)*values, (u.values-3)*valueBytes*values)}}
}

// coldStates brings the states of the cold rows up to date: gradients go to the CPU,
// and steps come back, which the accelerator then adds to the rows.
func (h *hotline) coldStates(w Work, after timeline.Point) timeline.Point {
	if !h.stateful() {
		return after
	}
	s := h.Schedule
	bytes := ceil(w.ColdRows, s.GPUs*s.Nodes) * s.RowBytes()
	copied := max(s.Machine.PinnedCopy(bytes), s.Machine.Uplink(bytes*s.GPUs))
	there := book(s.ToHost, "gradients of cold rows", copied, bytes*s.GPUs, after)
	rows := s.server(w.ColdRows)
	t := s.rowTime(rows)
	done := book(s.CPU, "states of cold rows", t-t/3, 2*rows*s.RowBytes(), there)
	return book(s.ToGPUs, "steps of cold rows", copied, bytes*s.GPUs, done)
}
