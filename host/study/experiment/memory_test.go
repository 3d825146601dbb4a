package experiment_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// TestMemory: a job that exceeds the memory is refused before anything is allocated. The error
// states the sum and the file and line.
func TestMemory(t *testing.T) {
	const cannot = " of memory, but there is less (8.0 GB, a test): "
	for _, c := range []struct {
		name   string
		change func(c *configs.Config)
		want   string
	}{
		{"batches", func(c *configs.Config) { c.Training.Batches = 100_000_000 },
			"testdata/tiny.hcl:34: the run needs about 102.4 GB" + cannot + "102.4 GB for results of 3,200,000,000 inputs; use fewer batches or a smaller batch"},
		{"all batches that can be written", func(c *configs.Config) { c.Training.Batches = 1 << 30 },
			"testdata/tiny.hcl:34: the run needs about 1.1 TB" + cannot + "1.1 TB for results of 34,359,738,368 inputs; use fewer batches or a smaller batch"},
		{"a batch", func(c *configs.Config) {
			c.Training.Batches, c.Training.Batch, c.Accelerator.EDRAMWords, c.Model.Dim = 1, 1<<20, 1<<26, 32
		},
			"testdata/tiny.hcl:33: the run needs about 42.2 GB" + cannot + "41.0 GB for vectors and gradients of a mini-batch, 1.1 GB for the input eDRAM; use a smaller batch"},
		{"bottom", func(c *configs.Config) { c.Model.Bottom = []int{100_000_000} },
			"testdata/tiny.hcl:26: the run needs about 232.0 GB" + cannot + "232.0 GB for the bottom MLP; use fewer or narrower bottom layers"},
		{"bottom, beyond int", func(c *configs.Config) { c.Model.Bottom = []int{1 << 62, 1 << 62} },
			"testdata/tiny.hcl:26: the run needs more than 1,000 PB" + cannot + "more than 1,000 PB for the bottom MLP; use fewer or narrower bottom layers"},
		{"top", func(c *configs.Config) { c.Model.Top = []int{50_000, 30_000} },
			"testdata/tiny.hcl:27: the run needs about 109.4 GB" + cannot + "109.4 GB for the top MLP; use fewer or narrower top layers"},
		{"rows", func(c *configs.Config) {
			c.Data.Rows["C3"], c.Accelerator.TagBits, c.Training.Batches = 1<<31-50_000, 24, 3_000_000
			*c.Data.Contexts, *c.Data.Rho = 1_000_000, 0.1
		},
			"testdata/tiny.hcl:45: the run needs about 9.2 GB" + cannot + "6.1 GB for 2,147,446,502 embedding rows, 3.1 GB for results of 96,000,000 inputs; use smaller tables or a smaller dim"},
		{"dim", func(c *configs.Config) {
			c.Data.Rows, c.Model.Dim, c.Accelerator.TagBits, c.Training.Batches = nil, 1<<16, 20, 1000
		},
			"testdata/tiny.hcl:25: the run needs about 9.0 GB" + cannot + "4.3 GB for 207,398 embedding rows, 4.2 GB for vectors and gradients of a mini-batch, 335.5 MB for hot rows, 109.6 MB for the bottom MLP, 72.2 MB for the top MLP; use smaller tables or a smaller dim"},
		{"two parts", func(c *configs.Config) { c.Training.Batches, c.Model.Bottom = 4_500_000, []int{5_000_000} },
			"testdata/tiny.hcl:26: the run needs about 16.2 GB" + cannot + "11.6 GB for the bottom MLP, 4.6 GB for results of 144,000,000 inputs; use fewer or narrower bottom layers"},
		{"blocks", func(c *configs.Config) { c.Accelerator.Blocks = 1 << 30 },
			"testdata/tiny.hcl:8: the run needs about 17.4 GB" + cannot + "17.2 GB for the EAL, 268.5 MB for hot rows; use fewer blocks"},
		{"shuffle", func(c *configs.Config) { c.Training.Shuffle, c.Training.Batches = 1<<30, 1_000_000 },
			"testdata/tiny.hcl:31: the run needs about 15.3 GB" + cannot + "14.3 GB for samples that are shuffled, 1.0 GB for results of 32,000,000 inputs; use a smaller window"},
		{"epochs", func(c *configs.Config) { c.Training.Epochs, c.Training.Batches = 100, 1_000_000 },
			"testdata/tiny.hcl:34: the run needs about 102.4 GB" + cannot + "102.4 GB for results of 3,200,000,000 inputs; use fewer batches or a smaller batch"},
		{"eDRAM", func(c *configs.Config) { c.Accelerator.EDRAMWords = 1 << 30 },
			"testdata/tiny.hcl:17: the run needs about 17.2 GB" + cannot + "17.2 GB for the input eDRAM; use fewer edram_words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := newJob(t, nil).Config
			c.change(cfg)
			clicks, err := experiment.Clicks(cfg)
			require.NoError(t, err)
			cfg.Options["fae"].(*fae.Options).BudgetMiB = 1e6 // so that it is memory that there is too little of
			require.NoError(t, experiment.Check(cfg, clicks, catalog.Systems()))
			require.EqualError(t, experiment.Job{Config: cfg, Data: clicks, Systems: bitIdentical(t)}.CheckMemory(experiment.Memory{Bytes: 8e9, Source: "a test"}), c.want)
		})
	}
}

// TestRows checks the estimate of the memory of rows for several sets of touched rows.
func TestRows(t *testing.T) {
	const rows = 1 << 17
	for _, size := range []int{16, 64, 256, 512} {
		for _, every := range []int{1, 2, 64, 1000} {
			before := heap()
			m := des.NewMemory("rows", rows*512)
			m.AddRows(0, rows, size, func(int, []byte) {})
			touched := 0
			for _, row := range rand.New(rand.NewPCG(1, 1)).Perm(rows) {
				if row%every == 0 {
					require.NoError(t, m.Read(uint64(row*size), make([]byte, 1)))
					touched++
				}
			}
			took := heap() - before
			require.InEpsilon(t, took, experiment.RowsBytes(rows, float64(touched), float64(size)), 0.3, "%d of %d rows of %d bytes", touched, rows, size)
			runtime.KeepAlive(m)
		}
	}
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// TestMemoryWithoutValues: without values there are no rows, vectors and predictions, so their
// numbers do not matter.
func TestMemoryWithoutValues(t *testing.T) {
	const most = 8e6
	cfg := newJob(t, func(c *configs.Config) {
		c.Data.Rows["C3"], c.Accelerator.TagBits, c.Training.Batches, c.Model.Dim = 1<<30, 24, 100_000, 1<<10
	}).Config
	clicks, err := experiment.Clicks(cfg)
	require.NoError(t, err)
	require.ErrorContains(t, experiment.Job{Config: cfg, Data: clicks, Systems: bitIdentical(t)}.CheckMemory(experiment.Memory{Bytes: most}), "embedding rows")
	require.NoError(t, experiment.Job{Config: cfg, Data: clicks, Systems: bitIdentical(t), Valueless: true}.CheckMemory(experiment.Memory{Bytes: most}))
	cfg.Accelerator.Blocks = 1 << 20
	require.ErrorContains(t, experiment.Job{Config: cfg, Data: clicks, Systems: bitIdentical(t), Valueless: true}.CheckMemory(experiment.Memory{Bytes: most}), "16.8 MB for the EAL, 15.8 MB for places of hot rows")
}

// TestResults checks the estimate of the memory of results.
func TestResults(t *testing.T) {
	before := heap()
	const inputs = 1 << 20
	scores, labels := []float32{}, []float32{}
	for i := range inputs {
		scores, labels = append(scores, float32(i%1000)), append(labels, float32(i%2))
	}
	kept := heap() - before
	_, err := dlrm.AUC(scores, labels)
	require.NoError(t, err)
	require.Less(t, kept, 32.*inputs)
	require.Greater(t, kept, 8.*inputs)
}

// TestMemoryOfRuns compares the estimate with the memory of runs whose systems have been trained.
func TestMemoryOfRuns(t *testing.T) {
	rm2 := func() (*configs.Config, data.Source) {
		c := configs.Paper()
		require.NoError(t, c.SetPreset("rm2"))
		c.Training.Batches = 2
		clicks, _, err := experiment.OpenData(t.Context(), "gen:kaggle", 1, clicklog.Options{})
		require.NoError(t, err)
		return c, clicks
	}
	small := func() (*configs.Config, data.Source) {
		c := configs.Small()
		c.Training.Batches = 8
		clicks, err := experiment.Clicks(c)
		require.NoError(t, err)
		return c, clicks
	}
	for _, run := range []struct {
		name    string
		of      func() (*configs.Config, data.Source)
		systems string
		watch   bool
	}{
		{"small", small, "hybrid", false}, {"small", small, "hybrid,hotline", false}, {"small", small, "hybrid,hotline", true}, {"small", small, "all", false}, {"small", small, "all", true},
		{"rm2", rm2, "hybrid", false}, {"rm2", rm2, "hybrid,hotline", true},
	} {
		j := experiment.Job{Watch: run.watch}
		j.Config, j.Data = run.of()
		j.Accelerator = experiment.Functional(*j.Config.Accelerator)
		var err error
		j.Systems, err = registry.Choose(catalog.Systems(), run.systems)
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		before, kept, left := heap(), 0.0, len(j.Systems)
		j.Progress = func(_ string, done, total int) {
			if done < total {
				return
			}
			if left--; left == 0 {
				kept = heap() - before
				stop() // the report is not needed
			}
		}
		_, err = experiment.Run(ctx, j)
		require.ErrorIs(t, err, context.Canceled)
		require.InEpsilon(t, kept, experiment.NeedsOf(j), 0.3, "%s, %s, watched %v", run.name, run.systems, run.watch)
	}
}
