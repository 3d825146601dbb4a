package catalog_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// tested returns the options with which a system is tested.
func tested(d registry.Description) registry.Options {
	if with := options[d.Block]; with != nil {
		return with[0]
	}
	return d.Options
}

// TestOptimisers: every system keeps its guarantee with each optimiser. Sequential systems are
// bit-identical to each other and to the reference. Systems with an order or a reference of their
// own are bit-identical to their reference.
func TestOptimisers(t *testing.T) {
	for _, optimiser := range systemtest.Optimisers() {
		model := systemtest.DLRM()
		model.Optimiser = optimiser
		var base train.System
		for _, d := range catalog.Systems() {
			t.Run(fmt.Sprintf("%s, %v", d.Name, optimiser.Rule), func(t *testing.T) {
				s, a := built(t, d, tested(d), model, 2)
				w := consistency.New(systemtest.Initial(t, model))
				if d.Reference != nil {
					w = consistency.Against(model, d.Reference(s, systemtest.Initial(t, model)))
				}
				a.Run(t, s, systemtest.Clicks(t, model), w)
				findings, err := w.Finish(s)
				require.NoError(t, err)
				if d.Guarantee != registry.Approximate || d.Reference != nil {
					require.Empty(t, findings)
				}
				if d.Guarantee != registry.Sequential {
					return
				}
				if base == nil {
					base = s
				}
				_, err = train.Compare(base, s)
				require.NoError(t, err)
			})
		}
	}
}

// late is a watch whose reference counts mini-batches from 1, which is a seeded bug.
type late struct{ *consistency.Watch }

// Begin implements train.Watch.
func (l late) Begin(m int, batch dlrm.Batch) { l.Watch.Begin(m+1, batch) }

// Pooled implements train.Watch.
func (l late) Pooled(m, input int, pooled []float32) { l.Watch.Pooled(m+1, input, pooled) }

// End implements train.Watch.
func (l late) End(m int) { l.Watch.End(m + 1) }

// TestWrongNumbers: another number of the mini-batch changes the parameters with Adam, whose bias
// correction depends on it, and with each schedule. It changes nothing else.
func TestWrongNumbers(t *testing.T) {
	for _, optimiser := range systemtest.Optimisers() {
		model := systemtest.DLRM()
		model.Optimiser = optimiser
		for _, d := range catalog.Systems() {
			if d.Guarantee != registry.Sequential {
				continue
			}
			s, a := built(t, d, tested(d), model, 1)
			w := consistency.New(systemtest.Initial(t, model))
			a.Run(t, s, systemtest.Clicks(t, model), late{w})
			findings, err := w.Finish(s)
			require.NoError(t, err)
			numbered := optimiser.Rule == dlrm.RuleAdam || optimiser.Schedule != (dlrm.Schedule{})
			require.Equal(t, numbered, len(findings) > 0, "%s, %v", d.Name, optimiser.Rule)
		}
	}
}

// forgetful is a watch that clears the optimiser state of each row that leaves a slot, which is a
// seeded bug.
type forgetful struct {
	*consistency.Watch
	system train.System
	rows   map[slot]row
	forgot int
}

type slot struct {
	store string
	no    int
}

type row struct {
	table int
	index uint32
}

// Keep implements train.Watch.
func (f *forgetful) Keep(store string, no, table int, index uint32) {
	at, r := slot{store, no}, row{table, index}
	if before, ok := f.rows[at]; ok && before != r {
		f.forget(at)
	}
	f.rows[at] = r
	f.Watch.Keep(store, no, table, index)
}

// Drop implements train.Watch.
func (f *forgetful) Drop(store string, no int) {
	f.forget(slot{store, no})
	f.Watch.Drop(store, no)
}

func (f *forgetful) forget(at slot) {
	r, ok := f.rows[at]
	if !ok {
		return
	}
	delete(f.rows, at)
	if state := f.system.RowState(r.table, r.index); state != nil {
		clear(state)
		f.forgot++
	}
}

// TestForgottenStates: the checker finds that rows lose their states when they leave a GPU, in each
// system that moves rows, with each optimiser that has states.
func TestForgottenStates(t *testing.T) {
	for _, optimiser := range dlrm.Optimisers()[1:] {
		model := systemtest.DLRM()
		model.Optimiser, model.LearningRate = optimiser, 0.01
		moving := map[string]bool{}
		for _, d := range catalog.Systems() {
			s, a := built(t, d, tested(d), model, 2)
			w := &forgetful{Watch: consistency.New(systemtest.Initial(t, model)), system: s, rows: map[slot]row{}}
			if d.Reference != nil {
				w.Watch = consistency.Against(model, d.Reference(s, systemtest.Initial(t, model)))
			}
			small, err := train.NewBatches(model, systemtest.Clicks(t, model).Source(), 3, 0) // so that all caches evict rows
			require.NoError(t, err)
			a.Run(t, s, small, w)
			findings, err := w.Finish(s)
			require.NoError(t, err)
			if w.forgot > 0 {
				moving[d.Name] = true
				require.NotEmpty(t, findings, "%s, %v", d.Name, optimiser.Rule)
			}
		}
		for _, name := range []string{"cpu-hotline", "cdlrm", "scratchpipe", "hotline"} {
			require.True(t, moving[name], name)
		}
	}
}
