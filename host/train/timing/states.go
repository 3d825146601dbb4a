package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// An optimiser with states, such as Adagrad, reads and writes a state with each parameter. States
// are in the same memory as their parameters: on the GPUs for dense parameters and hot rows, in
// host memory for cold rows. A row moves with its state.

// Stateful reports whether the model's optimiser has states.
func (s *Schedule) Stateful() bool { return s.Tables() > 1 }

// Tables returns the number of arrays that store a parameter: 1, and one for each kind of state.
func (s *Schedule) Tables() int { return 1 + s.Model.Optimiser.StateLen(1) }

// StateBytes returns the size of a row's states.
func (s *Schedule) StateBytes() int {
	return ValueBytes * s.Model.Optimiser.RowStateLen(s.Model.Dim)
}

// StoredBytes returns the size of a row with its states.
func (s *Schedule) StoredBytes() int { return s.RowBytes() + s.StateBytes() }

// States returns the CPU's time for the states of rows, given the time for their values. Both times
// are in proportion to the bytes.
func (s *Schedule) States(values des.Time) des.Time {
	return values * des.Time(s.StateBytes()) / des.Time(s.RowBytes())
}

// gather returns the time to read rows from the first tables of Tables, or to write them.
func (s *Schedule) gather(rows, tables int) des.Time {
	t := s.Machine.Gather(rows, s.RowBytes())
	if tables > 1 {
		t += des.Time(tables-1) * s.Machine.Gather(rows, s.StateBytes()/(tables-1))
	}
	return t
}

// update is the cost of updating a parameter on a GPU.
type update struct {
	operators     int
	flops, values float64 // per parameter: operations; values read and written
}

// updates are the costs of each rule for dense parameters, operator by operator of PyTorch:
//
//   - SGD adds the scaled gradient to the parameter.
//   - Momentum scales the state, adds the gradient, and adds the scaled state to the parameter.
//   - Adagrad adds the square of the gradient to the state, takes the root, adds epsilon, and adds
//     the scaled quotient.
//   - Adam interpolates the first moment, scales the second moment and adds the square. It takes
//     the root, divides it, adds epsilon, and adds the scaled quotient.
var updates = map[dlrm.Rule]update{
	dlrm.RuleSGD:            {1, 2, 3},
	dlrm.RuleMomentum:       {3, 1 + 1 + 2, 2 + 3 + 3},
	dlrm.RuleAdagrad:        {4, 2 + 1 + 1 + 3, 3 + 2 + 2 + 4},
	dlrm.RuleRowwiseAdagrad: {4, 2 + 1 + 1 + 3, 3 + 2 + 2 + 4},
	dlrm.RuleAdam:           {7, 3 + 1 + 3 + 1 + 1 + 1 + 3, 3 + 2 + 3 + 2 + 2 + 2 + 4},
}

// rowUpdate returns the cost of updating a value of a row. Row-wise Adagrad squares gradients,
// takes their mean, and adds it to the state. It takes the root, adds epsilon, divides, and adds
// the scaled quotient. Four of these operators work on one value per row.
func (s *Schedule) rowUpdate() update {
	if s.Model.Optimiser.Rule == dlrm.RuleRowwiseAdagrad {
		rows := 1 / float64(s.Model.Dim)
		return update{7, 1 + 1 + 3*rows + 1 + 2, 2 + 1 + (1+3+2+2+1)*rows + 2 + 3}
	}
	return updates[s.Model.Optimiser.Rule]
}

// op returns the operators of an update of values in some tensors.
func (s *Schedule) op(label string, u update, tensors int, values float64) Op {
	return Op{Label: label, Count: u.operators * tensors, Kernels: s.Machine.Elementwise(u.flops*values, u.values*ValueBytes*values)}
}

// Update returns the operators that update parameters on a GPU and their states, in the given
// number of tensors with the given total number of values.
func (s *Schedule) Update(label string, tensors, values int) Op {
	return s.op(label, updates[s.Model.Optimiser.Rule], tensors, float64(values))
}

// weightDecay returns the operators that add the decay of dense parameters to their gradients.
func (s *Schedule) weightDecay(tensors, values int) []Op {
	if s.Model.Optimiser.WeightDecay == 0 {
		return nil
	}
	return []Op{s.op("weight decay", updates[dlrm.RuleSGD], tensors, float64(values))}
}

// RowStates returns the additional operators for the states in an update of rows of some tables on
// a GPU.
func (s *Schedule) RowStates(rows, tables int) []Op {
	if rows == 0 || !s.Stateful() {
		return nil
	}
	u, plain := s.rowUpdate(), updates[dlrm.RuleSGD]
	return []Op{s.op("states of rows", update{u.operators - plain.operators, u.flops - plain.flops, u.values - plain.values}, tables, float64(rows*s.Model.Dim))}
}
