package cdlrm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// TestTimesNeedNoValues: times and counts depend only on indices, so they are equal without values.
// They also repeat.
func TestTimesNeedNoValues(t *testing.T) {
	for _, o := range []cdlrm.Options{{Lambda: 1}, {Lambda: 2}, {Lambda: 1, Released: true}} {
		t.Run(fmt.Sprintf("lambda %d, released %v", o.Lambda, o.Released), func(t *testing.T) {
			outcome := func(valueless bool) (train.Result, timing.Run) {
				j := newJob(t, 4, 3)
				j.Valueless = valueless
				j.opts.Lambda, j.opts.Released = o.Lambda, o.Released
				if o.Lambda == 1 {
					j.Model.Optimiser = dlrm.Adagrad
				}
				s := j.system(t)
				r, err := train.Run(s, j.Batches(t), train.Unwatched{}, nil)
				require.NoError(t, err)
				p, err := timing.LoadProfile("hotline-2024-a")
				require.NoError(t, err)
				run, err := timing.Time(s.Order(), timing.Plan{Machine: machine.Default(), Profile: p, Model: j.Model, GPUs: j.GPUs, Nodes: 1}, r.Works)
				require.NoError(t, err)
				return r, run
			}
			r, run := outcome(false)
			again, _ := outcome(false)
			require.Equal(t, r, again)
			without, same := outcome(true)
			require.Equal(t, run, same)
			require.Zero(t, without.Loss)
			require.Nil(t, without.AUC)
			without.Loss, without.AUC = r.Loss, r.AUC
			require.Equal(t, r, without)
		})
	}
}
