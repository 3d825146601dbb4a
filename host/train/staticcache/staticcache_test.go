package staticcache_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

var options = staticcache.Options{Share: 0.05, Sample: 0.25}

func newSystem(s *server.Server, from *train.State) (train.System, error) {
	return staticcache.New(s, from, options)
}

func TestSequential(t *testing.T) { systemtest.Sequential(t, newSystem) }

func TestRefusals(t *testing.T) {
	for _, bad := range []float64{0, 1.5} {
		for name, o := range map[string]staticcache.Options{"share": {Share: bad, Sample: 1}, "sample": {Share: 1, Sample: bad}} {
			_, err := staticcache.New(systemtest.Server(t, 1, true), systemtest.Initial(t, systemtest.DLRM()), o)
			require.ErrorContains(t, err, fmt.Sprintf("staticcache: %s is %v; expected above 0 and at most 1", name, bad))
		}
	}
}

// slots are the tables and bags of the lookups of systemtest.DLRM.
var slots = []int{0, 1, 1, 1, 2, 2}

// TestCounts: the top rows of each table in the first mini-batches, at most 15, 45 and 1, are hits;
// all other lookups miss. A sample of all mini-batches gives the best possible cache.
func TestCounts(t *testing.T) {
	first := testCounts(t, options.Sample)
	all := testCounts(t, 1)
	require.Greater(t, all, first, "hits")
}

// testCounts checks a system with a sample and returns its hits.
func testCounts(t *testing.T, sample float64) int {
	const gpus = 3
	model := systemtest.DLRM()
	o := options
	o.Sample = sample
	s, err := staticcache.New(systemtest.Server(t, gpus, true), systemtest.Initial(t, model), o)
	require.NoError(t, err)
	got := systemtest.Run(t, s, systemtest.Clicks(t, model), train.Unwatched{})
	counts := [3]map[int]int{{}, {}, {}}
	each := func(f func(m int, b dlrm.Batch)) {
		require.NoError(t, systemtest.Clicks(t, model).Each(func(m int, b dlrm.Batch) error {
			f(m, b)
			return nil
		}))
	}
	sampled, counted := 0, 0
	each(func(m int, b dlrm.Batch) {
		if float64(m) >= sample*systemtest.Batches {
			return
		}
		sampled += b.Len()
		for i := range b.Len() {
			for slot, index := range b.At(i).Sparse {
				counted++
				counts[slots[slot]][int(index)]++
			}
		}
	})
	top := map[[2]int]bool{}
	for table, most := range []int{15, 45, 1} {
		var list []int
		for index := range model.Tables[table].Rows {
			if counts[table][index] > 0 {
				list = append(list, index)
			}
		}
		slices.SortStableFunc(list, func(a, b int) int { return counts[table][b] - counts[table][a] })
		for _, index := range list[:min(most, len(list))] {
			top[[2]int{table, index}] = true
		}
	}
	var hits, misses, copied, updated int
	each(func(m int, b dlrm.Batch) {
		want, own := timing.Work{Inputs: b.Len(), HotTable: len(top)}, staticcache.Work{}
		if m == 0 {
			want.Promoted, own.Counted = len(top), sampled // the cache is filled
		}
		all, listed, copies, bags := map[[2]int]bool{}, map[[3]int]bool{}, map[[3]int]bool{}, map[[2]int]bool{}
		for i := range b.Len() {
			for slot, index := range b.At(i).Sparse {
				row := [2]int{slots[slot], int(index)}
				all[row], listed[[3]int{i % gpus, row[0], row[1]}] = true, true
				if !top[row] {
					own.Missed++
					copies[[3]int{i % gpus, row[0], row[1]}], bags[[2]int{i, row[0]}] = true, true
				} else {
					hits++
				}
			}
		}
		for row := range all {
			if top[row] {
				want.HotRows++
			} else {
				want.ColdRows++
			}
		}
		own.MissedBags = len(bags)
		want.Listed, want.ColdCopies, want.Own = len(listed)-len(copies), len(copies), own
		misses, copied, updated = misses+own.Missed, copied+want.ColdCopies, updated+want.ColdRows
		require.Equal(t, want, got.Works[m], "mini-batch %d", m)
	})
	for label, want := range map[string]int{staticcache.CountHits: hits, staticcache.CountMisses: misses, staticcache.CountCopied: copied,
		staticcache.CountUpdated: updated, staticcache.CountCached: len(top), staticcache.CountCounted: counted} {
		require.NotZero(t, want)
		require.EqualValues(t, want, got.Count(label), label)
	}
	return hits
}

// TestSeededBugs: a cached row that leaves while it is needed, and a reverted update, are found.
func TestSeededBugs(t *testing.T) {
	create := func() *staticcache.System {
		s, err := staticcache.New(systemtest.Server(t, 1, false), systemtest.Initial(t, systemtest.DLRM()), options)
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
	require.True(t, kinds[consistency.HeldSlot])

	s = create()
	kinds, f := systemtest.Kinds(t, s, &systemtest.Hooks{OnEnd: func(m int) {
		if m != 3 {
			return
		}
		row := [8]float32{}
		for index := range uint32(900) {
			systemtest.Initial(t, s.Model()).Row(1, index, row[:])
			require.NoError(t, s.Tables.Write(1, index, row[:]))
		}
	}})
	require.True(t, kinds[consistency.LostUpdate], f.String())
}
