package hotline_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/fault"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
)

// surviving is a job that goes on after faults.
func surviving(t testing.TB, gpus int) *job {
	j := newJob(t, 1, gpus)
	defaults := hotline.DefaultOptions()
	j.opts.Retries, j.opts.Driver, j.opts.Relearn = defaults.Retries, defaults.Driver, 4
	return j
}

// disturbed trains under a plan of faults, and expects that no tag is lost and the
// parameters are those of the baseline.
func disturbed(t testing.TB, j *job, base train.System, plan *fault.Plan) ([]fault.Event, train.Result) {
	var x *fault.Injection
	j.opts.Driver.Recovered = func(what string) {
		if x != nil {
			x.Recovered(what)
		}
	}
	s, h := j.hotline(t)
	x = fault.Inject(s, j.endpoint, plan)
	got, err := train.Run(h, j.batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	s.Kernel.After(3*s.Config.Endpoint.CompletionTimeout, func() {})
	require.NoError(t, s.Kernel.Run(nil))
	require.Zero(t, j.endpoint.TagsInUse())
	require.Less(t, s.Kernel.Now(), 20*node.Second)
	_, err = train.Compare(base, h)
	require.NoError(t, err)
	return x.Log(), got
}

func TestMatrix(t *testing.T) {
	base := surviving(t, 2).baseline(t)
	for _, place := range fault.Places() {
		for _, kind := range place.Kinds() {
			t.Run(fmt.Sprintf("%s at %s", kind, place), func(t *testing.T) {
				for _, n := range []int{40, 3, 1} {
					log, _ := disturbed(t, surviving(t, 2), base, &fault.Plan{Rules: []fault.Rule{{Kind: kind, Place: place, Nth: n, Probability: 1, Times: 1}}})
					require.Len(t, log, 1)
					t.Log(n, log[0].Outcome)
				}
			})
		}
	}
}
