package train

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// State is a model between two mini-batches: its parameters and the optimiser's state. A training
// starts from a State and does not change it, so several trainings may share one.
type State struct {
	Model  dlrm.Config
	Seed   uint64
	Net    *dlrm.Net
	Tables []Rows // one entry per table of the model
}

// Rows lists the rows of a table that differ from their initial state, in order. All other rows
// have the values of dlrm.InitRow and an optimiser state of zeros.
type Rows struct {
	Index  []uint32
	Values []float32 // len(Index) x Dim
	States []float32 // len(Index) x Optimiser.RowStateLen(Dim)
}

// Initial returns an untrained model. It fails if dlrm.Config.Validate does.
func Initial(model dlrm.Config, seed uint64) (*State, error) {
	net, err := dlrm.NewNet(model, seed)
	if err != nil {
		return nil, err
	}
	return &State{Model: model, Seed: seed, Net: net, Tables: make([]Rows, len(model.Tables))}, nil
}

// Row writes the values of a row to dst (Dim values).
func (s *State) Row(table int, index uint32, dst []float32) {
	if at, ok := slices.BinarySearch(s.Tables[table].Index, index); ok {
		copy(dst, s.Tables[table].Values[at*s.Model.Dim:][:s.Model.Dim])
		return
	}
	dlrm.InitRow(s.Model, s.Seed, table, index, dst)
}

// RowState returns the optimiser's state of a row, which the caller must not change. It returns nil
// if the optimiser keeps no state, or if the state is zero.
func (s *State) RowState(table int, index uint32) []float32 {
	n := s.Model.Optimiser.RowStateLen(s.Model.Dim)
	if at, ok := slices.BinarySearch(s.Tables[table].Index, index); ok && n > 0 {
		return s.Tables[table].States[at*n:][:n:n]
	}
	return nil
}

// Unsaved is implemented by systems that may have parameters other than embedding rows and the
// dense part. A State cannot hold such parameters.
type Unsaved interface {
	// Unsaved returns an error that names these parameters, or nil if there are none.
	Unsaved() error
	// Embedding returns the number of parameters outside of the dense part.
	Embedding() int64
}

// CheckSaved returns an error if a State cannot hold the parameters of a system.
func CheckSaved(s System) error {
	if u, ok := s.(Unsaved); ok {
		if err := u.Unsaved(); err != nil {
			return fmt.Errorf("train: the parameters of %s cannot be saved: %w", s.Name(), err)
		}
	}
	return nil
}

// After returns the present state of a system that started from s. Bit-identical systems have equal
// states, whichever rows they touched. The system must be idle. It fails if CheckSaved does, or if
// a row cannot be read.
func (s *State) After(by System) (*State, error) {
	if err := CheckSaved(by); err != nil {
		return nil, err
	}
	next := &State{Model: s.Model, Seed: s.Seed, Net: by.Net().Clone()}
	for t := range s.Model.Tables {
		rows, err := s.rowsAfter(by, t)
		if err != nil {
			return nil, fmt.Errorf("train: state of %s: %w", by.Name(), err)
		}
		next.Tables = append(next.Tables, rows)
	}
	return next, nil
}

// rowsAfter takes the rows that the system has touched from the system, and all other rows from s.
func (s *State) rowsAfter(by System, table int) (Rows, error) {
	var next Rows
	row, first := make([]float32, s.Model.Dim), make([]float32, s.Model.Dim)
	from, before := 0, s.Tables[table]
	place := func(index int) int {
		at, _ := slices.BinarySearchFunc(before.Index, index, func(have uint32, want int) int { return int(have) - want })
		return at
	}
	for _, span := range by.Touched(table) {
		next.add(s, before, from, place(span.First))
		for i := span.First; i < span.End; i++ {
			index := uint32(i)
			if err := by.Row(table, index, row); err != nil {
				return Rows{}, fmt.Errorf("table %d (%q), row %d: %w", table, s.Model.Tables[table].Name, index, err)
			}
			state := by.RowState(table, index)
			dlrm.InitRow(s.Model, s.Seed, table, index, first)
			if dlrm.FirstDiff(row, first) >= 0 || slices.ContainsFunc(state, func(v float32) bool { return v != 0 }) {
				next.Index, next.Values = append(next.Index, index), append(next.Values, row...)
				next.addState(state, s.Model.Optimiser.RowStateLen(s.Model.Dim))
			}
		}
		from = place(span.End)
	}
	next.add(s, before, from, len(before.Index))
	return next, nil
}

// add appends rows from up to but not including end of another list.
func (r *Rows) add(s *State, of Rows, from, end int) {
	dim, state := s.Model.Dim, s.Model.Optimiser.RowStateLen(s.Model.Dim)
	r.Index = append(r.Index, of.Index[from:end]...)
	r.Values = append(r.Values, of.Values[from*dim:end*dim]...)
	r.States = append(r.States, of.States[from*state:end*state]...)
}

// addState appends the state of a row: n values, zeros if state is nil.
func (r *Rows) addState(state []float32, n int) {
	if state == nil {
		state = make([]float32, n)
	}
	r.States = append(r.States, state...)
}
