package consistency

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Reference is the reference: sequential training of a model, one mini-batch after the other.
type Reference interface {
	// Row returns the value of a row, Dim values, valid until the next Step.
	Row(table int, index uint32) []float32
	// Old returns the past values of a row that are still kept, the latest first.
	Old(table int, index uint32) [][]float32
	// Step trains on mini-batch m with the pooled vectors (inputs x bags x Dim) that the system
	// trained on. It returns an error if a gradient is not valid.
	Step(m int, batch dlrm.Batch, pooled []float32) error
	// Compare calls found for each difference from a system, which must be idle. It returns an
	// error if a row cannot be read.
	Compare(s train.System, found func(Finding)) error
}

// Form defines how rows of some tables are computed from other parameters, and how sequential
// training changes these parameters.
type Form interface {
	// Has reports whether a table has this form.
	Has(table int) bool
	// Row writes the value of a row to dst (Dim values).
	Row(table int, index uint32, dst []float32)
	// Step updates the parameters by the gradients of mini-batch m: of its rows, including rows of
	// other tables, and of the pooled vectors (inputs x bags x Dim). It returns an error if a
	// gradient is not valid.
	Step(m int, rows []dlrm.RowGrad, batch dlrm.Batch, dPooled []float32) error
}

// NewFormed returns the reference of a model in which some tables have another form; nil means
// none. Past values of their rows are unknown, so stale reads of them are reported as wrong reads.
func NewFormed(from *train.State, form Form) Reference {
	t := newSequential(from)
	t.form = form
	return t
}

// key identifies a row of a table.
type key struct {
	table int
	index uint32
}

// sequential is the reference of a model with embedding tables: a network, and rows in a map.
type sequential struct {
	from   *train.State
	net    *dlrm.Net
	worker *dlrm.Worker
	grads  *dlrm.Gradients
	past
	rows   map[key]*history
	states map[key][]float32

	form   Form
	formed map[key][]float32 // rows of such tables that were read since the latest Step
	read   map[key]bool      // rows of such tables that were ever read
}

func newSequential(from *train.State) *sequential {
	net := from.Net.Clone()
	return &sequential{
		from: from, net: net, worker: net.Worker(), grads: net.NewGradients(),
		past: past{most: pastValues / from.Model.Dim}, rows: map[key]*history{}, states: map[key][]float32{},
		formed: map[key][]float32{}, read: map[key]bool{},
	}
}

// at returns the history of a row, which starts with the value of the state.
func (t *sequential) at(k key) *history {
	h := t.rows[k]
	if h == nil {
		h = &history{now: make([]float32, t.from.Model.Dim)}
		t.from.Row(k.table, k.index, h.now)
		t.rows[k] = h
	}
	return h
}

// has reports whether a table has another form.
func (t *sequential) has(table int) bool { return t.form != nil && t.form.Has(table) }

// Row implements Reference.
func (t *sequential) Row(table int, index uint32) []float32 {
	k := key{table, index}
	if !t.has(table) {
		return t.at(k).now
	}
	if t.formed[k] == nil {
		t.formed[k], t.read[k] = make([]float32, t.from.Model.Dim), true
		t.form.Row(table, index, t.formed[k])
	}
	return t.formed[k]
}

// Old implements Reference.
func (t *sequential) Old(table int, index uint32) [][]float32 {
	if t.has(table) {
		return nil
	}
	return t.at(key{table, index}).latest()
}

// Step implements Reference.
func (t *sequential) Step(m int, batch dlrm.Batch, pooled []float32) error {
	model, n := t.from.Model, batch.Len()
	dPooled, p := make([]float32, len(pooled)), make([]float32, n)
	t.worker.Train(batch, pooled, n, t.grads, p, dPooled)
	rows := dlrm.NewRowGrads(model.Dim)
	rows.AddBatch(model.Bags(), batch, dPooled)
	if err := t.net.Apply(m, t.grads); err != nil {
		return err
	}
	t.grads.Reset()
	grads, err := rows.Round()
	if err == nil && t.form != nil {
		clear(t.formed)
		err = t.form.Step(m, grads, batch, dPooled)
	}
	update := model.Update(m)
	for _, g := range grads {
		if !t.has(g.Table) {
			t.update(update, g)
		}
	}
	return err
}

// update makes a row's next value.
func (t *sequential) update(update dlrm.Update, g dlrm.RowGrad) {
	model, k := t.from.Model, key{g.Table, g.Index}
	if n := model.Optimiser.RowStateLen(model.Dim); n > 0 && t.states[k] == nil {
		t.states[k] = make([]float32, n)
		copy(t.states[k], t.from.RowState(g.Table, g.Index))
	}
	update.Row(t.states[k], g.Grad)
	h := t.at(k)
	t.keep(h)
	dlrm.UpdateRow(h.now, g.Grad, -model.LearningRate)
}
