package data

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/rec"
)

// published is, for C1 to C26, the share of accesses (percent) that the hottest 2% and 10% of the observed rows get in 8,000 rows
// of the Criteo Kaggle log.
var published = [26][2]float64{
	{75.6, 94.0}, {36.7, 69.3}, {34.5, 47.6}, {41.4, 57.0}, {66.8, 94.0}, {45.7, 45.7}, {22.1, 46.1}, {75.9, 94.4}, {88.7, 88.7},
	{42.9, 59.1}, {24.6, 50.8}, {36.0, 49.3}, {25.8, 52.5}, {36.1, 70.6}, {25.8, 55.6}, {37.9, 52.8}, {43.0, 43.0}, {33.8, 65.8},
	{84.2, 90.6}, {45.3, 45.3}, {37.1, 51.0}, {81.7, 81.7}, {44.7, 44.7}, {54.0, 68.9}, {45.3, 80.1}, {66.2, 76.5},
}

func generate(t *testing.T, p Params, n int) *Set {
	set, err := Generate(p, n)
	require.NoError(t, err)
	return set
}

func TestCriteoLikeHasPublishedSkew(t *testing.T) {
	set := generate(t, CriteoLike(5), 8000)
	two, ten := set.TopShare(0.02), set.TopShare(0.1)
	sum := 0.0
	for i, want := range published {
		d2, d10 := 100*two[i]-want[0], 100*ten[i]-want[1]
		require.InDelta(t, 0, d2, 13, "%s, hottest 2%%", set.Tables[i].Name)
		require.InDelta(t, 0, d10, 13, "%s, hottest 10%%", set.Tables[i].Name)
		sum += d2*d2 + d10*d10
	}
	require.Less(t, math.Sqrt(sum/52), 6.0, "root mean square difference")
}

// TestCriteoLikeHasPublishedPopularity compares with the same 8,000 rows of the log, where the hottest 10, 20 and 50% of the rows
// serve 9.4, 20.2 and 50.9% of the inputs. The generator is fitted at 20%; its curve is flatter (about 14, 20 and 37%).
func TestCriteoLikeHasPublishedPopularity(t *testing.T) {
	set := generate(t, CriteoLike(1), 8000)
	popular, independent := set.PopularShare(0.2)
	require.InDelta(t, 0.202, popular, 0.03)
	require.Less(t, independent, 0.01, "independent tables would hardly have popular inputs")
	p10, _ := set.PopularShare(0.1)
	p50, _ := set.PopularShare(0.5)
	require.InDelta(t, 0.094, p10, 0.07)
	require.InDelta(t, 0.509, p50, 0.16)

	p := CriteoLike(1)
	p.Rho = 0
	alone, _ := generate(t, p, 8000).PopularShare(0.2)
	require.Less(t, alone, popular/10, "without contexts, the share must be that of independent tables")
}

func TestCriteoLikeFits(t *testing.T) {
	set := generate(t, CriteoLike(2), 4000)
	rows, clicks := 0, float32(0)
	for _, table := range set.Tables {
		rows += table.Rows
	}
	require.Equal(t, 207398, rows)
	cfg := rec.Config{Dense: set.Dense, Tables: set.Tables}
	for _, s := range set.Samples {
		require.NoError(t, cfg.Check(s))
		clicks += s.Label
	}
	require.InDelta(t, 0.25, clicks/4000, 0.05)
}

func TestInputsDependOnTheirNumberAlone(t *testing.T) {
	p := CriteoLike(3)
	set := generate(t, p, 50)
	g, err := NewGenerator(p)
	require.NoError(t, err)
	require.Equal(t, set.Samples[37], g.At(37))
	require.Equal(t, set.Samples[0], g.Next())
	require.Equal(t, set.Samples[1], g.Next())
	p.Seed++
	other := generate(t, p, 50)
	require.NotEqual(t, set.Samples[0], other.Samples[0])
}

func TestLookupsPerTable(t *testing.T) {
	p := CriteoLike(1)
	p.Tables = p.Tables[:3]
	p.Tables[1].Lookups = 5
	set := generate(t, p, 20)
	cfg := rec.Config{Dense: set.Dense, Tables: set.Tables}
	for _, s := range set.Samples {
		require.Len(t, s.Sparse, 7)
		require.NoError(t, cfg.Check(s))
	}
}

func TestDriftMovesTheHotRows(t *testing.T) {
	const day = 4000
	p := CriteoLike(4)
	p.Day = day
	// served is the share of day 3's lookups that go to the rows that were hottest (top 5%) on day 0.
	served := func(drift float64) float64 {
		p.Drift = drift
		first, last := generate(t, p, 4*day), generate(t, p, 4*day)
		first.Samples, last.Samples = first.Samples[:day], last.Samples[3*day:]
		rows := hottest(first.accesses())
		hot := map[rowID]bool{}
		for _, id := range rows[:len(rows)/20] {
			hot[id] = true
		}
		hits, total := 0, 0
		for id, n := range last.accesses() {
			if hot[id] {
				hits += n
			}
			total += n
		}
		return float64(hits) / float64(total)
	}
	still, slow, fast := served(0), served(0.1), served(1)
	require.Greater(t, still, slow+0.01)
	require.Greater(t, slow, fast+0.01)
}

func TestDriftReplacesTheGivenShare(t *testing.T) {
	p := CriteoLike(4)
	p.Day, p.Drift = 1, 0.3
	g, err := NewGenerator(p)
	require.NoError(t, err)
	changed := 0
	for c := range uint32(2000) {
		if g.listed(c, 3, 1, 5) != g.listed(c, 3, 1, 6) {
			changed++
		}
	}
	require.InDelta(t, 600, changed, 80)
}

func TestParamsValidate(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Params)
		want  string
	}{
		{func(p *Params) { p.Dense = 0 }, "generator: 0 dense features, expected at least 1"},
		{func(p *Params) { p.Tables = nil }, "generator: no tables, expected at least 1"},
		{func(p *Params) { p.Tables[1].Rows = 0 }, `generator: table 1 ("C2") has 0 rows, expected 1 to 2^32`},
		{func(p *Params) { p.Tables[2].Lookups = 0 }, `generator: table 2 ("C3") has 0 lookups per input, expected at least 1`},
		{func(p *Params) { p.Tables[2].Zipf = -1 }, `generator: table 2 ("C3") has Zipf exponent -1, expected 0 to 20`},
		{func(p *Params) { p.Contexts = 0 }, "generator: 0 contexts with lists of 4 rows, expected at least 1 of each"},
		{func(p *Params) { p.ContextZipf = math.NaN() }, "generator: contexts have Zipf exponent NaN, expected 0 to 20"},
		{func(p *Params) { p.Rho = 1.5 }, "generator: rho is 1.5, expected 0 to 1"},
		{func(p *Params) { p.Signal = -1 }, "generator: signal is -1 and bias -1.75, expected finite numbers, the signal not negative"},
		{func(p *Params) { p.Bias = math.Inf(1) }, "generator: signal is 2 and bias +Inf, expected finite numbers, the signal not negative"},
		{func(p *Params) { p.Day = -1 }, "generator: a day of -1 inputs, expected 0 or more"},
		{func(p *Params) { p.Drift = 2 }, "generator: drift is 2, expected 0 to 1"},
	} {
		p := CriteoLike(1)
		c.spoil(&p)
		require.EqualError(t, p.Validate(), c.want)
		_, err := Generate(p, 1)
		require.EqualError(t, err, c.want)
	}
}
