package cpuhotline_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

var options = cpuhotline.Options{Rows: 60, Sample: 0.5, Relearn: 3}

func newSystem(s *server.Server, from *train.State) (train.System, error) {
	return cpuhotline.New(s, from, options)
}

func TestSequential(t *testing.T) { systemtest.Sequential(t, newSystem) }

func TestRefusals(t *testing.T) {
	from, s := systemtest.Initial(t, systemtest.DLRM()), systemtest.Server(t, 1, true)
	for want, o := range map[string]cpuhotline.Options{
		"cpuhotline: 0 hot rows, expected at least 1":               {Sample: 1},
		"cpuhotline: sample is 0, expected above 0 and at most 1":   {Rows: 1},
		"cpuhotline: sample is 1.5, expected above 0 and at most 1": {Rows: 1, Sample: 1.5},
		"cpuhotline: relearn is -1, expected 0 or more":             {Rows: 1, Sample: 1, Relearn: -1},
	} {
		_, err := cpuhotline.New(s, from, o)
		require.EqualError(t, err, want)
	}
}

type row = cluster.Row

// rowsOf returns the rows of an input.
func rowsOf(model dlrm.Config, in dlrm.Sample) (list []row) {
	for i, index := range in.Sparse {
		table := 0
		for i >= model.Tables[table].Lookups {
			i -= model.Tables[table].Lookups
			table++
		}
		list = append(list, row{Table: table, Index: index})
	}
	return list
}

// TestCounts compares with a small model: every other mini-batch of each epoch of three is counted,
// and the 60 most frequent rows, or fewer if there are fewer, are hot.
func TestCounts(t *testing.T) {
	const gpus = 3
	model := systemtest.DLRM()
	s, err := newSystem(systemtest.Server(t, gpus, false), systemtest.Initial(t, model))
	require.NoError(t, err)
	var batches []dlrm.Batch
	require.NoError(t, systemtest.Clicks(t, model).Each(func(_ int, b dlrm.Batch) error {
		batches = append(batches, b)
		return nil
	}))
	got := systemtest.Run(t, s, systemtest.Clicks(t, model), train.Unwatched{})
	hot := map[row]bool{}
	for m, batch := range batches {
		want := timing.Work{Inputs: batch.Len()}
		if m%3 == 0 {
			counted := 0
			counts := map[row]int{}
			for k := m; k < min(m+3, len(batches)); k += 2 {
				for i := range batches[k].Len() {
					for _, r := range rowsOf(model, batches[k].At(i)) {
						counts[r]++
						counted++
					}
				}
			}
			var list []row
			for r := range counts {
				list = append(list, r)
			}
			slices.SortFunc(list, func(a, b row) int {
				return cmp.Or(counts[b]-counts[a], a.Table-b.Table, int(a.Index)-int(b.Index))
			})
			next := map[row]bool{}
			for _, r := range list[:min(60, len(list))] {
				next[r] = true
				if !hot[r] {
					want.Promoted++
				}
			}
			for r := range hot {
				if !next[r] {
					want.Demoted++
				}
			}
			hot, want.Own = next, cpuhotline.Work{Counted: counted}
		}
		all, listed, copies := map[row]bool{}, map[[3]int]bool{}, map[[3]int]bool{}
		popular, others := 0, 0
		where := make([]int, batch.Len())
		for i := range batch.Len() {
			if !slices.ContainsFunc(rowsOf(model, batch.At(i)), func(r row) bool { return !hot[r] }) {
				where[i] = popular % gpus
				popular++
				continue
			}
			where[i] = others % gpus
			others++
		}
		for i := range batch.Len() {
			for _, r := range rowsOf(model, batch.At(i)) {
				k := [3]int{where[i], r.Table, int(r.Index)}
				all[r], listed[k] = true, true
				if !hot[r] {
					copies[k] = true
				}
			}
		}
		for r := range all {
			if hot[r] {
				want.HotRows++
			} else {
				want.ColdRows++
			}
		}
		want.Popular, want.Listed, want.ColdCopies, want.HotTable = popular, len(listed), len(copies), len(hot)
		require.Equal(t, want, got.Works[m], "mini-batch %d", m)
	}
	var sum timing.Work
	counted := 0
	for _, w := range got.Works {
		sum.Popular += w.Popular
		counted += timing.Own[cpuhotline.Work](w).Counted
		sum.ColdCopies += w.ColdCopies
		sum.ColdRows += w.ColdRows
		sum.Promoted += w.Promoted
		sum.Demoted += w.Demoted
	}
	require.NotZero(t, sum.Popular)
	require.NotZero(t, sum.Demoted)
	for label, want := range map[string]int{cpuhotline.CountPopular: sum.Popular, cpuhotline.CountCounted: counted, cpuhotline.CountCold: sum.ColdCopies,
		cpuhotline.CountUpdated: sum.ColdRows, cpuhotline.CountPromoted: sum.Promoted, cpuhotline.CountDemoted: sum.Demoted,
		cpuhotline.CountInputs: got.Inputs, cpuhotline.CountLearned: 2 + 2 + 1} {
		require.EqualValues(t, want, got.Count(label), label)
	}
}

// TestSeededBugs: seeded bugs are found.
func TestSeededBugs(t *testing.T) {
	create := func() *cpuhotline.System {
		s, err := cpuhotline.New(systemtest.Server(t, 1, false), systemtest.Initial(t, systemtest.DLRM()), options)
		require.NoError(t, err)
		return s
	}
	s := create()
	kinds, _ := systemtest.Kinds(t, s, &systemtest.Hooks{OnFirst: func(m int) {
		if m == 1 {
			_, _, err := s.Replicas.Set(nil)
			require.NoError(t, err)
		}
	}})
	require.True(t, kinds[consistency.HeldSlot], "an early eviction")

	s = create()
	kinds, f := systemtest.Kinds(t, s, &systemtest.Hooks{OnEnd: func(m int) {
		at, first := row{Table: 1}, make([]float32, 8)
		for ; m == 2 && at.Index < 900; at.Index++ {
			if !s.Replicas.Has(at) {
				systemtest.Initial(t, s.Model()).Row(at.Table, at.Index, first)
				require.NoError(t, s.Tables.Write(at.Table, at.Index, first))
			}
		}
	}})
	require.True(t, kinds[consistency.StaleRead], "updates that are taken back: %v", f)
}
