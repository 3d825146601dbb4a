package cdlrm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// job is a training with its options.
type job struct {
	systemtest.Job
	opts cdlrm.Options
}

// newJob returns a job whose caches are too small for a window, so that there are evictions and
// victims; table c is cached completely.
func newJob(t testing.TB, seed uint64, gpus int) *job {
	return &job{systemtest.NewJob(t, seed, gpus), cdlrm.Options{Window: 3, Sets: 40, Ways: 4, Lambda: 1}}
}

// system returns the system under test.
func (j *job) system(t testing.TB) *cdlrm.System {
	s, err := cdlrm.New(j.Server(t), j.Initial(t), j.opts)
	require.NoError(t, err)
	return s
}

// kinds returns the number of findings of each kind.
func kinds(findings []consistency.Finding) map[consistency.Kind]int {
	n := map[consistency.Kind]int{}
	for _, f := range findings {
		n[f.Kind]++
	}
	return n
}

// baselineTo returns a hybrid system that has been trained on the first mini-batches.
func (j *job) baselineTo(t testing.TB, batches int) *hybrid.System {
	short := *j
	short.Inputs = j.Inputs[:batches*j.Batch]
	return short.Baseline(t)
}
