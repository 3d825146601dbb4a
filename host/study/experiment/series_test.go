package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
)

// TestSeries: the sums over the mini-batches are consistent with the totals of the run.
func TestSeries(t *testing.T) {
	r := run(t, newJob(t, nil))
	base, hot := system(t, r, "hybrid"), system(t, r, "hotline")
	require.Len(t, base.Series, 5)
	require.Len(t, hot.Series, 5)
	inputs, popular, loss := 0, 0, 0.0
	for i, m := range hot.Series {
		inputs += m.Inputs
		popular += *m.Popular
		loss += float64(*m.Loss) * float64(m.Inputs)
		require.Nil(t, base.Series[i].Popular)
		require.Equal(t, m.Loss, base.Series[i].Loss, "the models are the same")
	}
	require.Equal(t, r.Inputs, inputs)
	require.InEpsilon(t, r.Accelerator.PopularShare, float64(popular)/float64(inputs), 1e-9)
	require.InEpsilon(t, *hot.Loss, loss/float64(inputs), 1e-9)
	for _, s := range r.Systems {
		sum := des.Time(0)
		for _, m := range s.Series {
			require.Positive(t, m.Time)
			sum += m.Time
			require.Equal(t, sum, m.End)
		}
		require.LessOrEqual(t, sum, s.Time, "but for what is behind the last mini-batch")
		require.InEpsilon(t, s.Time.Seconds(), sum.Seconds(), 0.01)
	}
	require.Empty(t, base.Counts)
	counts := map[string]int64{}
	for _, c := range hot.Counts {
		counts[c.Label] = c.N
	}
	require.Equal(t, int64(popular), counts["popular inputs"])
	require.Positive(t, counts["rows moved to GPUs"])
	require.Positive(t, counts["rows moved to host"])
}
