package timing

// An optimiser with states, such as Adagrad, reads and writes a state with each parameter. States
// are in the same memory as their parameters: on the GPUs for dense parameters and hot rows, in
// host memory for cold rows. A row moves with its state.

// Stateful reports whether the model's optimiser has states.
func (s *Schedule) Stateful() bool { return s.Model.Optimiser.StateLen(1) > 0 }

// Tables returns the number of values stored per parameter of a row: 1, or 2 with states.
func (s *Schedule) Tables() int {
	if s.Stateful() {
		return 2
	}
	return 1
}

// update is the cost of updating a parameter on a GPU.
type update struct {
	operators     int
	flops, values float64 // per parameter: operations; values read and written
}

// update returns the cost of an update. SGD adds the scaled gradient to the parameter.
// Adagrad adds the square of the gradient to the state, takes the
// root, adds epsilon, and adds the scaled quotient.
func (s *Schedule) update() update {
	if s.Stateful() {
		return update{4, 2 + 1 + 1 + 3, 3 + 2 + 2 + 4}
	}
	return update{1, 2, 3}
}

// Update returns the operators that update parameters on a GPU and their states, in the given
// number of tensors with the given total number of values.
func (s *Schedule) Update(label string, tensors, values int) Op {
	u, v := s.update(), float64(values)
	return Op{label, u.operators * tensors, s.Machine.Elementwise(u.flops*v, u.values*ValueBytes*v)}
}

// RowStates returns the additional operators for the states in an update of rows of some tables on
// a GPU.
func (s *Schedule) RowStates(rows, tables int) []Op {
	if rows == 0 || !s.Stateful() {
		return nil
	}
	u, values := s.update(), float64(rows*s.Model.Dim)
	return []Op{{"states of rows", (u.operators - 1) * tables, s.Machine.Elementwise((u.flops-2)*values, (u.values-3)*ValueBytes*values)}}
}
