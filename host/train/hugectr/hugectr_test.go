package hugectr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

func newSystem(s *server.Server, from *train.State) (train.System, error) {
	return hugectr.New(s, from), nil
}

func TestSequential(t *testing.T) { systemtest.Sequential(t, newSystem) }

// TestCounts: all GPUs wait for the GPU that sends most rows.
func TestCounts(t *testing.T) {
	const gpus = 3
	model := systemtest.TBSM()
	h := hugectr.New(systemtest.Server(t, gpus, true), systemtest.Initial(t, model))
	got := systemtest.Run(t, h, systemtest.Clicks(t, model), train.Unwatched{})
	all := 0
	require.NoError(t, systemtest.Clicks(t, model).Each(func(m int, b dlrm.Batch) error {
		given, rows := [gpus]int{}, map[[2]int]bool{}
		for i := range b.Len() {
			for slot, index := range b.At(i).Sparse {
				given[(int(index)+slot%2)%gpus]++
				rows[[2]int{slot % 2, int(index)}] = true
				all++
			}
		}
		require.Equal(t, timing.Work{Inputs: b.Len(), HotRows: len(rows), Own: hugectr.Work{Gathered: max(given[0], given[1], given[2])}}, got.Works[m])
		return nil
	}))
	require.EqualValues(t, all, got.Count(hugectr.CountGathered))
}

// TestOutOfMemory: the tables of rm3 take 63.4 GiB. They fit on four GPUs of 16 GiB but not on
// fewer, as in Hotline's Figure 22.
func TestOutOfMemory(t *testing.T) {
	model, _ := dlrm.Preset("rm3")
	shape := data.Shape{Dense: model.Dense, Tables: model.Tables}
	in := dlrm.Sample{Dense: make([]float32, model.Dense), Sparse: make([]uint32, model.Lookups())}
	for gpus, fits := range map[int]bool{1: false, 2: false, 4: true} {
		b, err := train.NewBatches(model, datatest.Source("one", shape, []dlrm.Sample{in}), 1024*gpus, 0)
		require.NoError(t, err)
		h := hugectr.New(systemtest.Server(t, gpus, true), systemtest.Initial(t, model))
		_, err = train.Run(h, b, train.Unwatched{}, nil)
		if fits {
			require.NoError(t, err)
			continue
		}
		full := &server.OutOfMemory{}
		require.ErrorAs(t, err, &full)
		require.Equal(t, []string{"GPU 0 memory", "embedding tables"}, []string{full.Where, full.Parts[0].What})
	}
}

// TestSeededBugs: a repeated update, and an update of another row, are found.
func TestSeededBugs(t *testing.T) {
	for name, place := range map[string]uint32{"twice": 0, "elsewhere": 1} {
		h := hugectr.New(systemtest.Server(t, 1, false), systemtest.Initial(t, systemtest.DLRM()))
		kinds, f := systemtest.Kinds(t, h, &systemtest.Hooks{OnEnd: func(m int) {
			if m == 2 {
				require.NoError(t, h.Shards().Update([]dlrm.RowGrad{{Table: 0, Index: place, Grad: make1(8)}}))
			}
		}})
		require.True(t, kinds[consistency.WrongRead], "%s: %v", name, f)
	}
}

func make1(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = 1
	}
	return v
}
