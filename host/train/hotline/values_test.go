package hotline_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// outcome is everything that a training reports about its time.
type outcome struct {
	Result train.Result
	Steps  []train.Step
	Run    timing.Run
	Trace  string
}

func outcomeOf(t *testing.T, j *job, s train.System) outcome {
	var o outcome
	var err error
	o.Result, err = train.Run(s, j.Batches(t), train.Unwatched{}, func(step train.Step) error {
		require.Equal(t, j.Valueless, step.Probabilities == nil)
		step.Labels, step.Probabilities, step.Loss = nil, nil, 0
		o.Steps = append(o.Steps, step)
		return nil
	})
	require.NoError(t, err)
	if j.Valueless {
		require.Zero(t, o.Result.Loss)
		require.Nil(t, o.Result.AUC)
	}
	o.Result.Loss, o.Result.AUC = 0, nil
	p, err := timing.LoadProfile("hotline-2024-a")
	require.NoError(t, err)
	plan := timing.Plan{Machine: machine.Default(), Profile: p, Model: j.Model, GPUs: j.GPUs, Nodes: 1}
	run, line, err := timing.Trace(s.Order(), plan, o.Result.Works, func(int) bool { return true })
	require.NoError(t, err)
	var trace bytes.Buffer
	require.NoError(t, line.WriteTrace(&trace))
	o.Run, o.Trace = run, trace.String()
	return o
}

// TestTimesNeedNoValues: time depends only on indices, so all reported times are equal without
// values.
func TestTimesNeedNoValues(t *testing.T) {
	for _, gpus := range []int{1, 3, 4} {
		for _, optimiser := range []dlrm.Optimiser{dlrm.SGD, dlrm.Adagrad} {
			t.Run(fmt.Sprintf("%d GPUs, %v", gpus, optimiser.Rule), func(t *testing.T) {
				outcomes := func(valueless bool) []outcome {
					j := newJob(t, 4, gpus)
					j.Model.Optimiser, j.opts.Relearn, j.Valueless = optimiser, 3, valueless
					_, h := j.hotline(t)
					return []outcome{outcomeOf(t, j, h), outcomeOf(t, j, j.hybrid(t))}
				}
				with := outcomes(false)
				require.Equal(t, with, outcomes(true))
				require.Positive(t, with[0].Result.Works[6].Demoted)
				require.Positive(t, with[0].Result.Works[4].Listed)
				require.Positive(t, timing.Own[hotline.Work](with[0].Result.Works[4]).Update)
			})
		}
	}
}

// TestZerosTakeNoMemory: a training without values allocates no memory for values.
func TestZerosTakeNoMemory(t *testing.T) {
	touched := func(valueless bool) uint64 {
		j := newJob(t, 4, 2)
		j.Model.Dim, j.Model.Bottom = 128, []int{j.Model.Bottom[0], 128} // so that rows need more memory than lists
		j.Valueless = valueless
		s, h := j.hotline(t)
		_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
		return s.Host.Memory().Touched() + s.GPUs[1].Memory.Memory().Touched()
	}
	require.Less(t, 2*touched(true), touched(false))
}
