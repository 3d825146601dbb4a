package consistency

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// look compares the vectors of a mini-batch with the reference, which has not trained on it yet.
// Inputs without vectors get the vectors of the reference.
func (w *Watch) look(b *miniBatch) {
	want := make([]float32, w.size)
	for i := range b.batch.Len() {
		got := b.pooled[i*w.size:][:w.size]
		w.model.PoolSample(want, b.batch.At(i).Sparse, w.reference.Row)
		if !b.trained[i] {
			w.found(Finding{Kind: LostUpdate, MiniBatch: b.m, Table: -1, Text: fmt.Sprintf("nobody trains on input %d", i)})
			copy(got, want)
			continue
		}
		w.lookAt(b, i, got, want)
	}
}

// lookAt compares the vectors of an input.
func (w *Watch) lookAt(b *miniBatch, input int, got, want []float32) {
	sparse, dim := b.batch.At(input).Sparse, w.model.Dim
	for i, bag := range w.bags {
		if dlrm.FirstDiff(got[i*dim:][:dim], want[i*dim:][:dim]) < 0 {
			w.ages[0] += int64(bag.Lookups)
		} else {
			w.misread(b.m, input, newBag(w.reference, bag.Table, sparse[:bag.Lookups]), got[i*dim:][:dim])
		}
		sparse = sparse[bag.Lookups:]
	}
}

// misread determines the ages of the rows of a vector and records a finding.
func (w *Watch) misread(m, input int, of bag, got []float32) {
	ages, ok := of.ages(got)
	if !ok {
		k := of.rows[0]
		w.found(Finding{Kind: WrongRead, MiniBatch: m, Table: k.table, Row: k.index, Text: fmt.Sprintf("the vector of input %d is of no values that its rows are known to have had", input)})
		return
	}
	oldest := 0
	for n, age := range ages {
		if age > ages[oldest] {
			oldest = n
		}
	}
	for _, n := range of.lookups {
		w.ages[ages[n]]++
	}
	k, age := of.rows[oldest], ages[oldest]
	w.found(Finding{Kind: StaleRead, MiniBatch: m, Table: k.table, Row: k.index, Age: age, Text: fmt.Sprintf("input %d reads it %s old", input, updates(age))})
}

func updates(n int) string {
	if n == 1 {
		return "1 update"
	}
	return fmt.Sprintf("%d updates", n)
}
