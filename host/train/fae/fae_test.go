package fae_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// TestSequentialInItsOrder: parameters equal sequential training in FAE's own order, on any number
// of GPUs. There are no findings, and the hybrid system is bit-identical on inputs in that order.
func TestSequentialInItsOrder(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		for _, optimiser := range []dlrm.Optimiser{dlrm.SGD, dlrm.Adagrad} {
			for _, steps := range []bool{false, true} {
				t.Run(fmt.Sprint(gpus, " GPUs, ", optimiser.Rule, ", TBSM ", steps), func(t *testing.T) {
					j := newJob(uint64(gpus), gpus)
					j.model.Optimiser = optimiser
					if steps {
						j.tbsm()
						j.inputs, j.opts.BudgetMiB = 300, mib(16*200)
					}
					f := j.system(t)
					swaps := 0
					require.Empty(t, j.findings(t, f, func(s train.Step) {
						if s.Work.Promoted+s.Work.Demoted > 0 {
							swaps++
						}
					}))
					require.Greater(t, swaps, 1)
					j.requireAsHybrid(t)
				})
			}
		}
	}
}

// requireAsHybrid compares with a hybrid system that gets each of FAE's mini-batches as a source.
func (j *job) requireAsHybrid(t *testing.T) {
	f, o := j.system(t), &order{}
	_, err := j.train(t, f, o, nil)
	require.NoError(t, err)
	state := j.initial(t)
	var h *hybrid.System
	for m, batch := range o.batches {
		shape := data.Shape{Dense: j.model.Dense, Steps: j.model.Steps, Tables: j.model.Tables}
		b, err := train.NewBatches(j.model, data.InMemory(fmt.Sprint(m), shape, batch), j.size, 0)
		require.NoError(t, err)
		h = hybrid.New(j.server(t), state)
		_, err = train.Run(h, b, train.Unwatched{}, nil)
		require.NoError(t, err)
		state, err = state.After(h)
		require.NoError(t, err)
	}
	var inputs int
	for _, b := range o.batches {
		inputs += b.Len()
	}
	require.Equal(t, j.inputs-j.first*j.size, inputs)
	own, err := j.initial(t).After(f)
	require.NoError(t, err)
	require.NoError(t, own.Net.Diff(state.Net))
	require.Equal(t, state.Tables, own.Tables)
}

// TestGoesOn: a training resumes from a state, on the remaining inputs.
func TestGoesOn(t *testing.T) {
	j := newJob(5, 2)
	h := hybrid.New(j.server(t), j.initial(t))
	half := newJob(5, 2)
	half.inputs = 10 * j.size
	_, err := train.Run(h, half.batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	j.from, err = j.initial(t).After(h)
	require.NoError(t, err)
	j.first = 10
	var first []int
	require.Empty(t, j.findings(t, j.system(t), func(s train.Step) { first = append(first, s.MiniBatch) }))
	require.Equal(t, 10, first[0])
	j.requireAsHybrid(t)
}

// TestCounts: each mini-batch has one kind and is filled with the next inputs of its kind. Work and
// events match a small model of FAE: strips alternate, cold first, and a swap copies the hot rows
// that changed since the previous swap.
func TestCounts(t *testing.T) {
	j := newJob(3, 2)
	f, o := j.system(t), &order{}
	var steps []train.Step
	result, err := j.train(t, f, o, func(s train.Step) { steps = append(steps, s) })
	require.NoError(t, err)
	hot := f.Prepared().Hot
	isHot := func(in dlrm.Sample) bool {
		for i, index := range in.Sparse {
			if _, ok := hot.Slot([]int{0, 0, 1, 2}[i], index); !ok {
				return false
			}
		}
		return true
	}
	queues := map[bool][]dlrm.Sample{}
	b := j.batches(t)
	for m := range (j.inputs + j.size - 1) / j.size {
		batch, err := b.At(m)
		require.NoError(t, err)
		for i := range batch.Len() {
			in := batch.At(i)
			queues[isHot(in)] = append(queues[isHot(in)], in)
		}
	}
	all := map[bool]int{false: len(queues[false]), true: len(queues[true])}
	require.Greater(t, min(all[false], all[true]), 5*j.size)

	dirty, onGPUs, copied := map[int]bool{}, false, false
	var swaps, toGPUs, toHost, vectors int64
	for m, s := range steps {
		batch := o.batches[m]
		kind := isHot(batch.At(0))
		require.Equal(t, min(j.size, len(queues[kind])), batch.Len())
		for i := range batch.Len() {
			require.Equal(t, queues[kind][i], batch.At(i))
		}
		queues[kind] = queues[kind][batch.Len():]
		want := timing.Work{Inputs: batch.Len()}
		if own := (fae.Work{Cold: !kind}); m == 0 {
			// The sample is all inputs, and each threshold scans all rows.
			own.Logged, own.Classified, own.Scanned = j.inputs, j.inputs, 4500*(int(result.Count(fae.CountTries))+1)
			want.Own = own
		} else if !kind {
			want.Own = own
		}
		if kind != onGPUs {
			swaps++
			moved := len(dirty)
			if !copied && kind {
				copied, moved = true, hot.Len()
			}
			if kind {
				want.Promoted, toGPUs = moved, toGPUs+int64(moved)
			} else {
				want.Demoted, toHost = moved, toHost+int64(moved)
			}
			dirty, onGPUs = map[int]bool{}, kind
		}
		rows, listed := map[[2]uint32]bool{}, 0
		for g := range j.gpus {
			own := map[[2]uint32]bool{}
			for i := g; i < batch.Len(); i += j.gpus {
				for slot, index := range batch.At(i).Sparse {
					r := [2]uint32{[]uint32{0, 0, 1, 2}[slot], index}
					own[r], rows[r] = true, true
				}
			}
			listed += len(own)
		}
		for r := range rows {
			if slot, ok := hot.Slot(int(r[0]), r[1]); ok {
				dirty[slot] = true
			}
		}
		popular := 0
		if kind {
			popular = batch.Len()
			want.Popular, want.HotRows, want.Listed, want.HotTable = popular, len(rows), listed, hot.Len()
		} else {
			want.ColdRows = len(rows)
			vectors += int64(batch.Len() * 3)
		}
		require.Equal(t, want, s.Work, m)
		require.Equal(t, popular, *s.Popular)
		require.Equal(t, m, s.MiniBatch)
	}
	for label, want := range map[string]int64{
		fae.CountInputs: int64(j.inputs), fae.CountPopular: int64(all[true]), fae.CountVectors: vectors, fae.CountSwaps: swaps,
		fae.CountToGPUs: toGPUs, fae.CountToHost: toHost, fae.CountHotRows: int64(hot.Len()), fae.CountSampled: int64(j.inputs),
		fae.CountEntries: 4500, fae.CountScanned: 4500, fae.CountLarge: int64(hot.Len() - 30), fae.CountEstimated: int64(hot.Len() - 30),
	} {
		require.Equal(t, want, result.Count(label), label)
	}
	require.Greater(t, swaps, int64(2))
	require.Positive(t, toHost)
}

// TestValueless: without values the work is equal while the test loss falls, and without test
// inputs. If the loss rises, there are more swaps.
func TestValueless(t *testing.T) {
	works := func(change func(j *job)) ([]timing.Work, int64) {
		j := newJob(4, 3)
		j.inputs = 2000
		change(j)
		f := j.system(t)
		r, err := j.train(t, f, train.Unwatched{}, nil)
		require.NoError(t, err)
		return r.Works, r.Count(fae.CountRate)
	}
	off, rate := works(func(j *job) { j.valueless = true })
	require.EqualValues(t, 50, rate)
	untested, _ := works(func(j *job) { j.opts.Test = 0 })
	require.Equal(t, off, untested)
	falls, rate := works(func(j *job) { j.model.LearningRate = 0.003 })
	require.EqualValues(t, 50, rate)
	require.Equal(t, off, falls)
	rises, rate := works(func(j *job) { j.model.LearningRate = 1 })
	require.Less(t, rate, int64(50))
	swaps := func(works []timing.Work) (n int) {
		for _, w := range works {
			if w.Promoted+w.Demoted > 0 {
				n++
			}
		}
		return n
	}
	require.Greater(t, swaps(rises), swaps(off))
}

// TestBugs: the consistency checker, or the system, detects the faults of a broken FAE.
func TestBugs(t *testing.T) {
	row := make([]float32, 4)
	for name, c := range map[string]struct {
		kind consistency.Kind
		// at breaks the system once, after a mini-batch, and reports whether it has.
		at func(t *testing.T, f *fae.System, s train.Step) bool
	}{
		"hot rows are not written back": {consistency.StaleRead, func(_ *testing.T, f *fae.System, s train.Step) bool {
			if f.OnGPUs() {
				f.Forget()
			}
			return f.OnGPUs()
		}},
		"rows that changed on the host are not copied to the GPUs": {consistency.StaleRead, func(_ *testing.T, f *fae.System, s train.Step) bool {
			if s.Work.Demoted > 0 {
				f.Forget()
			}
			return s.Work.Demoted > 0
		}},
		"the old place is read at the end": {consistency.LostUpdate, func(_ *testing.T, f *fae.System, s train.Step) bool {
			if s.MiniBatch == 21 {
				f.Misplace()
			}
			return s.MiniBatch == 21
		}},
		"a slot is lost early": {consistency.WrongRead, func(t *testing.T, f *fae.System, s train.Step) bool {
			if s.Work.Promoted > 0 {
				zeros := make([]float32, f.HotTable(0).Size()/4)
				for g := range 2 {
					require.NoError(t, f.HotTable(g).WriteFloat32s(0, zeros))
				}
			}
			return s.Work.Promoted > 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJob(3, 2)
			f, broken := j.system(t), false
			findings := j.findings(t, f, func(s train.Step) {
				if !broken || name == "hot rows are not written back" {
					broken = c.at(t, f, s) || broken
				}
			})
			require.True(t, broken)
			require.True(t, slices.ContainsFunc(findings, func(x consistency.Finding) bool { return x.Kind == c.kind }), "%v", findings)
		})
	}
	t.Run("GPUs differ", func(t *testing.T) {
		j := newJob(3, 2)
		f := j.system(t)
		_, err := j.train(t, f, train.Unwatched{}, func(s train.Step) {
			if s.Work.Promoted > 0 {
				for slot := range f.HotTable(1).Size() / 16 {
					require.NoError(t, f.HotTable(1).ReadFloat32s(16*slot, row))
					row[2]++
					require.NoError(t, f.HotTable(1).WriteFloat32s(16*slot, row))
				}
			}
		})
		require.ErrorContains(t, err, "of the hot table: GPU 1 has ")
	})
}

// TestFile: the outcome of the static phase is reused by the next training, but only on the same
// inputs.
func TestFile(t *testing.T) {
	j := newJob(6, 1)
	j.opts.File = filepath.Join(t.TempDir(), "x.fae")
	first, err := j.train(t, j.system(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	info, err := os.Stat(j.opts.File)
	require.NoError(t, err)
	second, err := j.train(t, j.system(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	require.Equal(t, first, second, "and so are two trainings")
	again, err := os.Stat(j.opts.File)
	require.NoError(t, err)
	require.Equal(t, info.ModTime(), again.ModTime(), "read, not written")
	j.seed++
	_, err = j.train(t, j.system(t), train.Unwatched{}, nil)
	require.ErrorContains(t, err, "it was made of ")
}

// TestOneKind: all inputs may have the same kind.
func TestOneKind(t *testing.T) {
	for _, c := range []struct {
		budget, small float64
		popular       int
	}{{16 * 5000, 1 << 20, 700}, {0, 0, 0}} {
		j := newJob(2, 2)
		j.opts.BudgetMiB, j.opts.SmallKiB = mib(c.budget), kib(c.small)
		f := j.system(t)
		w := consistency.New(j.initial(t))
		r, err := j.train(t, f, w, nil)
		require.NoError(t, err)
		require.EqualValues(t, c.popular, r.Count(fae.CountPopular))
		require.EqualValues(t, min(1, c.popular), r.Count(fae.CountSwaps))
		findings, err := w.Finish(f)
		require.NoError(t, err)
		require.Empty(t, findings)
	}
}

func TestRefusals(t *testing.T) {
	j := newJob(1, 1)
	_, err := fae.New(j.server(t), j.initial(t), fae.Options{}, 1)
	require.EqualError(t, err, "fae: sample is 0; expected above 0 and at most 1")
	bad := fae.DefaultOptions()
	bad.Test = -1
	_, err = fae.New(j.server(t), j.initial(t), bad, 1)
	require.EqualError(t, err, "fae: test is -1; expected 0 to 1073741824")
	for name, change := range map[string]func(o *fae.Options){
		"sample": func(o *fae.Options) { o.Sample = math.NaN() }, "budget_mib": func(o *fae.Options) { o.BudgetMiB = -1 }, "small_kib": func(o *fae.Options) { o.SmallKiB = -1 },
	} {
		bad := fae.DefaultOptions()
		change(&bad)
		got, err := bad.Check()
		require.Error(t, err)
		require.Equal(t, name, got)
	}
	require.Equal(t, static.Options{Budget: 512 << 20, Sample: 0.05, Small: 1 << 20, Seed: 7}, fae.DefaultOptions().Static(7))

	// 4,530 rows on the GPU, and their states.
	j.opts.BudgetMiB, j.opts.SmallKiB, j.model.Optimiser = 1, 1<<10, dlrm.Adagrad
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.GPUMemoryGiB = 1, 64./(1<<20)
	s, err := server.New(cfg)
	require.NoError(t, err)
	f, err := fae.New(s, j.initial(t), j.opts, j.seed)
	require.NoError(t, err)
	_, err = j.train(t, f, train.Unwatched{}, nil)
	full := &server.OutOfMemory{}
	require.ErrorAs(t, err, &full)
	require.Equal(t, "GPU 0 memory", full.Where)
	require.Equal(t, []server.Part{{What: "hot table", Bytes: 72 << 10}, {What: "optimiser states of hot rows", Bytes: 72 << 10}}, full.Parts[:2])
}

// TestPlaces: hot rows are read where they are newest. While hot mini-batches run, host memory
// holds stale values.
func TestPlaces(t *testing.T) {
	j := newJob(3, 2)
	f := j.system(t)
	old, same := 0, 0
	_, err := j.train(t, f, train.Unwatched{}, func(s train.Step) {
		a, b := make([]float32, 4), make([]float32, 4)
		for table := range j.model.Tables {
			for index := range f.Prepared().Hot.Rows(table) {
				require.NoError(t, f.Row(table, index, a))
				require.NoError(t, f.HostRow(table, index, b))
				switch {
				case dlrm.FirstDiff(a, b) < 0:
					same++
				case timing.Own[fae.Work](s.Work).Cold:
					t.Fatal("a cold mini-batch leaves the newest rows in host memory")
				default:
					old++
				}
			}
		}
	})
	require.NoError(t, err)
	require.Positive(t, old)
	require.Positive(t, same)
}
