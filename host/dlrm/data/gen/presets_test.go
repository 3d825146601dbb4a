package gen

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
)

// measure profiles the first inputs.
func measure(t *testing.T, p Params, inputs int64, targets []profile.Target) *profile.Report {
	s, err := New(p, inputs)
	require.NoError(t, err)
	r, err := profile.Run(t.Context(), s, profile.Options{Targets: targets})
	require.NoError(t, err)
	return r
}

func preset(t *testing.T, name string) Preset {
	p, err := Named(name, 1)
	require.NoError(t, err)
	return p
}

// TestPresetsHaveRealSizes checks the total rows, tables, lookups per input, and inputs.
func TestPresetsHaveRealSizes(t *testing.T) {
	want := map[string][4]int64{
		"criteo-like":        {207_398, 26, 26, 1_000_000},
		"kaggle":             {33_762_577, 26, 26, 45_840_617},
		"terabyte":           {266_000_000, 26, 26, 80_000_000},
		"avazu":              {8_930_588, 21, 21, 32_300_000},
		"taobao":             {5_159_457, 3, 63, 10_000_000},
		"syn-m1":             {822_083_572, 102, 127, 80_000_000},
		"syn-m2":             {1_635_778_556, 204, 255, 80_000_000},
		"scratchpipe-random": {80_000_000, 8, 160, 10_000_000},
		"scratchpipe-low":    {80_000_000, 8, 160, 10_000_000},
		"scratchpipe-medium": {80_000_000, 8, 160, 10_000_000},
		"scratchpipe-high":   {80_000_000, 8, 160, 10_000_000},
		"meta-2021":          {1_200_328, 8, 128, 65_536},
	}
	presets := Presets(7)
	require.Len(t, presets, len(want))
	for _, p := range presets {
		require.EqualValues(t, 7, p.Seed)
		s, err := New(p.Params, p.Inputs)
		require.NoError(t, err, p.Name)
		rows := int64(0)
		for _, table := range s.Shape().Tables {
			rows += int64(table.Rows)
		}
		n, _ := s.Len()
		require.InDelta(t, want[p.Name][0], rows, 5e4, p.Name)
		require.Equal(t, want[p.Name], [4]int64{want[p.Name][0], int64(len(s.Shape().Tables)), int64(s.Shape().Lookups()), n}, p.Name)
		again, err := Named(p.Name, 7)
		require.NoError(t, err)
		require.Equal(t, p, again)
	}
	_, err := Named("kagle", 1)
	require.EqualError(t, err, `there is no preset "kagle", expected criteo-like, kaggle, terabyte, avazu, taobao, syn-m1, syn-m2, scratchpipe-random, `+
		"scratchpipe-low, scratchpipe-medium, scratchpipe-high, meta-2021")
}

// TestPresetsReachTheirTargets: each preset reaches its targets to within a point, by formula;
// taobao by counting.
func TestPresetsReachTheirTargets(t *testing.T) {
	for _, p := range Presets(1) {
		fit := p.Fit(p.Targets)
		if p.Name == "taobao" {
			require.InDelta(t, 0.05, fit[1].Error, 0.01)
			fit = measure(t, tenth(p.Params), p.Inputs/10, p.Targets).Targets
		}
		for _, r := range fit {
			require.InDelta(t, 0, r.Error, 0.01, "%s: %v: published %v, reached %v", p.Name, r.Target, r.Value, r.Reached)
		}
	}
}

// tenth returns a tenth of a log with the same number of inputs per row and per context.
func tenth(p Params) Params {
	for i := range p.Tables {
		p.Tables[i].Rows /= 10
	}
	p.Contexts, p.Day = p.Contexts/10, p.Day/10
	return p
}

// TestPresetsReachSamples checks the root mean square error, in points.
func TestPresetsReachSamples(t *testing.T) {
	for name, want := range map[string]float64{"criteo-like": 5, "kaggle": 6, "avazu": 6} {
		p := preset(t, name)
		r := measure(t, p.Params, p.Sample.Inputs, p.Sample.Targets)
		require.Len(t, r.Targets, 4+2*len(p.Tables))
		t.Logf("%s: %.1f points", name, 100*r.TargetError())
		for _, target := range r.Targets[:4] {
			t.Logf("%v: published %.1f, reached %.1f", target.Target, 100*target.Value, 100*target.Reached)
		}
		require.Less(t, 100*r.TargetError(), want, name)
	}
}

// TestFormula compares the expectation of the formula with many inputs of a small log.
func TestFormula(t *testing.T) {
	p := CriteoLike(3)
	p.Contexts, p.Levels, p.Rho = 1e6, 16, 0.85
	p.Tables[2].Lookups = 5
	for i := range p.Tables {
		p.Tables[i].Rows = max(3, p.Tables[i].Rows/10)
	}
	targets := []profile.Target{{Kind: profile.Popular, Rows: 0.2}, {Kind: profile.Accesses, Rows: 0.2}, {Kind: profile.Popular, Rows: 0.5}, {Kind: profile.Accesses, Table: "C3", Rows: 0.1}}
	fit := p.Fit(targets)
	for i, r := range measure(t, p, 100_000, targets).Targets {
		require.InDelta(t, fit[i].Reached, r.Reached, 0.03, "%v", r.Target)
	}
	p.Steps, p.Dense, p.Rho = 4, 1, 0.5
	p.Tables[3].PerInput = true
	fit = p.Fit(targets)
	for i, r := range measure(t, p, 25_000, targets).Targets {
		require.InDelta(t, fit[i].Reached, r.Reached, 0.03, "with time steps: %v", r.Target)
	}
}

// TestScratchPipeCurves: the distribution of accesses matches the anchors.
func TestScratchPipeCurves(t *testing.T) {
	for name, anchors := range map[string][]Anchor{"low": low, "medium": medium, "high": high} {
		table := preset(t, "scratchpipe-"+name).Tables[3]
		l := newLaw(table)
		const steps = 100_000
		below := make([]int, len(anchors))
		last := uint32(0)
		for i := range steps {
			r := l.rank((float64(i) + 0.5) / steps)
			require.GreaterOrEqual(t, r, last)
			require.Less(t, int(r), table.Rows)
			last = r
			for j, a := range anchors {
				if float64(r) < a.Rows*1e7 {
					below[j]++
				}
			}
		}
		for j, a := range anchors {
			require.InDelta(t, a.Accesses, float64(below[j])/steps, 2./steps, "%s %v", name, a)
			require.InDelta(t, a.Accesses, l.share(a.Rows*1e7), 1e-9)
		}
		require.Zero(t, l.share(0))
		require.Zero(t, l.rank(0))
	}
}

// TestUsersStay: the row of a user is the same in all time steps, and other rows vary.
func TestUsersStay(t *testing.T) {
	p := preset(t, "taobao")
	cfg := model(p.Params)
	for _, s := range generate(t, p.Params, 200) {
		require.NoError(t, cfg.Check(s))
		items := map[uint32]bool{}
		for step := range 21 {
			require.Equal(t, s.Sparse[0], s.Sparse[3*step])
			require.Equal(t, float32(step)/21, s.Dense[step])
			items[s.Sparse[3*step+1]] = true
		}
		require.Greater(t, len(items), 2)
	}
}

func TestCurveErrors(t *testing.T) {
	for _, c := range []struct {
		curve []Anchor
		want  string
	}{
		{[]Anchor{{1, 1}}, "a popularity curve with 1 anchors up to {1 1}, expected at least 2 up to {1 1}"},
		{[]Anchor{{0.1, 0.5}, {0.9, 1}}, "a popularity curve with 2 anchors up to {0.9 1}, expected at least 2 up to {1 1}"},
		{[]Anchor{{0, 0.5}, {1, 1}}, "a popularity curve from {0 0.5} to {1 1}, expected both shares above 0 and rising"},
		{[]Anchor{{0.5, 0.6}, {0.4, 0.7}, {1, 1}}, "a popularity curve from {0.5 0.6} to {0.4 0.7}, expected both shares above 0 and rising"},
		{[]Anchor{{0.5, math.NaN()}, {1, 1}}, "a popularity curve from {0.5 NaN} to {1 1}, expected both shares above 0 and rising"},
		{[]Anchor{{0.5, 0.1}, {1, 1}}, "a popularity curve that gets steeper at {0.5 0.1}, expected each row to be less popular than the row before"},
		{[]Anchor{{0.1, 0.5}, {0.2, 0.51}, {1, 1}}, "a popularity curve that gets steeper at {0.2 0.51}, expected each row to be less popular than the row before"},
	} {
		p := CriteoLike(1)
		p.Tables[4].Curve = c.curve
		require.EqualError(t, p.Validate(), fmt.Sprintf(`generator: table 4 ("C5") has %s`, c.want))
	}
}
