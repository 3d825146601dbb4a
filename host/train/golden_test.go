package train_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/accel"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// The tests of this file compute the timeline of a tiny model by hand, on a
// machine whose constants are chosen so that all times are whole nanoseconds.

const ns = node.Nanosecond

// goldenMachine has two GPUs, and times in ns that are easily counted:
//
//	product of n x k and k x m        100 + 2nkm + 1 (the 4 B/ns of its memory suffice)
//	kernel launch                     1000
//	element-wise kernel               1 per byte moved, or per operation if there are more
//	gather of r rows of 16 bytes      32r + 4r rounded up to a multiple of 32
//	pooling of r rows into b bags     the same + 112b; backward twice as much
//	CPU, row of 16 bytes              4 per byte of a line of 64: 256 to read, 768 to train on
//	CPU, in order                     2 per byte
//	pageable copy                     5000 + 1 per byte
//	pinned copy                       3000 + 2 per byte
//	all-reduce                        7000 + 1 per byte; all-gather 7000 + 1/2 per byte
func goldenMachine() node.Machine {
	m := node.DefaultMachine()
	m.GPUs = 2
	m.GEMMOverheadUs, m.GEMMHeadGFLOP, m.GEMMTFLOPS, m.GEMMGBPerSecond = 0.1, 1e-9, 1e-3, 4
	m.LaunchUs, m.GPUPeakTFLOPS, m.HBMGBPerSecond, m.ElementwiseShare = 1, 1e-3, 2, 0.5
	m.GatherPenalty32, m.EmbeddingBackward = 2, 2
	m.DRAMGBPerSecond, m.DRAMShare, m.CPUOptimisedShare, m.CPUOptimisedTraffic = 1, 0.5, 0.25, 3
	m.PageableUs, m.PageableGBPerSecond = 5, 1
	m.PinnedUs, m.PinnedGBPerSecond = 3, 0.5
	m.NVLinkPairGBPerSecond, m.CollectiveUs = 1, 7
	return m
}

// goldenModel has 3 features, of which the top MLP gets 4 + 3 values, and 9 + 16
// + 16 + 3 = 44 dense parameters in 4 layers, which are 176 bytes.
func goldenModel() rec.Config {
	return rec.Config{
		Dense: 2, Dim: 4, Bottom: []int{2, 3, 4}, Top: []int{2, 1}, LearningRate: 0.1,
		Tables: []rec.Table{{Name: "a", Rows: 1000, Lookups: 1}, {Name: "b", Rows: 1000, Lookups: 2}},
	}
}

// goldenBatches are two mini-batches of 8 inputs. What the first reads, 4 rows of
// table a and 3 of b, are all hot rows of Hotline. Inputs 4 to 7 of the second
// read 4 and 1 rows besides.
func goldenBatches(t *testing.T, n int) train.Batches {
	set := &data.Set{Name: "golden"}
	for i := range uint32(16) {
		in := rec.Sample{Label: float32(i % 2), Dense: []float32{1, float32(i)}, Sparse: []uint32{i % 4, i % 2, 2}}
		if i >= 12 {
			in.Sparse = []uint32{i, 0, 50}
		}
		set.Samples = append(set.Samples, in)
	}
	set.Samples = set.Samples[:8*n]
	b, err := train.NewBatches(goldenModel(), set, 8)
	require.NoError(t, err)
	return b
}

// Forward and backward of the MLPs on 4 inputs: products forward, for the
// weights and, but in the first layer, for the layer's input; three kernels per
// layer that move 24 bytes per output.
const mlp4 = 2*(100+2*4*2*3+1) + 3*1000 + 24*4*3 + // 2 to 3
	3*(100+2*4*3*4+1) + 3*1000 + 24*4*4 + // 3 to 4
	3*(100+2*4*7*2+1) + 3*1000 + 24*4*2 + // 7 to 2
	3*(100+2*4*2*1+1) + 3*1000 + 24*4*1 + // 2 to 1
	8*1000 + 3*4*4*(3*4+7) + // interaction: 8 kernels, three times 12 values in, 7 out
	2*1000 // loss

// The same on 2 inputs.
const mlp2 = 2*(100+2*2*2*3+1) + 3*1000 + 24*2*3 +
	3*(100+2*2*3*4+1) + 3*1000 + 24*2*4 +
	3*(100+2*2*7*2+1) + 3*1000 + 24*2*2 +
	3*(100+2*2*2*1+1) + 3*1000 + 24*2*1 +
	8*1000 + 3*2*4*(3*4+7) +
	2*1000

// Update of the dense parameters: two kernels per layer, 12 bytes per parameter.
const optimiser = 2*4*1000 + 12*44

// Popular micro-batches of 4 and 2 inputs per GPU: pooling, MLPs, gradients of
// rows. The two tables are a kernel each.
const (
	pool4, pool2 = 12*32 + 64 + 8*112, 6*32 + 32 + 4*112
	popular0     = (2*1000 + pool4) + mlp4 + (2*1000 + 2*pool4)
	popular1     = (2*1000 + pool2) + mlp2 + (2*1000 + 2*pool2)
)

// TestGoldenBaseline: one mini-batch of the hybrid baseline, 4 inputs per GPU.
func TestGoldenBaseline(t *testing.T) {
	const (
		gather = 8 * 3 * 256       // 3 rows per input
		update = 8 * 3 * 2 * 256   // what training takes beyond that
		copies = 2 * (5000 + 4*16) // to or from a GPU: a copy per table
		// GPU 1 is the last to get its vectors, and sends its gradients when
		// those of GPU 0 are back, which takes as long as it was behind.
		trained = gather + 2*copies + mlp4
		back    = trained + copies
		updated = back + update
	)
	require.EqualValues(t, 25751, mlp4)
	for _, collective := range []node.Time{7000, 50000} { // hidden behind the CPU's update, and not
		cfg := server.DefaultConfig()
		cfg.Machine = goldenMachine()
		cfg.Machine.CollectiveUs = float64(collective) / 1000
		s, err := server.New(cfg)
		require.NoError(t, err)
		h, err := hybrid.New(s, goldenModel(), hybrid.DefaultOptions(1))
		require.NoError(t, err)
		var ended node.Time
		got, err := train.Run(h, goldenBatches(t, 1), func(s train.Step) { ended = s.Time })
		require.NoError(t, err)
		require.Equal(t, got.Time, ended)

		reduce := collective + 176
		end := max(updated, trained+reduce+optimiser)
		require.Equal(t, []train.Part{
			{Label: "CPU gather", Time: gather * ns},
			{Label: "copies to GPUs", Time: 2 * copies * ns},
			{Label: "MLPs", Time: mlp4 * ns},
			{Label: "gradients to CPU", Time: copies * ns},
			{Label: "CPU update", Time: update * ns},
			{Label: "all-reduce, optimiser", Time: (end - updated) * ns},
		}, got.Breakdown)
		require.Equal(t, end*ns, got.Time)
		require.Equal(t, []train.Usage{
			{Resource: "CPU", Label: "gather", Time: gather * ns, Count: 1},
			{Resource: "CPU", Label: "update", Time: update * ns, Count: 1},
			{Resource: "host-GPU copies", Label: "pooled vectors", Time: 2 * copies * ns, Count: 2},
			{Resource: "host-GPU copies", Label: "gradients", Time: 2 * copies * ns, Count: 2},
			{Resource: "NVLink", Label: "all-reduce", Time: reduce * ns, Count: 1},
			{Resource: "GPU 0", Label: "MLPs", Time: mlp4 * ns, Count: 1},
			{Resource: "GPU 0", Label: "optimiser", Time: optimiser * ns, Count: 1},
			{Resource: "GPU 1", Label: "MLPs", Time: mlp4 * ns, Count: 1},
			{Resource: "GPU 1", Label: "optimiser", Time: optimiser * ns, Count: 1},
		}, got.Busy)
	}
}

// TestGoldenBaselineInTurn: no mini-batch begins before the one before has ended.
func TestGoldenBaselineInTurn(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.Machine = goldenMachine()
	s, err := server.New(cfg)
	require.NoError(t, err)
	h, err := hybrid.New(s, goldenModel(), hybrid.DefaultOptions(1))
	require.NoError(t, err)
	var ends []node.Time
	_, err = train.Run(h, goldenBatches(t, 2), func(s train.Step) { ends = append(ends, s.Time) })
	require.NoError(t, err)
	require.Equal(t, 2*ends[0], ends[1])
}

// newHotline is Hotline with the model of an accelerator that tracks 256 rows.
func newHotline(t *testing.T, cfg server.Config, relearn int) *hotline.System {
	s, err := server.New(cfg)
	require.NoError(t, err)
	p := arch.Small()
	p.Blocks = 256
	card, err := accel.New(s.Kernel, p, s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(card)
	require.NoError(t, err)
	opts := hotline.DefaultOptions(1)
	opts.Relearn = relearn
	h, err := hotline.New(s, dev, goldenModel(), opts)
	require.NoError(t, err)
	return h
}

// goldenHotline runs both mini-batches.
func goldenHotline(t *testing.T, change func(*server.Config)) train.Result {
	cfg := server.DefaultConfig()
	cfg.Machine = goldenMachine()
	change(&cfg)
	got, err := train.Run(newHotline(t, cfg, 0), goldenBatches(t, 2), nil)
	require.NoError(t, err)
	require.EqualValues(t, []int64{12, 7, 5}, []int64{got.Count(hotline.CountPopular), got.Count(hotline.CountPromoted), got.Count(hotline.CountUpdated)})
	return got
}

// TestGoldenHotline: a mini-batch with 4 popular inputs per GPU, and one with 2 of
// each kind.
func TestGoldenHotline(t *testing.T) {
	const (
		// Rows are 16 bytes, with table and index 24. The lists of the GPUs have
		// 4 + 4 rows (each a pair of a's and of b's rows), then 7 + 8 (GPU 1 uses
		// all of b's).
		reduce0 = 7000 + 176 + 7000 + 8*24/2
		reduce1 = 7000 + 176 + 7000 + 15*24/2

		// 2 vectors for each of 2 inputs are marked and looked through.
		mark   = 1000 + 4*16
		others = mark + mlp2 + (2*1000 + 2*pool2)

		scatter  = 1000 + 2*(7*32+32) // 7 hot rows
		hotRows  = 1000 + 7*4*12
		update0  = optimiser + hotRows
		update1  = update0 + 1000 + 2*(3*32+32) // GPU 0: 3 gradients of cold rows
		update1b = update0 + 1000 + 2*(2*32+32) // GPU 1: 2
	)
	for _, pinned := range []node.Time{3000, 50000} { // the list is copied behind the GPUs' updates, and it is not
		got := goldenHotline(t, func(c *server.Config) { c.Machine.PinnedUs = float64(pinned) / 1000 })
		rows, list := pinned+2*7*16, pinned+2*5*8
		want := map[string]node.Time{
			"hot-row copies":          7*256 + 2*rows + scatter,
			"popular micro-batch":     popular0 + mark + popular1,
			"non-popular micro-batch": others,
			"all-reduce":              reduce0 + reduce1,
			"GPU updates":             update0 + max(update1, list),
		}
		rest := got.Time
		for label, time := range want {
			require.Equal(t, time*ns, got.Part(label), label)
			rest -= time * ns
		}
		// What the accelerator and its link determine: registers, learning, one
		// classification, two flushes, one update.
		for _, label := range []string{"set-up", "learning", "waiting for classify", "update exposed", "waiting for gather"} {
			require.Greater(t, got.Part(label), 500*ns, label)
			require.Less(t, got.Part(label), 10000*ns, label)
			rest -= got.Part(label)
		}
		require.Zero(t, rest, "the parts add up")

		require.Equal(t, []train.Usage{
			{Resource: "CPU", Label: "stage mini-batch", Time: 2 * 8 * 3 * 4 * 2 * ns, Count: 2},
			{Resource: "CPU", Label: "mark hot set", Time: 256 * 8 * 2 * ns, Count: 1},
			{Resource: "CPU", Label: "collect rows", Time: 7 * 256 * ns, Count: 1},
			{Resource: "host-GPU copies", Label: "hot rows to GPUs", Time: 2 * rows * ns, Count: 2},
			{Resource: "host-GPU copies", Label: "update list", Time: list * ns, Count: 2},
			{Resource: "NVLink", Label: "all-reduce", Time: (reduce0 + reduce1) * ns, Count: 2},
			{Resource: "GPU 0", Label: "scatter hot rows", Time: scatter * ns, Count: 1},
			{Resource: "GPU 0", Label: "popular micro-batch", Time: (popular0 + popular1) * ns, Count: 2},
			{Resource: "GPU 0", Label: "non-popular micro-batch", Time: others * ns, Count: 2},
			{Resource: "GPU 0", Label: "updates", Time: (update0 + update1) * ns, Count: 2},
			{Resource: "GPU 0", Label: "mark pooled vectors", Time: mark * ns, Count: 1},
			{Resource: "GPU 1", Label: "scatter hot rows", Time: scatter * ns, Count: 1},
			{Resource: "GPU 1", Label: "popular micro-batch", Time: (popular0 + popular1) * ns, Count: 2},
			{Resource: "GPU 1", Label: "non-popular micro-batch", Time: others * ns, Count: 2},
			{Resource: "GPU 1", Label: "updates", Time: (update0 + update1b) * ns, Count: 2},
			{Resource: "GPU 1", Label: "mark pooled vectors", Time: mark * ns, Count: 1},
		}, got.Busy)
	}
}

// TestGoldenGatherWait: TLPs take 500 us to the GPUs. Each mini-batch waits so
// long until what the accelerator wrote is there, and the second one, besides,
// for the hot rows that the accelerator reads, behind the popular micro-batch.
func TestGoldenGatherWait(t *testing.T) {
	const way = 500 * node.Microsecond
	want := goldenHotline(t, func(*server.Config) {})
	got := goldenHotline(t, func(c *server.Config) { c.GPULink.LatencyDown += way })
	for label, more := range map[string]node.Time{
		"set-up": way, "hot-row copies": 0, "waiting for classify": way, "popular micro-batch": 0,
		"non-popular micro-batch": 0, "all-reduce": 0, "GPU updates": 0,
	} {
		require.Equal(t, want.Part(label)+more, got.Part(label), label)
	}
	gather := want.Part("waiting for gather") + 3*way - popular1*ns
	require.InDelta(t, int64(gather), int64(got.Part("waiting for gather")), float64(5*node.Microsecond))
}

// TestGoldenSlowCPU: the CPU takes 1 us for each byte in order. Learning lasts as
// long as it stages the first mini-batch and marks the hot set, and the popular
// micro-batch as long as it stages the second mini-batch.
func TestGoldenSlowCPU(t *testing.T) {
	const (
		stage = 8 * 3 * 4 * node.Microsecond
		mark  = 256 * 8 * node.Microsecond
	)
	got := goldenHotline(t, func(c *server.Config) { c.Machine.DRAMShare = 0.001 })
	require.InDelta(t, int64(stage+mark), int64(got.Part("learning")), float64(5*node.Microsecond))
	require.Equal(t, stage+(1000+4*16+popular1)*ns, got.Part("popular micro-batch"))
}

// TestGoldenDemotion: a tracker of 256 rows sees 300 new rows in each of two
// mini-batches.
func TestGoldenDemotion(t *testing.T) {
	set := &data.Set{Name: "demotion"}
	for i := range uint32(200) {
		set.Samples = append(set.Samples, rec.Sample{Dense: []float32{1, 2}, Sparse: []uint32{i, 2 * i, 2*i + 1}})
	}
	b, err := train.NewBatches(goldenModel(), set, 100)
	require.NoError(t, err)
	cfg := server.DefaultConfig()
	cfg.Machine = goldenMachine()
	h := newHotline(t, cfg, 1)
	first := node.Time(0)
	got, err := train.Run(h, b, func(s train.Step) {
		if s.MiniBatch == 0 {
			first = node.Time(train.Result{Counts: h.Report().Counts}.Count(hotline.CountPromoted))
		}
	})
	require.NoError(t, err)
	second := node.Time(got.Count(hotline.CountPromoted)) - first
	demoted := node.Time(got.Count(hotline.CountDemoted))
	require.Greater(t, min(first, second, demoted), node.Time(10))

	// GPUs move rows by one kernel, copies are pinned, and the CPU takes 256 per
	// row. Rows come from GPU 0 and go to both.
	kernel := func(rows node.Time) node.Time { return 1000 + 2*(32*rows+(4*rows+31)/32*32) }
	pinned := func(rows node.Time) node.Time { return 3000 + 2*16*rows }
	promote := func(rows node.Time) node.Time { return 256*rows + 2*pinned(rows) + kernel(rows) }
	demote := kernel(demoted) + pinned(demoted) + 256*demoted
	require.Equal(t, (promote(first)+demote+promote(second))*ns, got.Part("hot-row copies"))
}
