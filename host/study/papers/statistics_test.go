package papers

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// model returns the rows of a model whose finding for each record is f.
func model(f func(r Record) float64) *Reproduction {
	var list []Row
	for _, record := range Records() {
		if record.Measure == "" {
			list = append(list, record.judge(nil))
			continue
		}
		x := Finding{Ours: f(record)}
		if record.Measure == "order" {
			x.Series = slices.Clone(record.Times)
			x.Ours = float64(record.wrong(x.Series))
		} else if _, ok := times[record.Measure]; ok {
			x.Spread = &timing.Spread{Value: x.Ours, Low: x.Ours, High: x.Ours}
		}
		list = append(list, record.judge(&x))
	}
	r := &Reproduction{Rows: withTrends(list)}
	r.Statistics = r.statistics()
	return r
}

// published returns the published number, or a value within the published bounds.
func published(r Record) float64 {
	switch {
	case r.Value != nil:
		return *r.Value
	case r.To < math.MaxFloat64:
		return r.To
	}
	return r.From
}

// TestOracle: for a model that returns the published numbers, all rows hold; with shuffled numbers,
// few do.
func TestOracle(t *testing.T) {
	s := model(published).Statistics
	for _, c := range s.Counts {
		require.Zero(t, c.Differs, c.Class)
		require.Positive(t, c.Holds, c.Class)
	}
	for _, x := range s.Trivial {
		require.Equal(t, x.N, x.Ours, x.Rows)
		require.Less(t, x.Constant, float64(x.N)/3, "a constant holds little of the same rows")
	}
	n, held := 0, 0.
	for _, p := range s.Placebo {
		n, held = n+p.Shuffled, held+p.Holds*float64(p.Shuffled)
	}
	require.Less(t, held/float64(n), 0.2, "shuffled numbers differ")
	for _, c := range s.Coverage {
		require.Equal(t, 1., c.Constants, c.Rows)
	}
}

// TestNoEffect: for a model without effects, the number of rows that hold equals its column. No
// trend holds except the orders, whose numbers are from the paper.
func TestNoEffect(t *testing.T) {
	s := model(func(Record) float64 { return 1 }).Statistics
	require.Equal(t, s.Trivial[0].NoEffect, s.Trivial[0].Ours)
	require.Less(t, s.Trivial[0].Ours, s.Trivial[0].N/5)
	orders := 0
	for _, r := range Records() {
		if r.Measure == "order" {
			orders++
		}
	}
	require.Equal(t, orders, s.Trivial[2].Ours, "except the orders, which are the paper's in this test")
}

// TestConstant: for a model that uses the best constants, at least as many rows hold as the column
// for constants states, but not many more than half.
func TestConstant(t *testing.T) {
	constants := fit(slices.DeleteFunc(model(published).Rows, func(r Row) bool { return r.Class != Timing || r.Ours == nil }))
	r := model(func(r Record) float64 { return constants[Row{Record: r}.kind()] })
	for _, x := range r.Statistics.Trivial[:2] {
		require.GreaterOrEqual(t, float64(x.Ours), x.Constant, "fitted to all rows, not to half of them: %s", x.Rows)
		require.Less(t, float64(x.Ours), 0.6*float64(x.N), x.Rows)
	}
}

// TestShuffledModel: for a model with the numbers of other rows, few rows hold, and few published
// numbers are in its ranges.
func TestShuffledModel(t *testing.T) {
	var values []float64
	for _, r := range Records() {
		if r.Class == Timing && r.Value != nil {
			values = append(values, *r.Value)
		}
	}
	random().Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	i := 0
	r := model(func(r Record) float64 {
		i++
		return values[i%len(values)]
	})
	for _, x := range r.Statistics.Trivial[:2] {
		require.Less(t, x.Ours, x.N/3, x.Rows)
	}
	for _, x := range r.Statistics.Coverage {
		require.Less(t, x.Widened, 0.5, "nor are the numbers in its ranges: %s", x.Rows)
	}
}

// TestStatistics checks properties of our own rows that the header must show.
func TestStatistics(t *testing.T) {
	r := evaluated(t)
	require.InDelta(t, fitError(r.Rows), modelError, 0.005, "the error of the model is fitted to the calibration half")
	half := r.Statistics.Coverage[1]
	require.Greater(t, half.N, 40)
	require.Greater(t, half.Widened, 0.7)
	require.Less(t, half.Widened, 0.9)
	n, held := 0, 0.
	for _, p := range r.Statistics.Placebo {
		n, held = n+p.Shuffled, held+p.Holds*float64(p.Shuffled)
	}
	require.Less(t, held/float64(n), 0.2, "shuffled numbers differ")
	again := r.statistics()
	require.Equal(t, r.Statistics, again, "from a fixed seed")
}

// fitError returns the factor by which ranges must be widened to contain 80 % of the values of the
// calibration half.
func fitError(rows []Row) float64 {
	calibration, _ := halves()
	list := beyond(rows, calibration)
	return list[int(math.Ceil(0.8*float64(len(list))))-1]
}
