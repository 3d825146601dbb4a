package node

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/stretchr/testify/require"
)

// Every constant can be set from a file, and may be left out.
func TestMachineFieldsHaveOptionalHCLNames(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(Machine{})) {
		name, kind, _ := strings.Cut(f.Tag.Get("hcl"), ",")
		require.Regexp(t, "^[a-z][a-z0-9_]*$", name, f.Name)
		require.Equal(t, "optional", kind, f.Name)
		require.False(t, seen[name], name)
		seen[name] = true
	}
}

func TestMachineReadsFromHCLOverItsDefaults(t *testing.T) {
	f, diags := hclparse.NewParser().ParseHCL([]byte("gpus = 8\nhbm_gb_per_s = 1500.5\n"), "m.hcl")
	require.False(t, diags.HasErrors(), diags.Error())
	m := DefaultMachine()
	require.False(t, gohcl.DecodeBody(f.Body, nil, &m).HasErrors())
	want := DefaultMachine()
	want.GPUs, want.HBMGBPerSecond = 8, 1500.5
	require.Equal(t, want, m)
	require.NoError(t, m.Check())
}

func TestMachineCheck(t *testing.T) {
	m := DefaultMachine()
	m.NICGBPerSecond = 0
	require.EqualError(t, m.Check(), "node: machine: nic_gb_per_s = 0, expected a positive number")
	m = DefaultMachine()
	m.GPUs = -1
	require.ErrorContains(t, m.Check(), "gpus = -1")
	m = DefaultMachine()
	m.DRAMShare = 1.5
	require.ErrorContains(t, m.Check(), "dram_share = 1.5, expected a share")
}

// The measurements that the constants were fitted to, with the fit's error.
func TestTimingReproducesItsSources(t *testing.T) {
	m := DefaultMachine()
	ms := func(t Time) float64 { return 1e3 * t.Seconds() }
	for _, c := range []struct {
		what      string
		got, want float64 // ms
		relative  float64
	}{
		{"DeepBench 512x32x512", ms(m.GEMMTime(512, 32, 512)), 0.014, 0.11},
		{"DeepBench 1024x700x512", ms(m.GEMMTime(1024, 700, 512)), 0.067, 0.03},
		{"DeepBench 512x24000x2048", ms(m.GEMMTime(512, 24000, 2048)), 3.86, 0.04},
		{"150 launches of a DLRM step", ms(m.LaunchTime(150)), 1.5, 1e-9},
		{"ScratchPipe no-cache iteration", ms(m.CPUEmbeddingTime(327680, 512, Reference)), 175, 0.05},
		{"d=64 gather at 740 GB/s", ms(m.GatherTime(1e6, 256)), 1e6 * 260 / 740e6, 0.01},
		{"d=16 gather at 530 GB/s", ms(m.GatherTime(1e6, 64)), 1e6 * 68 / 530e6, 0.01},
		{"pageable copy of 1 MB", ms(m.PageableCopyTime(1e6)), 0.0361 + 1/2.33, 1e-6},
		{"pinned copy of 120 MB", ms(m.PinnedCopyTime(120e6)), 10, 0.001},
		{"stream at 51 GB/s", ms(m.CPUStreamTime(51e6)), 1, 1e-6},
		{"dense all-reduce of the 512 MiB hot set", ms(m.AllReduceTime(512<<20, 4)), 5.6, 0.02},
	} {
		require.InEpsilon(t, c.want, c.got, c.relative, c.what)
	}
}

func TestCollectives(t *testing.T) {
	m := DefaultMachine()
	require.Zero(t, m.AllReduceTime(1<<20, 1))
	require.Zero(t, m.AllToAllTime(1<<20, 1))
	require.Equal(t, 20*Microsecond, m.AllGatherTime(0, 4))
	lat := 20e-6
	require.InEpsilon(t, lat+2*0.5*1e9/47.9e9, m.AllReduceTime(1e9, 2).Seconds(), 1e-9)
	require.InEpsilon(t, lat+1.5*1e9/143.7e9, m.AllReduceTime(1e9, 4).Seconds(), 1e-9)
	require.InEpsilon(t, lat+0.75*1e9/143.7e9, m.AllToAllTime(1e9, 4).Seconds(), 1e-9)
	require.Equal(t, m.AllReduceTime(1e9, 4), m.ClusterAllReduceTime(1e9, 4, 1))
	require.InEpsilon(t, lat+2*15./16*1e9/12.2e9, m.ClusterAllReduceTime(1e9, 4, 4).Seconds(), 1e-9)
	require.InEpsilon(t, lat+0.5*4*1e9/12.2e9, m.ClusterAllToAllTime(1e9, 4, 2).Seconds(), 1e-9)
	require.InEpsilon(t, lat+0.5*1e9/12.2e9, m.ClusterAllToAllTime(1e9, 1, 2).Seconds(), 1e-9)
}

func TestKernelTimesGrowWithWork(t *testing.T) {
	m := DefaultMachine()
	require.Greater(t, m.EmbeddingForwardTime(2048, 40960, 512), m.GatherTime(40960, 512))
	require.InEpsilon(t, 2*m.EmbeddingForwardTime(2048, 40960, 512).Seconds(),
		m.EmbeddingBackwardTime(2048, 40960, 512).Seconds(), 1e-6)
	require.Equal(t, Second, m.ElementwiseTime(15.441e12, 0), "compute-bound")
	require.InEpsilon(t, 1, m.ElementwiseTime(0, 0.79*816.95e9).Seconds(), 1e-9, "memory-bound")
	require.Less(t, m.CPUEmbeddingTime(1e6, 256, Optimised), m.CPUEmbeddingTime(1e6, 256, Reference))
	require.Equal(t, m.CPUGatherTime(1000, 4, Reference), m.CPUGatherTime(1000, 64, Reference), "whole cache lines")
	require.Less(t, m.CPUGatherTime(1000, 64, Optimised), m.CPUGatherTime(1000, 64, Reference))
}
