package shadow

import (
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
)

// Truth is sequential training of a model, one mini-batch after the other.
type Truth interface {
	// Row is the value of a row, Dim values, valid until the next Step.
	Row(table int, index uint32) []float32
	// Old are the values that the row had before, the latest first, as far as they
	// are remembered.
	Old(table int, index uint32) [][]float32
	// Step trains on a mini-batch whose pooled vectors (inputs x bags x Dim) are those
	// that the system trained on. The error is that a gradient is not valid.
	Step(batch rec.Batch, pooled []float32) error
	// Compare calls found for all that is different in a system at rest. The error
	// is that of a row that cannot be read.
	Compare(s train.System, found func(Finding)) error
}

// key is a row of a table.
type key struct {
	table int
	index uint32
}

// sequential is the truth of a model with embedding tables: a network, and rows in
// a map.
type sequential struct {
	from   *train.State
	net    *rec.Net
	worker *rec.Worker
	grads  *rec.Gradients
	past
	rows   map[key]*history
	states map[key][]float32
}

func newSequential(from *train.State) *sequential {
	net := from.Net.Clone()
	return &sequential{
		from: from, net: net, worker: net.Worker(), grads: net.NewGradients(),
		past: past{most: pastValues / from.Model.Dim}, rows: map[key]*history{}, states: map[key][]float32{},
	}
}

// at is the history of a row, which begins as in the state.
func (t *sequential) at(k key) *history {
	h := t.rows[k]
	if h == nil {
		h = &history{now: make([]float32, t.from.Model.Dim)}
		t.from.Row(k.table, k.index, h.now)
		t.rows[k] = h
	}
	return h
}

// Row implements Truth.
func (t *sequential) Row(table int, index uint32) []float32 { return t.at(key{table, index}).now }

// Old implements Truth.
func (t *sequential) Old(table int, index uint32) [][]float32 {
	return t.at(key{table, index}).latest()
}

// Step implements Truth.
func (t *sequential) Step(batch rec.Batch, pooled []float32) error {
	model, n := t.from.Model, batch.Len()
	dPooled, p := make([]float32, len(pooled)), make([]float32, n)
	t.worker.Train(batch, pooled, n, t.grads, p, dPooled)
	rows := rec.NewRowGrads(model.Dim)
	rows.AddBatch(model.Bags(), batch, dPooled)
	if err := t.net.Apply(t.grads); err != nil {
		return err
	}
	t.grads.Reset()
	grads, err := rows.Round()
	for _, g := range grads {
		t.update(g)
	}
	return err
}

// update makes a row's next value.
func (t *sequential) update(g rec.RowGrad) {
	model, k := t.from.Model, key{g.Table, g.Index}
	if n := model.Optimiser.StateLen(model.Dim); n > 0 {
		if t.states[k] == nil {
			t.states[k] = make([]float32, n)
			copy(t.states[k], t.from.RowState(g.Table, g.Index))
		}
		model.Optimiser.Step(t.states[k], g.Grad)
	}
	h := t.at(k)
	t.keep(h)
	rec.UpdateRow(h.now, g.Grad, -model.LearningRate)
}
