package hotline_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// run trains Hotline and the baseline, compares all parameters and predictions,
// and returns Hotline and its result.
func run(t *testing.T, j *job) (*hotline.System, train.Result) {
	_, h := j.hotline(t)
	got, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	n, err := train.Compare(j.Baseline(t), h)
	require.NoError(t, err)
	require.Equal(t, got.Parameters, n)
	require.Equal(t, j.Want.Loss, got.Loss)
	require.Equal(t, j.Want.AUC, got.AUC)
	return h, got
}

func TestBitIdenticalToTheBaseline(t *testing.T) {
	for _, gpus := range []int{1, 2, 3, 4, 8} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%d GPUs, seed %d", gpus, seed), func(t *testing.T) {
				j := newJob(t, seed, gpus)
				j.opts.Relearn = int(seed) * 2 // never, every 2, every 4 mini-batches
				_, got := run(t, j)
				popular := got.Count(hotline.CountPopular)
				require.Greater(t, popular, int64(50))
				require.Less(t, popular, int64(450))
				require.Greater(t, got.Count(hotline.CountHotRows), int64(500))
				require.Greater(t, got.Count(hotline.CountColdRows), int64(100))
				require.Greater(t, got.Count(hotline.CountUpdated), int64(100))
				if j.opts.Relearn > 0 {
					require.Greater(t, got.Count(hotline.CountDemoted), int64(10))
				}
				require.EqualValues(t, 500*10, got.Count(hotline.CountLookups))
			})
		}
	}
}

// TestTimeSteps: a TBSM reads its tables in every time step, so a table of the accelerator is a
// table in a time step.
func TestTimeSteps(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		j := newJob(t, 3, gpus)
		j.Model.Kind, j.Model.Steps = dlrm.TBSM, 3
		j.Model.Top, j.Model.Attention, j.Model.Head = []int{6, 5}, []int{2, 4, 2}, []int{10, 7, 1}
		clicks := j.Inputs
		j.Inputs = nil
		for i := range 160 {
			in := dlrm.Sample{Label: clicks[i].Label}
			for s := range 3 {
				in.Dense = append(in.Dense, clicks[3*i+s].Dense...)
				in.Sparse = append(in.Sparse, clicks[3*i+s].Sparse...)
			}
			j.Inputs = append(j.Inputs, in)
		}
		j.opts.Relearn = 2
		j.Model.Optimiser = dlrm.Adagrad
		_, got := run(t, j)
		require.Positive(t, got.Count(hotline.CountPopular))
		require.Positive(t, got.Count(hotline.CountColdRows))
		require.EqualValues(t, 160*3*10, got.Count(hotline.CountLookups))
	}
}

// TestHotTableExistsWhereItIsUsed: of a hot table, only the blocks are allocated that hold, or
// held, a row.
func TestHotTableExistsWhereItIsUsed(t *testing.T) {
	j := newJob(t, 1, 2)
	j.card.Blocks = 4096
	h, got := run(t, j)
	require.Zero(t, got.Count(hotline.CountDemoted))
	for g := range 2 {
		blocks := slices.Collect(h.HotTable(g).TouchedRows())
		var want []int
		for _, block := range h.HotRows() {
			want = append(want, int(block))
		}
		require.ElementsMatch(t, want, blocks, "GPU %d", g)
		require.Less(t, len(blocks), j.card.Blocks)
	}
}

func TestRowsRepeatWithinBagsAndAcrossInputs(t *testing.T) {
	j := newJob(t, 1, 3)
	within, across := 0, map[uint32]int{}
	for _, in := range j.Inputs[:j.Batch] {
		if in.Sparse[4] == in.Sparse[5] {
			within++ // in table c
		}
		across[in.Sparse[8]]++
	}
	require.NotZero(t, within)
	require.Less(t, len(across), j.Batch)
}

func TestResultsRepeat(t *testing.T) {
	var results [2]train.Result
	for i := range results {
		j := newJob(t, 7, 4)
		j.opts.Relearn = 3
		_, h := j.hotline(t)
		var err error
		results[i], err = train.Run(h, j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
	}
	require.Equal(t, results[0], results[1], "times, too")
}

// TestWorks: the works of a training match its inputs.
func TestWorks(t *testing.T) {
	j := newJob(t, 3, 2)
	j.opts.Relearn = 4
	b := j.Batches(t)
	_, got := run(t, j)
	var sum timing.Work
	for m, w := range got.Works {
		batch, err := b.At(m)
		require.NoError(t, err)
		require.Equal(t, batch.Len(), w.Inputs)
		require.Equal(t, distinctRows(j.Model, batch), w.HotRows+w.ColdRows)
		require.GreaterOrEqual(t, w.Listed, w.HotRows+w.ColdRows)
		require.LessOrEqual(t, w.Listed, 2*(w.HotRows+w.ColdRows))
		took := timing.Own[hotline.Work](w)
		require.Equal(t, m%4 == 0, took.Learn > 0, m)
		require.Equal(t, m%4 == 0, took.ReadOut > 0, m)
		require.Positive(t, took.Classify)
		require.Equal(t, w.Popular < w.Inputs, took.Gather > 0)
		require.Equal(t, w.ColdRows > 0, took.Update > 0)
		sum.Popular += w.Popular
		sum.ColdRows += w.ColdRows
		sum.Promoted += w.Promoted
		sum.Demoted += w.Demoted
	}
	require.EqualValues(t, got.Count(hotline.CountPopular), sum.Popular)
	require.EqualValues(t, got.Count(hotline.CountUpdated), sum.ColdRows)
	require.EqualValues(t, got.Count(hotline.CountPromoted), sum.Promoted)
	require.EqualValues(t, got.Count(hotline.CountDemoted), sum.Demoted)
}

func distinctRows(model dlrm.Config, batch dlrm.Batch) int {
	rows := map[[2]int]bool{}
	for i := range batch.Len() {
		slot := 0
		for t, table := range model.Tables {
			for range table.Lookups {
				rows[[2]int{t, int(batch.At(i).Sparse[slot])}] = true
				slot++
			}
		}
	}
	return len(rows)
}

// TestGoldenWorks has two mini-batches with simple counts. The rows of the first mini-batch, 4 of
// table a and 3 of table b, are the hot rows. Inputs 4 to 7 of the second mini-batch read 4 and 1
// other rows.
func TestGoldenWorks(t *testing.T) {
	j := newJob(t, 1, 2)
	j.Model = dlrm.Config{Dense: 2, Dim: 4, Bottom: []int{2, 3, 4}, Top: []int{2, 1}, LearningRate: 0.1,
		Tables: []dlrm.Table{{Name: "a", Rows: 1000, Lookups: 1}, {Name: "b", Rows: 1000, Lookups: 2}}}
	j.Batch, j.opts.Sample = 8, 0.05
	j.Inputs = nil
	for i := range uint32(16) {
		in := dlrm.Sample{Label: float32(i % 2), Dense: []float32{1, float32(i)}, Sparse: []uint32{i % 4, i % 2, 2}}
		if i >= 12 {
			in.Sparse = []uint32{i, 0, 50}
		}
		j.Inputs = append(j.Inputs, in)
	}
	_, got := run(t, j)
	for m := range got.Works {
		got.Works[m].Own = nil // times
	}
	require.Equal(t, []timing.Work{
		// Each GPU reads two rows of a and two of b.
		{Inputs: 8, Popular: 8, HotRows: 7, Listed: 8, HotTable: 7, Promoted: 7},
		// GPU 0: rows 0, 2, 12, 14 of a and 0, 2, 50 of b; GPU 1: 1, 3, 13, 15 and 0, 1, 2, 50.
		{Inputs: 8, Popular: 4, HotRows: 7, ColdRows: 5, Listed: 7 + 8, HotTable: 7},
	}, got.Works)
}

// manyColdRows gives a job more cold rows than the 240 that an eDRAM half can hold in one list.
func (j *job) manyColdRows() {
	for s := range j.Inputs { // hardly any repeated rows
		n := uint32(s)
		copy(j.Inputs[s].Sparse, []uint32{n % 300, 3 * n, 3*n + 1, 3*n + 2, 0, 1, 2, 3, 2 * n, 2*n + 1})
	}
	j.opts.Sample = 0.01
	j.card.EDRAMWords = 2 * 480 // exactly one mini-batch per half
}

// TestUpdateInSeveralCommands: an update may need several commands.
func TestUpdateInSeveralCommands(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		j := newJob(t, 5, gpus)
		j.manyColdRows()
		_, got := run(t, j)
		perBatch := got.Count(hotline.CountUpdated) / int64(got.MiniBatches)
		require.Greater(t, perBatch, int64(240), "gradients for more than one command")
	}
}

// TestTwoMiniBatchesInFlight: one doorbell starts the classification of a mini-batch and the
// gathering for the previous mini-batch; the update has its own doorbell.
func TestTwoMiniBatchesInFlight(t *testing.T) {
	j := newJob(t, 1, 2)
	s, h := j.hotline(t)
	var begun uint32             // commands so far
	together := map[uint32]int{} // commands per doorbell
	s.Slot().Observe(func(dir link.Direction, _ des.Time, p *pcie.TLP) {
		if dir == link.Down && p.Kind == pcie.MWr && p.Addr == j.endpoint.BAR().Base+arch.CSRSQTail {
			tail := binary.LittleEndian.Uint32(p.Data)
			together[tail-begun]++
			begun = tail
		}
	})
	gathers, last := 0, len(j.Inputs)/j.Batch
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, func(step train.Step) error {
		if step.MiniBatch < last && *step.Popular < len(step.Labels) {
			gathers++
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, gathers, 7)
	require.Equal(t, gathers, together[2])
	require.Greater(t, together[1], gathers)
}

// rung is a device that records the latest doorbell.
type rung struct {
	*server.Device
	tail atomic.Uint32
}

func (r *rung) Write32(offset uint64, v uint32) error {
	if offset == arch.CSRSQTail {
		r.tail.Store(v)
	}
	return r.Device.Write32(offset, v)
}

// working records the latest doorbell whenever GPUs train on a mini-batch.
type working struct {
	train.Unwatched
	dev   *rung
	lock  sync.Mutex
	tails map[int]map[uint32]bool
}

func (w *working) Pooled(m, _ int, _ []float32) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.tails[m] == nil {
		w.tails[m] = map[uint32]bool{}
	}
	w.tails[m][w.dev.tail.Load()] = true
}

// TestAcceleratorWorksWhileGPUsTrain: the accelerator gets its commands before the GPUs begin.
func TestAcceleratorWorksWhileGPUsTrain(t *testing.T) {
	j := newJob(t, 1, 2)
	s := j.Server(t)
	dev, err := s.Insert(j.accelerator(t, s))
	require.NoError(t, err)
	w := &working{dev: &rung{Device: dev}, tails: map[int]map[uint32]bool{}}
	h, err := hotline.New(s, w.dev, j.Initial(t), j.opts)
	require.NoError(t, err)
	_, err = train.Run(h, j.Batches(t), w, nil)
	require.NoError(t, err)
	require.Len(t, w.tails, 11)
	for m, tails := range w.tails {
		require.Len(t, tails, 1, "mini-batch %d", m)
	}
}

// TestNothingHot has only non-popular inputs.
func TestNothingHot(t *testing.T) {
	j := newJob(t, 2, 2)
	for s := range j.Inputs {
		j.Inputs[s].Sparse[9] = uint32(4999 - s) // never seen before
	}
	j.opts.Sample = 0.01
	_, got := run(t, j)
	require.EqualValues(t, 1, got.Count(hotline.CountLearned))
	require.LessOrEqual(t, got.Count(hotline.CountPopular), int64(j.Batch), "of the first mini-batch only")
}

func TestAllHot(t *testing.T) {
	j := newJob(t, 2, 2)
	for s := range j.Inputs {
		for i := range j.Inputs[s].Sparse {
			j.Inputs[s].Sparse[i] %= 8
		}
	}
	_, got := run(t, j)
	require.EqualValues(t, 500, got.Count(hotline.CountPopular))
	require.Zero(t, got.Count(hotline.CountHotRows)+got.Count(hotline.CountColdRows))
}

func TestOneMiniBatch(t *testing.T) {
	j := newJob(t, 4, 4)
	j.Inputs = j.Inputs[:3]
	_, got := run(t, j)
	require.Equal(t, 1, got.MiniBatches)
}

// TestHotRowsArePoisonedInHostMemory checks that a row is in one place.
func TestHotRowsArePoisonedInHostMemory(t *testing.T) {
	j := newJob(t, 1, 2)
	j.opts.Relearn = 2
	h, got := run(t, j)
	require.Positive(t, got.Count(hotline.CountDemoted))
	require.NotEmpty(t, h.HotRows())
	row := make([]float32, j.Model.Dim)
	for id := range uint32(300 + 2000 + 20 + 5000) {
		require.NoError(t, h.HostRow(id, row))
		_, hot := h.HotRows()[id]
		for _, v := range row {
			require.Equal(t, hot, v != v, "row id %d", id)
			if hot {
				require.EqualValues(t, 0xffffffff, math.Float32bits(v))
			}
		}
	}
}

// TestSlowWayToGPUs: interrupts may arrive long before earlier writes to GPUs.
func TestSlowWayToGPUs(t *testing.T) {
	j := newJob(t, 1, 3)
	j.gpuLink.LatencyDown = 500 * des.Microsecond
	_, got := run(t, j)
	require.Greater(t, timing.Own[hotline.Work](got.Works[0]).Gather, 500*des.Microsecond)
}

func TestLearnsWhatItIsTold(t *testing.T) {
	for _, c := range []struct {
		sample  float64
		relearn int
		want    int64
	}{
		{1, 0, 11}, {0.5, 0, 6}, {0.05, 0, 1}, {0.5, 4, 2 + 2 + 2}, {0.01, 1, 11},
	} {
		j := newJob(t, 1, 1)
		j.opts.Sample, j.opts.Relearn = c.sample, c.relearn
		_, h := j.hotline(t)
		got, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, got.Count(hotline.CountLearned), "%+v", c)
	}
}

// TestRefusals checks the errors for models that do not fit, which are reported before training.
func TestRefusals(t *testing.T) {
	wide := func(n int) []int { return []int{3, n} }
	for _, c := range []struct {
		name   string
		change func(*job)
		want   string
	}{
		{"eDRAM", func(j *job) { j.Batch, j.card.EDRAMWords = 100, 1600 },
			"hotline: a mini-batch of 100 inputs with 10 lookups each has 1000 words, but half of the accelerator's eDRAM holds 800: use a batch of at most 80, or edram_words of at least 2000"},
		{"row ids", func(j *job) { j.Model.Tables[3].Rows = 300000 },
			"hotline: tag_bits is 13, which with 32 sets makes row ids of 18 bits, enough for 262144 rows, but the tables of the model have 302320"},
		{"row size", func(j *job) { j.Model.Dim, j.Model.Bottom = 12, wide(12) },
			"hotline: dim is 12, so that an embedding row has 48 bytes, but the accelerator takes powers of two from 16 to 512"},
		{"small rows", func(j *job) { j.Model.Dim, j.Model.Bottom = 2, wide(2) },
			"hotline: dim is 2, so that an embedding row has 8 bytes, but the accelerator takes powers of two from 16 to 512"},
		{"large rows", func(j *job) { j.Model.Dim, j.Model.Bottom = 256, wide(256) },
			"hotline: dim is 256, so that an embedding row has 1024 bytes, but the accelerator takes powers of two from 16 to 512"},
		{"lookups", func(j *job) { j.card.Slots = 8 },
			"hotline: slots is 8, but an input of the model has 10 lookups"},
		{"tables", func(j *job) { j.card.Tables = 2 },
			"hotline: tables is 2, but an input of the model has 4 bags"},
		{"GPUs", func(j *job) { j.GPUs = 9 },
			"hotline: gpus is 8, but the training uses 9 GPUs; use an accelerator for more GPUs, at most 8, or systems without one"},
		{"sample", func(j *job) { j.opts.Sample = 0 },
			"hotline: sample is 0, expected above 0 and at most 1"},
		{"relearn", func(j *job) { j.opts.Relearn = -1 },
			"hotline: relearn is -1, expected 0 or more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, 1, 2)
			c.change(j)
			_, h, err := j.open(t)
			if err == nil {
				err = h.Train(j.Batches(t), train.Unwatched{}, func(train.Step) error { return errors.New("it has started") })
			}
			require.EqualError(t, err, c.want)
		})
	}
}

// TestMemoryTooSmall: insufficient GPU or host memory is reported before training. Adagrad stores a
// state for every parameter.
func TestMemoryTooSmall(t *testing.T) {
	for optimiser, want := range map[dlrm.Optimiser]string{
		dlrm.SGD: "needs 17179942912 bytes, but has 17179869184: 17179869184 for all of it, 28672 for activations and their gradients, 16384 for gradients, " +
			"8192 for hot table, 8192 for pooled vectors, 4096 for mailbox, 4096 for dense parameters, 4096 for dense gradients",
		dlrm.Adagrad: "needs 17179955200 bytes, but has 17179869184: 17179869184 for all of it, 28672 for activations and their gradients, 16384 for gradients, " +
			"8192 for optimiser states of hot rows, 8192 for hot table, 8192 for pooled vectors, 4096 for mailbox, 4096 for dense parameters, 4096 for dense gradients, " +
			"4096 for optimiser states of dense parameters",
	} {
		j := newJob(t, 1, 1)
		j.Model.Optimiser = optimiser
		s, h := j.hotline(t)
		s.GPUs[0].Memory.Reserve("all of it", 16<<30)
		require.EqualError(t, h.Train(j.Batches(t), train.Unwatched{}, nil), "server: GPU 0 memory "+want)
	}
	j := newJob(t, 1, 1)
	s, h := j.hotline(t)
	s.Host.Reserve("all of it", 188<<30)
	full := &server.OutOfMemory{}
	require.ErrorAs(t, h.Train(j.Batches(t), train.Unwatched{}, nil), &full)
	require.Equal(t, "host memory", full.Where)
	var parts []string
	for _, p := range full.Parts {
		parts = append(parts, p.What)
	}
	require.ElementsMatch(t, []string{"all of it", "embedding tables", "DMA buffers", "mini-batch", "popularity bitmap", "update list", "hot set"}, parts)
}

func TestUntouchedRowsHaveInitialValues(t *testing.T) {
	j := newJob(t, 1, 2)
	h, _ := run(t, j)
	read := map[uint32]bool{}
	for _, in := range j.Inputs {
		read[in.Sparse[8]], read[in.Sparse[9]] = true, true
	}
	want, got, n := make([]float32, 8), make([]float32, 8), 0
	for index := range uint32(5000) {
		if !read[index] {
			dlrm.InitRow(j.Model, j.Seed, 3, index, want)
			require.NoError(t, h.Row(3, index, got))
			require.Equal(t, want, got)
			n++
		}
	}
	require.Greater(t, n, 4000)
}

// TestOverlay: rows 1 and 2 were hot; then row 3 takes the block of row 1, which moves to another
// block.
func TestOverlay(t *testing.T) {
	before := map[uint32]uint32{1: 10, 2: 20}
	hot, err := hotline.Overlay(map[uint32]uint32{3: 10, 1: 11}, before)
	require.NoError(t, err)
	require.Equal(t, map[uint32]uint32{1: 11, 2: 20, 3: 10}, hot)
	_, err = hotline.Overlay(map[uint32]uint32{2: 21}, before)
	require.EqualError(t, err, "hotline: the accelerator lists row id 2 in block 21, but not block 20, where it was")
}
