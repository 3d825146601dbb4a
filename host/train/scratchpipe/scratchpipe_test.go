package scratchpipe_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
)

// TestSequential: sequential variants are bit-identical to the baseline without findings, on any
// number of GPUs, with any optimiser, model, policy and window.
func TestSequential(t *testing.T) {
	for _, c := range []struct {
		name   string
		gpus   int
		change func(j *job)
	}{
		{"1 GPU", 1, nil},
		{"2 GPUs", 2, func(j *job) { j.Model.Optimiser = dlrm.Adagrad }},
		{"3 GPUs", 3, func(j *job) { j.opts.Policy = scratchpipe.LFU }},
		{"4 GPUs", 4, func(j *job) { j.opts.Policy = scratchpipe.Random }},
		{"8 GPUs", 8, func(j *job) { j.opts.Share = 0.5 }},
		{"TBSM", 2, func(j *job) { j.tbsm(t); j.Model.Optimiser = dlrm.Adagrad }},
		{"wide window", 1, func(j *job) { j.opts.Past, j.opts.Future = 5, 8 }},
		{"two mini-batches", 1, func(j *job) { j.Inputs = j.Inputs[:7] }},
		{"part of a mini-batch", 1, func(j *job) { j.Inputs = j.Inputs[:3] }},
	} {
		j := newJob(t, 3, c.gpus)
		if c.change != nil {
			c.change(j)
		}
		base := j.Baseline(t)
		for _, kind := range []string{"pipelined", "straw-man"} {
			t.Run(c.name+", "+kind, func(t *testing.T) {
				s := j.make(t, constructors[kind])
				got, findings := j.Watched(t, s, nil)
				require.Empty(t, findings)
				require.Equal(t, j.Want.Loss, got.Loss)
				require.Equal(t, j.Want.AUC, got.AUC)
				_, err := train.Compare(base, s)
				require.NoError(t, err)
				if len(j.Inputs) > 100 {
					require.Greater(t, got.Count(scratchpipe.CountLeaves), int64(20), "rows that come back are what is to be tested")
				}
			})
		}
	}
}

// TestIdealIsApproximate: NewIdeal trains on stale rows, which is reported, but never on another
// row.
func TestIdealIsApproximate(t *testing.T) {
	j := newJob(t, 3, 2)
	s := j.make(t, scratchpipe.NewIdeal)
	_, findings := j.Watched(t, s, nil)
	kinds := kindsOf(findings)
	require.Positive(t, kinds["stale read"])
	require.Positive(t, kinds["lost update"])
	require.Zero(t, kinds["two places"])
	base := j.Baseline(t)
	_, err := train.Compare(base, s)
	require.Error(t, err)
}

// TestRowsAtRest: between two mini-batches, with four more in flight, every row equals the
// baseline's, wherever it is. The training can resume from it on any system.
func TestRowsAtRest(t *testing.T) {
	j := newJob(t, 3, 2)
	j.Model.Optimiser = dlrm.Adagrad
	from, base := j.Initial(t), map[int]*train.State{}
	states := func(s train.System, check func(m int, at *train.State)) {
		_, err := train.Run(s, j.Batches(t), train.Unwatched{}, func(step train.Step) error {
			at, err := from.After(s)
			require.NoError(t, err)
			check(step.MiniBatch, at)
			return nil
		})
		require.NoError(t, err)
	}
	states(hybrid.New(j.Server(t), j.Initial(t)), func(m int, at *train.State) { base[m] = at })
	states(j.make(t, scratchpipe.New), func(m int, at *train.State) { require.Equal(t, base[m].Tables, at.Tables, "mini-batch %d", m) })

	s, err := scratchpipe.New(j.Server(t), base[10], j.opts)
	require.NoError(t, err)
	_, err = train.Run(s, j.Batches(t).From(11), train.Unwatched{}, nil)
	require.NoError(t, err)
	end, err := base[10].After(s)
	require.NoError(t, err)
	require.Equal(t, base[len(base)-1].Tables, end.Tables)
}

// counting is a source that counts how often it is opened.
type counting struct {
	data.Source
	opened int
}

// Open implements data.Source.
func (c *counting) Open(at int64) (data.Reader, error) {
	c.opened++
	return c.Source.Open(at)
}

// TestClicksAreReadOnce: for any window, the click log is read once, and a mini-batch is still
// available after training.
func TestClicksAreReadOnce(t *testing.T) {
	j := newJob(t, 3, 1)
	j.opts.Past, j.opts.Future = scratchpipe.MostWindow, scratchpipe.MostWindow
	source := &counting{Source: j.Batches(t).Source()}
	b, err := train.NewBatches(j.Model, source, j.Batch, 0)
	require.NoError(t, err)
	_, err = train.Run(j.make(t, scratchpipe.New), b, train.Unwatched{}, func(step train.Step) error {
		batch, err := b.At(step.MiniBatch)
		require.NoError(t, err)
		require.Equal(t, batch.Labels, step.Labels)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 1, source.opened)
}

// TestDeterministic: results repeat, also without values.
func TestDeterministic(t *testing.T) {
	for kind, c := range constructors {
		for _, policy := range scratchpipe.Policies() {
			outcome := func(valueless bool) train.Result {
				j := newJob(t, 3, 3)
				j.opts.Policy, j.Valueless = policy, valueless
				r, err := train.Run(j.make(t, c), j.Batches(t), train.Unwatched{}, nil)
				require.NoError(t, err)
				return r
			}
			with := outcome(false)
			require.Equal(t, with, outcome(false), "%s, %s", kind, policy)
			without := outcome(true)
			require.Nil(t, without.AUC)
			with.Loss, with.AUC = 0, nil
			require.Equal(t, with, without, "%s, %s", kind, policy)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(o *scratchpipe.Options){
		"share is 1.5; expected 0 to 1":               func(o *scratchpipe.Options) { o.Share = 1.5 },
		`policy is "fifo"; expected lru, lfu, random`: func(o *scratchpipe.Options) { o.Policy = "fifo" },
		"past is 2; expected 3 to 8":                  func(o *scratchpipe.Options) { o.Past = 2 },
		"future is 1; expected 2 to 8":                func(o *scratchpipe.Options) { o.Future = 1 },
		"future is 9; expected 2 to 8":                func(o *scratchpipe.Options) { o.Future = 9 },
	} {
		j := newJob(t, 3, 1)
		change(&j.opts)
		for kind, c := range constructors {
			_, err := c(j.Server(t), j.Initial(t), j.opts)
			require.EqualError(t, err, want, kind)
		}
	}
}

// TestErrorsAhead: an error in a mini-batch that is only looked at ends the run.
func TestErrorsAhead(t *testing.T) {
	j := newJob(t, 3, 1)
	j.Inputs[4*7].Sparse = append([]uint32{90}, j.Inputs[4*7].Sparse[1:]...)
	_, err := train.Run(j.make(t, scratchpipe.New), j.Batches(t), train.Unwatched{}, nil)
	require.EqualError(t, err, fmt.Sprintf("ScratchPipe, mini-batch 1: train: input 28 of test: %s", j.Model.Check(j.Inputs[28])))
}
