package train

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// State is a model between two mini-batches: its parameters, and what the
// optimiser keeps of them. A training begins from one, and leaves it as it is, so
// that several may share it.
type State struct {
	Model  dlrm.Config
	Seed   uint64
	Net    *dlrm.Net
	Tables []Rows // of the model's tables
}

// Rows are the rows of a table that are not as at first, in order. All others
// have the initial values of dlrm.InitRow, and a state of zeros.
type Rows struct {
	Index  []uint32
	Values []float32 // len(Index) x Dim
	States []float32 // len(Index) x Optimiser.StateLen(Dim)
}

// Initial is a model that was not trained yet. The error is that of
// dlrm.Config.Validate.
func Initial(model dlrm.Config, seed uint64) (*State, error) {
	net, err := dlrm.NewNet(model, seed)
	if err != nil {
		return nil, err
	}
	return &State{Model: model, Seed: seed, Net: net, Tables: make([]Rows, len(model.Tables))}, nil
}

// Row writes a row to dst (Dim values).
func (s *State) Row(table int, index uint32, dst []float32) {
	if at, ok := slices.BinarySearch(s.Tables[table].Index, index); ok {
		copy(dst, s.Tables[table].Values[at*s.Model.Dim:][:s.Model.Dim])
		return
	}
	dlrm.InitRow(s.Model, s.Seed, table, index, dst)
}

// RowState is what the optimiser keeps of a row, which must not be changed; nil if
// that is nothing, or zeros.
func (s *State) RowState(table int, index uint32) []float32 {
	n := s.Model.Optimiser.StateLen(s.Model.Dim)
	if at, ok := slices.BinarySearch(s.Tables[table].Index, index); ok && n > 0 {
		return s.Tables[table].States[at*n:][:n:n]
	}
	return nil
}

// Unsaved is a system whose parameters may be others than embedding rows and a dense
// part, which no State holds.
type Unsaved interface {
	// Unsaved tells which those are; nil if there are none.
	Unsaved() error
	// Embedding is the number of parameters that are not of the dense part.
	Embedding() int64
}

// CheckSaved reports that no State holds the parameters of a system.
func CheckSaved(s System) error {
	if u, ok := s.(Unsaved); ok {
		if err := u.Unsaved(); err != nil {
			return fmt.Errorf("train: the parameters of %s cannot be saved: %w", s.Name(), err)
		}
	}
	return nil
}

// After is what a system that began from s has made of it so far. It is the same
// for all systems that are bit-identical, whichever rows they touched. The system
// must be at rest. Errors: that of CheckSaved; a row cannot be read.
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

// rowsAfter takes rows that the system has touched from there, all others from s.
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
				next.addState(state, s.Model.Optimiser.StateLen(s.Model.Dim))
			}
		}
		from = place(span.End)
	}
	next.add(s, before, from, len(before.Index))
	return next, nil
}

// add adds rows of another list from a place up to but not including another.
func (r *Rows) add(s *State, of Rows, from, end int) {
	dim, state := s.Model.Dim, s.Model.Optimiser.StateLen(s.Model.Dim)
	r.Index = append(r.Index, of.Index[from:end]...)
	r.Values = append(r.Values, of.Values[from*dim:end*dim]...)
	r.States = append(r.States, of.States[from*state:end*state]...)
}

// addState adds the state of a row: n values, zeros if there are none.
func (r *Rows) addState(state []float32, n int) {
	if state == nil {
		state = make([]float32, n)
	}
	r.States = append(r.States, state...)
}
