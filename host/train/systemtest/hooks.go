package systemtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// Hooks seed bugs. They are called when a system on one GPU reports to its watch.
type Hooks struct {
	train.Watch
	OnBegin func(m int) // mini-batch m begins
	OnFirst func(m int) // after the vectors of its first input are read
	OnEnd   func(m int) // its updates are made
	seen    map[int]bool
}

// Begin implements train.Watch.
func (h *Hooks) Begin(m int, batch dlrm.Batch) {
	h.Watch.Begin(m, batch)
	if h.OnBegin != nil {
		h.OnBegin(m)
	}
}

// Pooled implements train.Watch.
func (h *Hooks) Pooled(m, input int, pooled []float32) {
	h.Watch.Pooled(m, input, pooled)
	if h.OnFirst != nil && !h.seen[m] {
		h.seen[m] = true
		h.OnFirst(m)
	}
}

// End implements train.Watch.
func (h *Hooks) End(m int) {
	h.Watch.End(m)
	if h.OnEnd != nil {
		h.OnEnd(m)
	}
}

// Kinds trains a DLRM on one GPU under hooks. It returns the kinds of findings, and the first
// finding.
func Kinds(t testing.TB, s train.System, h *Hooks) (map[consistency.Kind]bool, consistency.Finding) {
	w := consistency.New(Initial(t, s.Model()))
	h.Watch, h.seen = w, map[int]bool{}
	Run(t, s, Clicks(t, s.Model()), h)
	_, err := w.Finish(s)
	require.NoError(t, err)
	kinds := map[consistency.Kind]bool{}
	summary := w.Summary()
	for _, k := range summary.Kinds {
		kinds[k.Kind] = true
	}
	require.NotEmpty(t, summary.First)
	return kinds, summary.First[0]
}
