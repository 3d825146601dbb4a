package elrec_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// kinds returns trainings that vary optimiser, model, queues, places and GPUs.
func kinds(t testing.TB) map[string]*job {
	tbsm := newJobOf(t, 2, dlrm.Config{
		Kind: dlrm.TBSM, Steps: 3, Dense: 1, Dim: 4, Bottom: []int{1, 4}, Top: []int{5, 3}, Attention: []int{4, 2}, Head: []int{4, 1}, LearningRate: 0.05,
		Optimiser: dlrm.Adagrad, Tables: []dlrm.Table{{Name: "users", Rows: 1500, Lookups: 1}, {Name: "items", Rows: 400, Lookups: 1}},
	})
	all := map[string]*job{"TBSM, 2 GPUs": tbsm}
	for gpus := 1; gpus <= 4; gpus++ {
		j := newJob(t, gpus)
		j.opts.Host = gpus%2 == 0
		j.opts.Queue = gpus
		if gpus > 2 {
			j.Model.Optimiser, j.Model.LearningRate = dlrm.Adagrad, 0.05
		}
		all[fmt.Sprint(gpus, " GPUs")] = j
	}
	return all
}

// TestTrainsAsTheRuleSays: parameters and predictions equal sequential training of the same cores.
func TestTrainsAsTheRuleSays(t *testing.T) {
	for name, j := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			s := j.elrec(t)
			_, probs := j.run(t, s, train.Unwatched{})
			u := newReference(t, j, false, s.Number)
			require.Equal(t, u.run(t), probs)
			requireTrue(t, u, s)

			naive := j.ttrec(t)
			_, probs = j.run(t, naive, train.Unwatched{})
			u = newReference(t, j, true, naive.Number)
			require.Equal(t, u.run(t), probs)
			requireTrue(t, u, naive)
		})
	}
}

// TestSameBits: results do not depend on the number of GPUs, the queues, or the place of plain
// tables.
func TestSameBits(t *testing.T) {
	base := newJob(t, 1)
	want := base.elrec(t)
	_, wantProbs := base.run(t, want, train.Unwatched{})
	for _, gpus := range []int{1, 2, 3, 4, 8} {
		for _, queue := range []int{1, 2, 5} {
			j := newJob(t, gpus)
			j.opts.Queue, j.opts.Host = queue, queue > 1 || gpus%2 == 0
			got := j.elrec(t)
			_, probs := j.run(t, got, train.Unwatched{})
			require.Equal(t, wantProbs, probs)
			requireSame(t, want, got)
		}
	}
}

// distinct returns the inputs without repeated rows, mini-batch by mini-batch.
func distinct(j *job) {
	for i := range j.Inputs {
		for k := range j.Inputs[i].Sparse {
			j.Inputs[i].Sparse[k] = 0
		}
		at := 0
		for _, table := range j.Model.Tables {
			for l := range table.Lookups {
				j.Inputs[i].Sparse[at] = uint32((i%j.Batch*table.Lookups+l)*7) % uint32(table.Rows)
				at++
			}
		}
	}
}

// TestTTRecAndELRec: TT-Rec is bit-identical to EL-Rec if no mini-batch reads a row twice, and
// close otherwise.
func TestTTRecAndELRec(t *testing.T) {
	for _, repeats := range []bool{false, true} {
		j := newJob(t, 2)
		j.opts.Groups = 0
		if repeats {
			j.Model.LearningRate = 2 // for steps as large as parameters
		} else {
			distinct(j)
		}
		a, b := j.elrec(t), j.ttrec(t)
		_, probs := j.run(t, a, train.Unwatched{})
		_, others := j.run(t, b, train.Unwatched{})
		_, err := train.Compare(a, b)
		if !repeats {
			require.NoError(t, err)
			require.Equal(t, probs, others)
			continue
		}
		require.Error(t, err, "the product of a sum is no sum of products")
		require.InDeltaSlice(t, probs, others, 1e-3)
		require.Equal(t, probs[:j.Batch], others[:j.Batch], "the way forward is the same")
	}
}

// TestPlain: without tables in tensor-train form the system is sequential training without
// findings, for any queue length.
func TestPlain(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		for _, optimiser := range []dlrm.Optimiser{dlrm.SGD, dlrm.Adagrad} {
			for _, queue := range []int{1, 2, 8} {
				j := newJob(t, gpus)
				j.Model.Optimiser, j.opts.Host, j.opts.Queue, j.opts.Threshold = optimiser, true, queue, 1<<20
				s := j.elrec(t)
				require.NoError(t, s.Unsaved())
				w := consistency.New(j.Initial(t))
				r, _ := j.run(t, s, w)
				findings, err := w.Finish(s)
				require.NoError(t, err)
				require.Empty(t, findings)
				h := hybrid.New(j.Server(t), j.Initial(t))
				want, _ := j.run(t, h, train.Unwatched{})
				_, err = train.Compare(h, s)
				require.NoError(t, err)
				require.Equal(t, want.AUC, r.AUC)
				require.Equal(t, queue == 1, r.Count(elrec.CountCached) == 0)
				require.Equal(t, r.Count(elrec.CountFetched), r.Count(elrec.CountWritten))
			}
		}
	}
}

// TestWatchOfCores: with tables in tensor-train form there are no findings against sequential
// training of the same cores. A slice changed without notice is found.
func TestWatchOfCores(t *testing.T) {
	for gpus := 1; gpus <= 3; gpus++ {
		for _, optimiser := range []dlrm.Optimiser{dlrm.SGD, dlrm.Adagrad} {
			for _, make := range []func(*job, testing.TB) *elrec.System{(*job).elrec, (*job).ttrec} {
				j := newJob(t, gpus)
				j.Model.Optimiser, j.opts.Host = optimiser, true
				s := make(j, t)
				require.Error(t, s.Unsaved())
				w := consistency.Against(j.Model, consistency.NewFormed(j.Initial(t), s.Rule()))
				j.run(t, s, w)
				findings, err := w.Finish(s)
				require.NoError(t, err)
				require.Empty(t, findings)
				require.NotZero(t, w.Summary().Staleness.Reads)
			}
		}
	}
	j := newJob(t, 1)
	s := j.elrec(t)
	w := consistency.Against(j.Model, consistency.NewFormed(j.Initial(t), s.Rule()))
	_, err := train.Run(s, j.Batches(t), w, func(step train.Step) error {
		if step.MiniBatch == 1 {
			for table := range j.Model.Tables {
				if s.Rule().Has(table) {
					require.NoError(t, s.SpoilSlice(table))
				}
			}
		}
		return nil
	})
	require.NoError(t, err)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	require.Equal(t, consistency.WrongRead, findings[0].Kind)
	require.Equal(t, consistency.LostUpdate, findings[len(findings)-1].Kind)
}

// TestEarlyEviction: a row that leaves the cache too early is read stale.
func TestEarlyEviction(t *testing.T) {
	for _, queue := range []int{2, 3} {
		requireFound(t, queue, consistency.StaleRead, func(s *elrec.System) { s.ShortenLife() }, nil)
	}
}

// TestForgottenSteps: steps that never reach host memory are lost updates.
func TestForgottenSteps(t *testing.T) {
	requireFound(t, 2, consistency.LostUpdate, nil, func(m int, s *elrec.System) {
		if m == 3 {
			s.ForgetSteps()
		}
	})
}

// TestStepOfAnOldRow: a step applied to a stale row of host memory is found.
func TestStepOfAnOldRow(t *testing.T) {
	spoiled := false
	requireFound(t, 3, consistency.StaleRead, nil, func(m int, s *elrec.System) {
		if m >= 2 && !spoiled {
			var err error
			spoiled, err = s.SpoilCache()
			require.NoError(t, err)
		}
	})
	require.True(t, spoiled)
}

func requireFound(t *testing.T, queue int, kind consistency.Kind, before func(*elrec.System), after func(m int, s *elrec.System)) {
	j := newJob(t, 2)
	j.opts.Host, j.opts.Queue, j.opts.Threshold = true, queue, 1<<20
	s, w := j.elrec(t), consistency.New(j.Initial(t))
	if before != nil {
		before(s)
	}
	_, err := train.Run(s, j.Batches(t), w, func(step train.Step) error {
		if after != nil {
			after(step.MiniBatch, s)
		}
		return nil
	})
	require.NoError(t, err)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	found := map[consistency.Kind]bool{}
	for _, f := range findings {
		found[f.Kind] = true
	}
	require.True(t, found[kind], "%v", findings)
}

// TestReplicasAreCompared: replicas of cores are compared at the end.
func TestReplicasAreCompared(t *testing.T) {
	j := newJob(t, 3)
	s := j.elrec(t)
	_, err := train.Run(s, j.Batches(t), train.Unwatched{}, func(step train.Step) error {
		if step.MiniBatch == 8 {
			require.NoError(t, s.SpoilSlice(1))
		}
		return nil
	})
	require.ErrorContains(t, err, "replicas of slice 0 of core 0 of table 1 on GPU 0 and GPU 2 differ: value 0 is ")
}

// counted returns the counts of a run by an independent small model: sets of strings.
func counted(j *job, naive bool, number func(int, uint32) uint32) map[string]int64 {
	c := map[string]int64{}
	for from := 0; from < len(j.Inputs); from += j.Batch {
		seen := map[string]bool{}
		note := func(label, name string) {
			if !seen[label+name] {
				seen[label+name] = true
				c[label]++
			}
		}
		for i, in := range j.Inputs[from:min(from+j.Batch, len(j.Inputs))] {
			sparse := in.Sparse
			for _, bag := range j.Model.Bags() {
				for k, index := range sparse[:bag.Lookups] {
					gpu, lookup := i%j.GPUs, ""
					if naive {
						lookup = fmt.Sprint(i, bag.Table, k, len(sparse))
					}
					switch rows := j.Model.Tables[bag.Table].Rows; {
					case rows <= j.opts.Threshold && j.opts.Host && !naive:
						note(elrec.CountFetched, fmt.Sprint(bag.Table, index))
					case rows > j.opts.Threshold:
						n := number(bag.Table, index)
						c[elrec.CountLookups]++
						note(elrec.CountPrefixes, fmt.Sprint(lookup, gpu, bag.Table, "/", n/thirds[rows]))
						note(elrec.CountRows, fmt.Sprint(lookup, gpu, bag.Table, "/", n))
						note(elrec.CountBackward, fmt.Sprint(lookup, bag.Table, "/", n))
					}
				}
				sparse = sparse[bag.Lookups:]
			}
		}
	}
	return c
}

// thirds are the rows of the third core: 10 x 10 x 20 and 10 x 20 x 25.
var thirds = map[int]uint32{2000: 20, 5000: 25}

// TestCounts: each product is counted once. With reuse there are fewer products than lookups, and
// with reordering fewer still.
func TestCounts(t *testing.T) {
	prefixes := map[int]int64{}
	for _, groups := range []int{0, 1} {
		j := newJob(t, 3)
		j.opts.Host, j.opts.Groups = true, groups
		for _, naive := range []bool{false, true} {
			s := j.elrec(t)
			if naive {
				s = j.ttrec(t)
			}
			r, _ := j.run(t, s, train.Unwatched{})
			for label, n := range counted(j, naive, s.Number) {
				require.Equal(t, n, r.Count(label), label)
			}
			if naive {
				require.Equal(t, r.Count(elrec.CountLookups), r.Count(elrec.CountPrefixes))
				continue
			}
			require.Less(t, r.Count(elrec.CountPrefixes), r.Count(elrec.CountRows))
			require.Less(t, r.Count(elrec.CountRows), r.Count(elrec.CountLookups))
			require.Less(t, r.Count(elrec.CountBackward), r.Count(elrec.CountRows))
			prefixes[groups] = r.Count(elrec.CountPrefixes)
		}
	}
	require.Less(t, prefixes[1], prefixes[0])
}

// Cached rows, by hand: with queues of 2, a mini-batch is fetched without the steps of
// the two before it, which the cache has.
func TestCachedRows(t *testing.T) {
	model := dlrm.Config{Dense: 1, Dim: 2, Bottom: []int{1, 2}, Top: []int{1}, LearningRate: 0.1, Tables: []dlrm.Table{{Name: "a", Rows: 90, Lookups: 1}}}
	j := newJobOf(t, 1, model)
	j.Batch, j.opts.Host, j.Inputs = 1, true, j.Inputs[:9]
	for i, index := range []uint32{1, 2, 1, 3, 1, 4, 5, 1, 6} {
		j.Inputs[i].Sparse[0] = index
	}
	var cached []int
	r, err := train.Run(j.elrec(t), j.Batches(t), train.Unwatched{}, func(s train.Step) error {
		cached = append(cached, timing.Own[elrec.Work](s.Work).Recent)
		return nil
	})
	require.NoError(t, err)
	// Mini-batch 4 is fetched when 2 has ended and the steps of 1, but not of 2, are applied. For
	// 7, the steps of 4 are applied, and row 1 has left the cache after 6.
	require.Equal(t, []int{0, 0, 1, 0, 1, 0, 0, 0, 0}, cached)
	require.EqualValues(t, 9, r.Count(elrec.CountWritten))
	require.EqualValues(t, 3, r.Count(elrec.CountMost))
}

// TestValueless: without values, counts and work are equal, and they repeat.
func TestValueless(t *testing.T) {
	for name, j := range kinds(t) {
		for _, naive := range []bool{false, true} {
			system := func() train.System {
				if naive {
					return j.ttrec(t)
				}
				return j.elrec(t)
			}
			want, _ := j.run(t, system(), train.Unwatched{})
			again, _ := j.run(t, system(), train.Unwatched{})
			require.Equal(t, want, again, name)
			j.Valueless = true
			got, _ := j.run(t, system(), train.Unwatched{})
			j.Valueless = false
			got.Loss, got.AUC = want.Loss, want.AUC
			require.Equal(t, want, got, name)
		}
	}
}

// TestMemory: a table that exceeds the memory of a GPU fits in tensor-train form.
func TestMemory(t *testing.T) {
	j := newJob(t, 1)
	j.Model.Tables[1].Rows = 1<<31 - 1
	j.opts.Threshold, j.opts.Rank = 1<<31-1, 16
	full := &server.OutOfMemory{}
	require.ErrorAs(t, j.elrec(t).Train(j.Batches(t), train.Unwatched{}, nil), &full)
	require.Equal(t, "GPU 0 memory", full.Where)
	require.Equal(t, "embedding tables", full.Parts[0].What)
	j.opts.Threshold = 1 << 30
	j.run(t, j.elrec(t), train.Unwatched{})
	j.run(t, j.ttrec(t), train.Unwatched{})

	// Adagrad with 16 bytes of memory: the error lists all parts.
	j = newJob(t, 2)
	j.Model.Optimiser, j.opts.Host = dlrm.Adagrad, true
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.GPUMemoryGiB = 2, 1./(1<<20)
	s, err := server.New(cfg)
	require.NoError(t, err)
	e, err := elrec.New(s, j.Initial(t), j.opts)
	require.NoError(t, err)
	require.ErrorAs(t, e.Train(j.Batches(t), train.Unwatched{}, nil), &full)
	parts := map[string]uint64{}
	for _, p := range full.Parts {
		parts[p.What] = p.Bytes
	}
	// Shapes 10 x 10 x 20 and 10 x 20 x 25 with rows of 1 x 2 x 2: slices of 3, 18 and
	// 6 values are 330 and 540 in all; each core is in whole pages.
	require.Equal(t, map[string]uint64{
		"TT cores": 6 << 12, "optimiser states of TT cores": 2 << 12, "gradients of TT cores": 1 << 12,
		// 60 and 20 lookups of the GPU's 20 inputs, 6 values each.
		"products of TT slices": 1 << 12,
		// 40 inputs with 5 lookups of 4 values in 2 places of a queue; rows of 4
		// mini-batches.
		"prefetch queue": 2 << 12, "embedding cache": 4 << 12,
		"dense parameters": 1 << 12, "dense gradients": 1 << 12, "optimiser states of dense parameters": 1 << 12, "activations and their gradients": 3 << 12,
	}, parts)
}

func TestRefusals(t *testing.T) {
	j := newJob(t, 1)
	for _, c := range []struct {
		change func(*elrec.Options)
		want   string
	}{
		{func(o *elrec.Options) { o.Threshold = -1 }, "elrec: threshold is -1; expected 0 to 2147483647"},
		{func(o *elrec.Options) { o.Rank = 0 }, "elrec: rank is 0; expected 1 to 1024"},
		{func(o *elrec.Options) { o.Queue = 65 }, "elrec: queue is 65; expected 1 to 64"},
		{func(o *elrec.Options) { o.Groups = -1 }, "elrec: reorder_groups is -1; expected 0 to 2147483647"},
		{func(o *elrec.Options) { o.Hot = 2 }, "elrec: hot_ratio is 2; expected 0 to 1"},
	} {
		o := j.opts
		c.change(&o)
		_, err := elrec.New(j.Server(t), j.Initial(t), o)
		require.EqualError(t, err, c.want)
	}
	_, err := elrec.DefaultOptions().Check()
	require.NoError(t, err)

	// A state has no cores, so a training can neither start from one nor be saved.
	s := j.elrec(t)
	require.EqualError(t, s.Unsaved(), `table 1 ("b") is in tensor-train form: its parameters are not rows`)
	_, err = j.Initial(t).After(s)
	require.EqualError(t, err, `train: the parameters of EL-Rec cannot be saved: table 1 ("b") is in tensor-train form: its parameters are not rows`)
	plain := hybrid.New(j.Server(t), j.Initial(t))
	j.run(t, plain, train.Unwatched{})
	state, err := j.Initial(t).After(plain)
	require.NoError(t, err)
	_, err = elrec.New(j.Server(t), state, j.opts)
	require.EqualError(t, err, `elrec: table 1 ("b") shall be in tensor-train form, but the checkpoint holds its rows: start a new training, or use a threshold of at least 2000`)
}

// TestGoesOn: without cores, a training resumes where another system has stopped.
func TestGoesOn(t *testing.T) {
	j := newJob(t, 2)
	j.opts.Threshold, j.opts.Host, j.Model.Optimiser = 1<<20, true, dlrm.Adagrad
	half, enough := hybrid.New(j.Server(t), j.Initial(t)), errors.New("enough")
	_, err := train.Run(half, j.Batches(t), train.Unwatched{}, func(s train.Step) error {
		if s.MiniBatch == 3 {
			return enough
		}
		return nil
	})
	require.ErrorIs(t, err, enough)
	state, err := j.Initial(t).After(half)
	require.NoError(t, err)
	e, err := elrec.New(j.Server(t), state, j.opts)
	require.NoError(t, err)
	_, err = train.Run(e, j.Batches(t).From(4), train.Unwatched{}, nil)
	require.NoError(t, err)
	whole := hybrid.New(j.Server(t), j.Initial(t))
	j.run(t, whole, train.Unwatched{})
	_, err = train.Compare(whole, e)
	require.NoError(t, err)
}

// TestBadGradientEndsTheRun: bad gradients end the run with an error that names their parameter.
func TestBadGradientEndsTheRun(t *testing.T) {
	j := newJob(t, 2)
	j.Model.LearningRate = 1e30
	_, err := train.Run(j.elrec(t), j.Batches(t), train.Unwatched{}, nil)
	require.ErrorContains(t, err, "EL-Rec, mini-batch ")
	require.ErrorContains(t, err, "gradient of ")
	require.NotErrorIs(t, err, io.EOF)
}

// TestSeededBugsOfTTRec: gradients that a GPU drops are found, in the middle and at the end.
func TestSeededBugsOfTTRec(t *testing.T) {
	for kind, last := range map[consistency.Kind]int{consistency.StaleRead: 4, consistency.LostUpdate: 8} {
		j := newJob(t, 2)
		j.opts.Threshold = 1 << 20
		s, w := j.ttrec(t), consistency.New(j.Initial(t))
		old := map[uint32][]float32{}
		_, err := train.Run(s, j.Batches(t), w, func(step train.Step) error {
			for index := range uint32(j.Model.Tables[2].Rows) {
				switch step.MiniBatch {
				case last - 1:
					old[index] = make([]float32, j.Model.Dim)
					require.NoError(t, s.Row(2, index, old[index]))
				case last:
					for _, gpu := range s.Plain() {
						require.NoError(t, gpu.Write(2, index, old[index]))
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
		findings, err := w.Finish(s)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(findings, func(f consistency.Finding) bool { return f.Kind == kind }), "%v: %v", kind, findings)
	}
}
