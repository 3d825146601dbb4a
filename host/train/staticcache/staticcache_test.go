package staticcache_test

import (
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

var options = staticcache.Options{Share: 0.05}

func newSystem(s *server.Server, from *train.State) (train.System, error) {
	return staticcache.New(s, from, options)
}

func TestSequential(t *testing.T) { systemtest.Sequential(t, newSystem) }

func TestRefusals(t *testing.T) {
	for _, share := range []float64{0, 1.5} {
		_, err := staticcache.New(systemtest.Server(t, 1, true), systemtest.Initial(t, systemtest.DLRM()), staticcache.Options{Share: share})
		require.ErrorContains(t, err, ", expected above 0 and at most 1")
	}
}

// slots are the tables and bags of the lookups of systemtest.DLRM.
var slots = []int{0, 1, 1, 1, 2, 2}

// TestCounts: the top rows of each table, 15, 45 and 1, are hits; all other lookups miss.
func TestCounts(t *testing.T) {
	const gpus = 3
	model := systemtest.DLRM()
	s, err := newSystem(systemtest.Server(t, gpus, true), systemtest.Initial(t, model))
	require.NoError(t, err)
	got := systemtest.Run(t, s, systemtest.Clicks(t, model), train.Unwatched{})
	counts := [3]map[int]int{{}, {}, {}}
	each := func(f func(m int, b dlrm.Batch)) {
		require.NoError(t, systemtest.Clicks(t, model).Each(func(m int, b dlrm.Batch) error {
			f(m, b)
			return nil
		}))
	}
	each(func(_ int, b dlrm.Batch) {
		for i := range b.Len() {
			for slot, index := range b.At(i).Sparse {
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
		for _, index := range list[:most] {
			top[[2]int{table, index}] = true
		}
	}
	var hits, misses, copied, updated int
	each(func(m int, b dlrm.Batch) {
		want, missed := timing.Work{Inputs: b.Len(), HotTable: 61}, 0
		if m == 0 {
			want.Promoted = 61 // the cache is filled
		}
		all, listed, copies, bags := map[[2]int]bool{}, map[[3]int]bool{}, map[[3]int]bool{}, map[[2]int]bool{}
		for i := range b.Len() {
			for slot, index := range b.At(i).Sparse {
				row := [2]int{slots[slot], int(index)}
				all[row], listed[[3]int{i % gpus, row[0], row[1]}] = true, true
				if !top[row] {
					missed++
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
		want.Listed, want.ColdCopies, want.Own = len(listed)-len(copies), len(copies), staticcache.Work{Missed: missed, MissedBags: len(bags)}
		misses, copied, updated = misses+missed, copied+want.ColdCopies, updated+want.ColdRows
		require.Equal(t, want, got.Works[m], "mini-batch %d", m)
	})
	for label, want := range map[string]int{staticcache.CountHits: hits, staticcache.CountMisses: misses, staticcache.CountCopied: copied,
		staticcache.CountUpdated: updated, staticcache.CountCached: 61} {
		require.NotZero(t, want)
		require.EqualValues(t, want, got.Count(label), label)
	}
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
