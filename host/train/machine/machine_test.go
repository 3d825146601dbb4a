package machine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/train/machine"
)

func TestMachinesLoad(t *testing.T) {
	require.Equal(t, []string{"a100", "h100", "v100"}, machine.Names())
	for _, name := range machine.Names() {
		m, err := machine.Named(name)
		require.NoError(t, err)
		require.Equal(t, name, m.Name)
		for _, c := range m.Constants() {
			require.Greater(t, len(c.Source), 5, c.Name)
			require.NotPanics(t, func() { m.With(c.Name, c.Low) })
		}
	}
	require.Equal(t, "v100", machine.Default().Name)
	_, err := machine.Named("p100")
	require.EqualError(t, err, `there is no machine "p100", expected a100, h100, v100 or a file that ends with .hcl`)
}

func TestFileErrors(t *testing.T) {
	good, err := machine.Source("v100")
	require.NoError(t, err)
	for _, c := range []struct{ from, to, want string }{
		{`constant "nic_gb_per_s" {`, `constant "nic_gbps" {`, `there is no constant "nic_gbps", expected one of gemm_overhead_us, `},
		{`constant "nic_gb_per_s" {`, `constant "gloo_row_us" {`, `constant "gloo_row_us" is given twice`},
		{"  value  = 12.2\n  low    = 11", "  value  = 12.2\n  low    = 12.3", "nic_gb_per_s is 12.2, which is not in its range, 12.3 to 12.5"},
		{"  value  = 12.2\n", "  value  = -1\n", "nic_gb_per_s is -1, expected a positive number"},
		{`"One 100 Gb/s card at best (nccl-tests #29)"`, `""`, "nic_gb_per_s has no source"},
		{"  value  = 12.2\n", "", `The argument "value" is required`},
		{"gpus            = 4", "gpus            = 0", "gpus is 0; expected at least 1"},
		{"gpus            = 4", "gpus            = ", "own.hcl:"},
	} {
		require.Contains(t, string(good), c.from)
		path := filepath.Join(t.TempDir(), "own.hcl")
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(good), c.from, c.to, 1)), 0o600))
		_, err := machine.Load(path)
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, "own.hcl")
	}
	one := strings.Index(string(good), `constant "hbm_gb_per_s"`)
	two := strings.Index(string(good), `constant "elementwise_share"`)
	path := filepath.Join(t.TempDir(), "own.hcl")
	require.NoError(t, os.WriteFile(path, append(append([]byte{}, good[:one]...), good[two:]...), 0o600))
	_, err = machine.Load(path)
	require.EqualError(t, err, path+`: constant "hbm_gb_per_s" is missing`)
	require.NoError(t, os.WriteFile(path, good, 0o600))
	m, err := machine.Load(path)
	require.NoError(t, err)
	require.Equal(t, "own", m.Name)
	_, err = machine.Load("nowhere.hcl")
	require.Error(t, err)
}

func TestWith(t *testing.T) {
	m := machine.Default()
	other := m.With("loader_us", 2)
	require.Equal(t, 0.3, m.LoaderUs)
	require.Equal(t, 2.0, other.LoaderUs)
	c, ok := other.Constant("loader_us")
	require.True(t, ok)
	require.Equal(t, 2.0, c.Value)
	c, _ = m.Constant("loader_us")
	require.Equal(t, 0.3, c.Value)
	require.Panics(t, func() { m.With("colour", 1) })
	_, ok = m.Constant("colour")
	require.False(t, ok)
}

// TestConstantsMatter: every constant changes some time.
func TestConstantsMatter(t *testing.T) {
	m := machine.Default()
	times := func(m *machine.Machine) []des.Time {
		var list []des.Time
		for _, gpus := range []int{1, 2, 4} {
			for _, nodes := range []int{1, 2} {
				list = append(list, m.AllReduce(1e6, gpus, nodes), m.AllGather(1e6, gpus, nodes), m.AllToAll(1e6, gpus, nodes), m.Broadcast(1e6, gpus, nodes))
			}
			list = append(list, m.Gloo(1000, 1e6, gpus), m.Dispatch(false, gpus), m.Dispatch(true, gpus), m.PageableTables(5, gpus),
				m.PageableCopies(1e6, gpus), m.Replicate(5, gpus))
		}
		for _, n := range []int{1, 100, 5000} {
			list = append(list, m.GEMM(n, n, n), m.GEMM(n<<10, 1, 1), m.Elementwise(float64(n)*1e6, 0), m.Elementwise(0, float64(n)), m.Loader(n), m.Stream(n), m.PinnedCopy(n), m.Uplink(n), m.Driver())
			for _, row := range []int{64, 256, 1024} {
				list = append(list, m.Gather(n, row), m.EmbeddingForward(n, n, row), m.EmbeddingBackward(n, n, row))
			}
			list = append(list, m.StockBags(n, n, 64), m.FusedBags(n, n, 64), m.FusedBagsThread(n, n, 64), m.Segregate(n), m.Scan(n), m.CPUProducts(float64(n)*1e6))
		}
		return list
	}
	elsewhere := map[string]bool{"rest_ops": true, "gpu_table_ops": true, "hybrid_table_ops": true, "accelerator_scale": true} // used in host/train/timing
	for _, c := range m.Constants() {
		if !elsewhere[c.Name] {
			require.NotEqual(t, times(m), times(m.With(c.Name, c.Value*0.5)), c.Name)
		}
	}
}

// TestGEMM checks the fit to DeepBench: 512 x 32 x 512 takes 14 us and 512 x 24000 x 2048 takes
// 3.86 ms on a V100.
func TestGEMM(t *testing.T) {
	m := machine.Default()
	require.InEpsilon(t, 14e-6, m.GEMM(512, 32, 512).Seconds(), 0.2)
	require.InEpsilon(t, 3.86e-3, m.GEMM(512, 24000, 2048).Seconds(), 0.05)
}

// TestCollectives: collectives follow nccl-tests: 2(n-1)/n of the bytes in an all-reduce.
func TestCollectives(t *testing.T) {
	m := machine.Default().With("collective_us", 1e-9)
	gb := 1e-9
	require.InEpsilon(t, 1.5*100e6*gb/143.7, m.AllReduce(100e6, 4, 1).Seconds(), 1e-6)
	require.InEpsilon(t, 0.5*100e6*gb/47.9, m.AllGather(100e6, 2, 1).Seconds(), 1e-6)
	require.InEpsilon(t, 2*7.0/8*100e6*gb/12.2, m.AllReduce(100e6, 4, 2).Seconds(), 1e-6)
	require.InEpsilon(t, 0.5*4*100e6*gb/12.2, m.AllToAll(100e6, 4, 2).Seconds(), 1e-6)
	require.InEpsilon(t, 100e6*gb/47.9, m.Broadcast(100e6, 4, 1).Seconds(), 1e-6)
	for _, f := range []func(bytes, gpus, nodes int) des.Time{m.AllReduce, m.AllGather, m.AllToAll, m.Broadcast} {
		require.Zero(t, f(1e6, 1, 1))
	}
	require.Zero(t, m.Gloo(10, 1e6, 1))
	require.InEpsilon(t, 0.75*100e6*gb/235, machineOf(t, "a100").AllGather(100e6, 4, 1).Seconds(), 1e-2, "behind a switch")
}

func machineOf(t *testing.T, name string) *machine.Machine {
	m, err := machine.Named(name)
	require.NoError(t, err)
	return m.With("collective_us", 1e-9)
}
