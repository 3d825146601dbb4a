package shadow

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
)

// key is a row of a table.
type key struct {
	table int
	index uint32
}

// truth is sequential training: a network, and rows in a map.
type truth struct {
	from   *train.State
	net    *rec.Net
	worker *rec.Worker
	grads  *rec.Gradients
	rows   map[key]*history
	states map[key][]float32
}

// history is the values of a row, the newest last.
type history struct{ values [][]float32 }

// remembered is how many values of a row are kept, so that a stale one is known.
const remembered = 64

func newTruth(from *train.State) *truth {
	net := from.Net.Clone()
	return &truth{from: from, net: net, worker: net.Worker(), grads: net.NewGradients(), rows: map[key]*history{}, states: map[key][]float32{}}
}

// row is the history of a row, which begins as in the state.
func (t *truth) row(k key) *history {
	h := t.rows[k]
	if h == nil {
		first := make([]float32, t.from.Model.Dim)
		t.from.Row(k.table, k.index, first)
		h = &history{values: [][]float32{first}}
		t.rows[k] = h
	}
	return h
}

// now is the newest value.
func (h *history) now() []float32 { return h.values[len(h.values)-1] }

// pool writes the pooled vectors of an input from rows that are age updates old, or
// as old as they are.
func (t *truth) pool(in rec.Sample, age int, pooled []float32) {
	t.from.Model.PoolSample(pooled, in.Sparse, func(table int, index uint32) []float32 {
		values := t.row(key{table, index}).values
		return values[max(0, len(values)-1-age)]
	})
}

// step trains on a mini-batch.
func (t *truth) step(batch rec.Batch) error {
	model := t.from.Model
	n, size := batch.Len(), len(model.Bags())*model.Dim
	pooled, dPooled, p := make([]float32, n*size), make([]float32, n*size), make([]float32, n)
	for i := range n {
		t.pool(batch.At(i), 0, pooled[i*size:][:size])
	}
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
func (t *truth) update(g rec.RowGrad) {
	model, k := t.from.Model, key{g.Table, g.Index}
	if n := model.Optimiser.StateLen(model.Dim); n > 0 {
		if t.states[k] == nil {
			t.states[k] = make([]float32, n)
			copy(t.states[k], t.from.RowState(g.Table, g.Index))
		}
		model.Optimiser.Step(t.states[k], g.Grad)
	}
	h := t.row(k)
	next := slices.Clone(h.now())
	rec.UpdateRow(next, g.Grad, -model.LearningRate)
	h.values = append(h.values, next)
	if len(h.values) > remembered {
		h.values = slices.Delete(h.values, 0, 1)
	}
}
