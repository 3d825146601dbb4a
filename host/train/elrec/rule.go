package elrec

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/exact"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
)

// Rule trains the cores of a system sequentially, with its own slices and without machine, queues,
// reuse and replicas. It implements consistency.Form.
type Rule struct {
	of     *System // has shapes, and the new numbers of rows after its training has started
	slices map[slice][]float32
	states map[slice][]float32
}

// Rule returns the rule of a system that has not been trained.
func (e *System) Rule() *Rule {
	return &Rule{of: e, slices: map[slice][]float32{}, states: map[slice][]float32{}}
}

// Has implements consistency.Form.
func (r *Rule) Has(table int) bool { return r.of.places[table] == inCores }

// Row implements consistency.Form.
func (r *Rule) Row(table int, index uint32, dst []float32) {
	t, of := r.of.cores.tables[table], r.slicesOf(table, index)
	prefix := make([]float32, t.PrefixLen())
	t.MulPrefix(prefix, of)
	t.MulRow(dst, prefix, of)
}

func (r *Rule) slicesOf(table int, index uint32) (of tt.Slices) {
	t := r.of.cores.tables[table]
	for core, no := range t.Slices(r.of.cores.number(table, index)) {
		at := slice{table, core, no}
		if r.slices[at] == nil {
			r.slices[at] = make([]float32, t.SliceLen(core))
			t.InitSlice(r.of.seed, table, core, no, r.slices[at])
		}
		of[core] = r.slices[at]
	}
	return of
}

// Step implements consistency.Form. EL-Rec multiplies the gradient of each row once, and TT-Rec the
// gradient of each lookup.
func (r *Rule) Step(m int, rows []dlrm.RowGrad, batch dlrm.Batch, dPooled []float32) error {
	sums := newGradients()
	if r.of.naive {
		if err := r.each(sums, batch, dPooled); err != nil {
			return err
		}
	} else {
		for _, row := range rows {
			if r.Has(row.Table) {
				r.add(sums, row.Table, row.Index, row.Grad)
			}
		}
	}
	update := r.of.model.Update(m)
	for _, at := range sums.inOrder() {
		if err := r.change(update, at, sums.sums[at]); err != nil {
			return err
		}
	}
	return nil
}

// each adds the gradient of each lookup, rounded separately.
func (r *Rule) each(sums *gradients, batch dlrm.Batch, dPooled []float32) error {
	dim := r.of.model.Dim
	one, rounded := exact.NewSum(dim), make([]float32, dim)
	for i := range batch.Len() {
		sparse := batch.At(i).Sparse
		for _, bag := range r.of.model.Bags() {
			for _, index := range sparse[:bag.Lookups] {
				if !r.Has(bag.Table) {
					continue
				}
				one.Reset()
				one.Add(dPooled[:dim], exact.Magnitude(dPooled[:dim]))
				if err := one.Round(rounded); err != nil {
					return err
				}
				r.add(sums, bag.Table, index, rounded)
			}
			sparse, dPooled = sparse[bag.Lookups:], dPooled[dim:]
		}
	}
	return nil
}

// add adds the slice gradients of a row.
func (r *Rule) add(sums *gradients, table int, index uint32, grad []float32) {
	t, of := r.of.cores.tables[table], r.slicesOf(table, index)
	prefix, g := make([]float32, t.PrefixLen()), tt.NewGradient(t.Shape)
	t.MulPrefix(prefix, of)
	g.Of(grad, prefix, of)
	sums.add(t, key{table, r.of.cores.number(table, index)}, g.Slices)
}

// change makes an optimiser step.
func (r *Rule) change(update dlrm.Update, at slice, sum *exact.Sum) error {
	step := make([]float32, sum.Len())
	if err := sum.Round(step); err != nil {
		return fmt.Errorf("gradient of slice %d of core %d of table %d: %w", at.no, at.core, at.table, err)
	}
	if r.states[at] == nil {
		r.states[at] = make([]float32, r.of.model.Optimiser.StateLen(len(step)))
	}
	update.Slice(r.states[at], step)
	dlrm.UpdateRow(r.slices[at], step, -r.of.model.LearningRate)
	return nil
}
