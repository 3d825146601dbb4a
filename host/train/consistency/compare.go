package consistency

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Compare implements Reference. It compares the dense part and all rows that either side has
// touched, with their optimiser states; in tables of another form, the rows that were read. If a system has embedding parameters of an
// unknown form, it compares only the dense part.
func (t *sequential) Compare(s train.System, found func(Finding)) error {
	if err := t.net.Diff(s.Net()); err != nil {
		found(Finding{Kind: LostUpdate, MiniBatch: -1, Table: -1, Text: "at the end: dense part: " + err.Error()})
	}
	if u, ok := s.(train.Unsaved); ok && t.form == nil && u.Unsaved() != nil {
		return nil
	}
	row := make([]float32, t.from.Model.Dim)
	for _, k := range t.touched(s) {
		if err := s.Row(k.table, k.index, row); err != nil {
			return err
		}
		want := t.Row(k.table, k.index)
		if i := dlrm.FirstDiff(row, want); i >= 0 {
			found(Finding{Kind: LostUpdate, MiniBatch: -1, Table: k.table, Row: k.index, Text: fmt.Sprintf("at the end: element %d is %v, expected %v", i, row[i], want[i])})
		}
		if !t.has(k.table) {
			t.compareState(s, k, found)
		}
	}
	return nil
}

// compareState compares the optimiser state of a row. A state that is nil is zero.
func (t *sequential) compareState(s train.System, k key, found func(Finding)) {
	got, want := s.RowState(k.table, k.index), t.states[k]
	if want == nil {
		want = t.from.RowState(k.table, k.index)
	}
	for i := range max(len(got), len(want)) {
		if a, b := valueAt(got, i), valueAt(want, i); a != b {
			text := fmt.Sprintf("at the end: value %d of the optimiser state is %v, expected %v", i, a, b)
			found(Finding{Kind: LostUpdate, MiniBatch: -1, Table: k.table, Row: k.index, Text: text})
			return
		}
	}
}

// valueAt returns a value of a state.
func valueAt(state []float32, i int) float32 {
	if i >= len(state) {
		return 0
	}
	return state[i]
}

// touched returns the rows that the reference or the system has touched, in order.
func (t *sequential) touched(s train.System) []key {
	all := maps.Clone(t.read)
	for k := range t.rows {
		all[k] = true
	}
	for table := range t.from.Model.Tables {
		if t.has(table) {
			continue
		}
		for _, span := range s.Touched(table) {
			for i := span.First; i < span.End; i++ {
				all[key{table, uint32(i)}] = true
			}
		}
	}
	list := make([]key, 0, len(all))
	for k := range all {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b key) int {
		if a.table != b.table {
			return a.table - b.table
		}
		return int(int64(a.index) - int64(b.index))
	})
	return list
}
