package shadow

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
)

// compare looks at what the GPUs trained on in a mini-batch. The truth has not
// trained on it yet.
func (w *Watch) compare(b *miniBatch) {
	model := w.truth.from.Model
	want := make([]float32, len(model.Bags())*model.Dim)
	for i := range b.batch.Len() {
		got, ok := b.pooled[i]
		if !ok {
			w.found(Finding{Kind: LostUpdate, MiniBatch: b.m, Table: -1, Text: fmt.Sprintf("input %d was not trained on", i)})
			continue
		}
		w.truth.pool(b.batch.At(i), 0, want)
		for bag := range model.Bags() {
			if v := got[bag*model.Dim:][:model.Dim]; rec.FirstDiff(v, want[bag*model.Dim:][:model.Dim]) >= 0 {
				w.misread(b, i, bag, v)
			}
		}
	}
}

// misread finds out how old the rows of a vector are.
func (w *Watch) misread(b *miniBatch, input, bag int, got []float32) {
	model, in := w.truth.from.Model, b.batch.At(input)
	k := w.firstOf(in, bag)
	f := Finding{Kind: WrongRead, MiniBatch: b.m, Table: k.table, Row: k.index, Text: fmt.Sprintf("the vector of input %d is of no row as it ever was", input)}
	old := make([]float32, len(model.Bags())*model.Dim)
	for age := 1; age < len(w.truth.row(k).values); age++ {
		w.truth.pool(in, age, old)
		if rec.FirstDiff(got, old[bag*model.Dim:][:model.Dim]) < 0 {
			f.Kind, f.Age, f.Text = StaleRead, age, fmt.Sprintf("input %d reads it %d updates old", input, age)
			break
		}
	}
	w.found(f)
}

// firstOf is the first row of a bag of an input.
func (w *Watch) firstOf(in rec.Sample, bag int) key {
	at := 0
	for i, b := range w.truth.from.Model.Bags() {
		if i == bag {
			return key{b.Table, in.Sparse[at]}
		}
		at += b.Lookups
	}
	panic("shadow: no such bag")
}

// Finish compares the parameters of a system at rest with the truth, and returns
// all findings. The error is that the truth could not train, or a row not be read.
func (w *Watch) Finish(s train.System) ([]Finding, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.underWay {
		w.found(Finding{Kind: LostUpdate, MiniBatch: b.m, Table: -1, Text: "it has not ended"})
	}
	if err := w.truth.net.Diff(s.Net()); err != nil {
		w.found(Finding{Kind: LostUpdate, MiniBatch: -1, Table: -1, Text: err.Error()})
	}
	row := make([]float32, w.truth.from.Model.Dim)
	for _, k := range w.touched(s) {
		if err := s.Row(k.table, k.index, row); err != nil {
			return nil, err
		}
		if i := rec.FirstDiff(row, w.truth.row(k).now()); i >= 0 {
			w.found(Finding{Kind: LostUpdate, MiniBatch: -1, Table: k.table, Row: k.index, Text: fmt.Sprintf("element %d is %v, expected %v", i, row[i], w.truth.row(k).now()[i])})
		}
	}
	return w.findings, w.failed
}

// touched are the rows that the truth or the system has touched, in order.
func (w *Watch) touched(s train.System) []key {
	all := map[key]bool{}
	for k := range w.truth.rows {
		all[k] = true
	}
	for t := range w.truth.from.Model.Tables {
		for _, span := range s.Touched(t) {
			for i := span.First; i < span.End; i++ {
				all[key{t, uint32(i)}] = true
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
