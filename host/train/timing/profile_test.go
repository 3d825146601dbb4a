package timing_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

func TestProfiles(t *testing.T) {
	files, err := filepath.Glob("profiles/*.hcl")
	require.NoError(t, err)
	require.Len(t, timing.ProfileNames(), len(files))
	for _, name := range timing.ProfileNames() {
		p, err := timing.LoadProfile(name)
		require.NoError(t, err)
		require.Equal(t, name, p.Name)
		require.NotEmpty(t, p.Title)
		require.NotContains(t, strings.ToLower(p.Title), "the paper")
	}
	_, err = timing.LoadProfile("paper")
	require.EqualError(t, err, `there is no software profile "paper", expected fae-2022, hotline-2024-a, hotline-2024-b, sceptic, sceptic-pipelined or a file that ends with .hcl`)
	text, err := os.ReadFile("profiles/sceptic.hcl")
	require.NoError(t, err)
	own := filepath.Join(t.TempDir(), "own.hcl")
	require.NoError(t, os.WriteFile(own, []byte(strings.Replace(string(text), `"graph"`, `"lazy"`, 1)), 0o600))
	_, err = timing.LoadProfile(own)
	require.EqualError(t, err, own+`:8: launch is "lazy"; expected eager, graph`)
	_, err = timing.LoadProfile("none.hcl")
	require.Error(t, err)
}

// TestProfileHCL: a written profile is read as the same profile.
func TestProfileHCL(t *testing.T) {
	for _, name := range timing.ProfileNames() {
		p, err := timing.LoadProfile(name)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), name+".hcl")
		require.NoError(t, os.WriteFile(path, p.HCL(), 0o600))
		got, err := timing.LoadProfile(path)
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
}

func TestPlanErrors(t *testing.T) {
	good := timingtest.Plan(t, "sceptic", "rm2", 1)
	for name, change := range map[string]func(*timing.Plan){
		"no machine":                         func(p *timing.Plan) { p.Machine = nil },
		"0 GPUs in each of 1 servers":        func(p *timing.Plan) { p.GPUs = 0 },
		"1 GPUs in each of 0 servers":        func(p *timing.Plan) { p.Nodes = 0 },
		"no embedding tables":                func(p *timing.Plan) { p.Model.Tables = nil },
		"profile sceptic: copies is \"air\"": func(p *timing.Plan) { p.Profile.Copies = "air" },
	} {
		p := good
		change(&p)
		_, err := timing.Bare(hybrid.Order, p, nil)
		require.Error(t, err)
		_, err = timing.Time(hybrid.Order, p, nil)
		require.ErrorContains(t, err, name)
	}
}

// TestRange: the range contains the value, its ends result from the listed constants, and a figure
// that depends on no constant has no range.
func TestRange(t *testing.T) {
	p := timingtest.Plan(t, "hotline-2024-a", "rm2", 4)
	works := slices.Repeat([]timing.Work{{Inputs: 4 * timingtest.PerGPU, Popular: 3 * timingtest.PerGPU, HotRows: 20_000, ColdRows: 6 * timingtest.PerGPU, HotTable: 1 << 21, Own: hotline.Work{Classify: 5 * des.Millisecond, Gather: 2 * des.Millisecond, Update: des.Millisecond}}}, 3)
	speedUp := func(p timing.Plan) timing.Spread {
		v := timing.NewVariants(p.Machine)
		slow, err := v.Times(hybrid.Order, p, slices.Repeat([]timing.Work{{Inputs: 4 * timingtest.PerGPU}}, 3))
		require.NoError(t, err)
		fast, err := v.Times(hotline.Order, p, works)
		require.NoError(t, err)
		return v.SpeedUp(slow, fast)
	}
	s := speedUp(p)
	require.Less(t, s.Low, s.Value)
	require.Greater(t, s.High, s.Value)
	require.Equal(t, "dispatch_us", s.Depends[0].Constant)
	require.Len(t, s.Depends, 2)
	for _, d := range s.Depends {
		c, _ := p.Machine.Constant(d.Constant)
		require.Equal(t, []float64{c.Value, c.Low, c.High}, []float64{d.Value, d.Low, d.High})
		q := p
		q.Machine = p.Machine.With(d.Constant, d.Low)
		require.Equal(t, speedUp(q).Value, d.AtLow)
	}
	variants := timing.NewVariants(p.Machine)
	of := func(figure func(m *machine.Machine) float64) timing.Spread {
		var values []float64
		for _, m := range variants {
			values = append(values, figure(m))
		}
		return variants.Spread(values)
	}
	flat := of(func(*machine.Machine) float64 { return 7 })
	require.Equal(t, []float64{7, 7, 7}, []float64{flat.Value, flat.Low, flat.High})
	only := of(func(m *machine.Machine) float64 { return m.PinnedUs * m.PinnedUs / m.NICGBPerSecond })
	require.Equal(t, "pinned_us", only.Depends[0].Constant)
	require.Equal(t, "nic_gb_per_s", only.Depends[1].Constant)
	require.InDelta(t, 25/12.2, only.Depends[0].AtLow, 1e-9)
}
