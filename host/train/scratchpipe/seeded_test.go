package scratchpipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
)

func kindsOf(findings []consistency.Finding) map[string]int {
	kinds := map[string]int{}
	for _, f := range findings {
		kinds[f.Kind.String()]++
	}
	return kinds
}

// TestSeededBugs: without the window, every hazard that it prevents occurs. It is found by wrong
// values, or because the slot of a row is taken that a mini-batch in flight reads. Bugs in other
// stages are found, too.
func TestSeededBugs(t *testing.T) {
	for _, c := range []struct {
		name string
		bug  func(s *scratchpipe.System)
		want []string
	}{
		{"past of 2: a row leaves while it is updated (RAW-2)", func(s *scratchpipe.System) { s.SetWindow(2, 2) }, []string{"held slot", "stale read", "lost update"}},
		{"past of 1: a row leaves before it arrives (RAW-3)", func(s *scratchpipe.System) { s.SetWindow(1, 2) }, []string{"held slot", "wrong read", "lost update"}},
		{"future of 1: a row is collected before it is written back (RAW-4)", func(s *scratchpipe.System) { s.SetWindow(3, 1) }, []string{"stale read", "lost update"}},
		{"a skipped write-back", (*scratchpipe.System).SkipWriteBack, []string{"stale read", "lost update"}},
		{"an update of the old place", (*scratchpipe.System).UpdateHost, []string{"stale read", "lost update"}},
		{"rows that arrive late", (*scratchpipe.System).InsertLate, []string{"wrong read", "lost update"}},
	} {
		t.Run(c.name, func(t *testing.T) { requireFound(t, scratchpipe.New, c.bug, c.want...) })
	}
}

// requireFound breaks a system. It requires findings of some kinds, and parameters that differ from
// the baseline. Victims are random, so that rows that must stay are chosen.
func requireFound(t *testing.T, c constructor, bug func(s *scratchpipe.System), want ...string) {
	t.Helper()
	j := newJob(t, 3, 2)
	j.opts.Policy = scratchpipe.Random
	s := j.make(t, c)
	bug(s)
	_, findings := j.Watched(t, s, nil)
	kinds := kindsOf(findings)
	for _, kind := range want {
		require.Positive(t, kinds[kind], kind)
	}
	base := j.Baseline(t)
	_, err := train.Compare(base, s)
	require.Error(t, err)
}

// TestAlgorithm1: Algorithm 1 of the paper visits the lookups once and omits the future window. So
// a miss can take the slot of a row that is looked up later. This also happens in the straw-man,
// which has no other mini-batch in flight.
func TestAlgorithm1(t *testing.T) {
	requireFound(t, scratchpipe.New, (*scratchpipe.System).LookAtNone, "held slot", "stale read", "lost update")
	requireFound(t, scratchpipe.NewStrawman, (*scratchpipe.System).LookAtNone, "held slot", "stale read", "lost update")
}

// TestAllHeld: with fewer slots than the window needs, Plan finds no free slot and returns an
// error.
func TestAllHeld(t *testing.T) {
	j := newJob(t, 3, 1)
	j.Batch = 1
	s := j.make(t, scratchpipe.New)
	s.SetSlots(12)
	_, err := train.Run(s, j.Batches(t), train.Unwatched{}, nil)
	require.ErrorContains(t, err, `scratchpipe: table 3 ("d"): all 12 slots are held by mini-batches from `)
}
