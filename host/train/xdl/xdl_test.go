package xdl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/xdl"
)

func newSystem(s *server.Server, from *train.State) (train.System, error) {
	return xdl.New(s, from), nil
}

func TestSequential(t *testing.T) { systemtest.Sequential(t, newSystem) }

// TestCounts: each worker pulls the distinct rows of its inputs, and all dense parameters.
func TestCounts(t *testing.T) {
	const gpus = 3
	model := systemtest.TBSM()
	x := xdl.New(systemtest.Server(t, gpus, true), systemtest.Initial(t, model))
	got := systemtest.Run(t, x, systemtest.Clicks(t, model), train.Unwatched{})
	rows, updated := 0, 0
	require.NoError(t, systemtest.Clicks(t, model).Each(func(m int, b dlrm.Batch) error {
		pulled, all := map[[3]int]bool{}, map[[2]int]bool{}
		for i := range b.Len() {
			for slot, index := range b.At(i).Sparse {
				pulled[[3]int{i % gpus, slot % 2, int(index)}] = true
				all[[2]int{slot % 2, int(index)}] = true
			}
		}
		require.Equal(t, timing.Work{Inputs: b.Len(), Listed: len(pulled), ColdRows: len(all)}, got.Works[m])
		rows, updated = rows+len(pulled), updated+len(all)
		return nil
	}))
	require.EqualValues(t, rows, got.Count(xdl.CountRows))
	require.EqualValues(t, updated, got.Count(xdl.CountUpdated))
	require.EqualValues(t, systemtest.Batches*gpus*x.Net().Len(), got.Count(xdl.CountDense))
}

// TestSeededBugs: a worker with stale dense parameters, and rows that it pulls too early, are
// found.
func TestSeededBugs(t *testing.T) {
	x := xdl.New(systemtest.Server(t, 1, false), systemtest.Initial(t, systemtest.DLRM()))
	kinds, f := systemtest.Kinds(t, x, &systemtest.Hooks{OnFirst: func(m int) {
		if m != 3 {
			return
		}
		for _, values := range x.Workers()[0].Net.Params() {
			values[0] *= 1.5
		}
	}})
	require.True(t, kinds[consistency.LostUpdate], f.String())

	x = xdl.New(systemtest.Server(t, 1, false), systemtest.Initial(t, systemtest.DLRM()))
	var old, now [300][8]float32
	copyRows := func(to *[300][8]float32) {
		for i := range to {
			require.NoError(t, x.Tables.Read(0, uint32(i), to[i][:]))
		}
	}
	write := func(from *[300][8]float32) {
		for i := range from {
			require.NoError(t, x.Tables.Write(0, uint32(i), from[i][:]))
		}
	}
	kinds, f = systemtest.Kinds(t, x, &systemtest.Hooks{OnBegin: func(m int) {
		switch m {
		case 2:
			copyRows(&old)
		case 3:
			copyRows(&now)
			write(&old)
		}
	}, OnFirst: func(m int) {
		if m == 3 {
			write(&now)
		}
	}})
	require.Equal(t, map[consistency.Kind]bool{consistency.StaleRead: true}, kinds)
	require.Equal(t, []int{3, 0, 1}, []int{f.MiniBatch, f.Table, f.Age})
}
