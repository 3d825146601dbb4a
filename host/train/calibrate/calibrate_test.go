package calibrate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// runs are runs on an AMD EPYC (family 25, model 17, Zen 4), on two virtual cores with 32 MiB of L3
// cache that other work used, too. Their seeds are 1, 1, 2 and 3.
var runs = []string{"testdata/epyc-1.json", "testdata/epyc-2.json", "testdata/epyc-3.json", "testdata/epyc-4.json"}

func load(t *testing.T, name string) Measurements {
	x, err := Load(name)
	require.NoError(t, err)
	return x
}

func predicted(t *testing.T, x Measurements) []Prediction {
	list, err := Predict(x, Machine(x), Profile(x))
	require.NoError(t, err)
	return list
}

// TestErrors: the errors of all runs are at most 20 % in the median and 40 % at worst. The machine
// reaches 42 %, because it has no constant for the small products of an interaction.
func TestErrors(t *testing.T) {
	for _, name := range runs {
		x := load(t, name)
		require.GreaterOrEqual(t, len(x.Steps), 20)
		list := predicted(t, x)
		median, worst := Errors(list, ByOperators)
		t.Logf("%s: operators %.3f, %.3f", name, median, worst)
		require.LessOrEqual(t, median, 0.20)
		require.LessOrEqual(t, worst, 0.40)
		median, worst = Errors(list, ByMachine)
		t.Logf("%s: machine %.3f, %.3f", name, median, worst)
		require.LessOrEqual(t, median, 0.20)
		require.LessOrEqual(t, worst, 0.42)
	}
}

// TestWrongMeasurements: measurements that are wrong for one kind of operator increase the errors.
func TestWrongMeasurements(t *testing.T) {
	products, rows := []string{"product", "weight_gradient", "input_gradient"}, []string{"pool_rows", "update_rows"}
	for name, spoil := range map[string]func(x Measurements){
		"rows at a tenth of the rate":       func(x Measurements) { scale(x, 10, rows...) },
		"products at a tenth of the rate":   func(x Measurements) { scale(x, 10, products...) },
		"products and rows are swapped":     func(x Measurements) { swap(x, products, rows) },
		"interactions and rows are swapped": func(x Measurements) { swap(x, []string{"interaction"}, rows) },
	} {
		t.Run(name, func(t *testing.T) {
			x := load(t, runs[0])
			spoil(x)
			list := predicted(t, x)
			operators, _ := Errors(list, ByOperators)
			machine, _ := Errors(list, ByMachine)
			t.Logf("median errors: operators %.2f, machine %.2f", operators, machine)
			require.Greater(t, operators, 0.20)
			require.Greater(t, machine, 0.20)
		})
	}
}

// scale multiplies the times of operators.
func scale(x Measurements, factor float64, names ...string) {
	for _, o := range named(x, names) {
		o.Us *= factor
	}
}

// swap exchanges the times of two kinds of operators, as far as both have some.
func swap(x Measurements, a, b []string) {
	others := named(x, b)
	for i, o := range named(x, a) {
		if i < len(others) {
			o.Us, others[i].Us = others[i].Us, o.Us
		}
	}
}

func named(x Measurements, names []string) (list []*Operator) {
	for i := range x.Operators {
		if slices.Contains(names, x.Operators[i].Name) {
			list = append(list, &x.Operators[i])
		}
	}
	return list
}

// TestHeldOut: no operator of a step is in the fit set, whatever the seed.
func TestHeldOut(t *testing.T) {
	for seed := range uint64(300) {
		request := NewRequest("cpu", seed)
		require.Len(t, request.Steps, heldOutSteps)
		require.Empty(t, fitted(request.Steps))
		for _, s := range request.Steps {
			require.NoError(t, s.model().Validate())
			require.NotContains(t, fitBatches, s.Batch)
			require.NotContains(t, fitDims, s.Dim)
			for _, width := range slices.Concat(s.Bottom[1:len(s.Bottom)-1], s.Top[:len(s.Top)-1]) {
				require.NotContains(t, fitWidths, width)
			}
		}
		require.Equal(t, request, NewRequest("cpu", seed))
	}
	require.NotEqual(t, heldOut(1), heldOut(2))
	s := heldOut(1)[0]
	s.Batch, s.Dim, s.Lookups, s.Tables = fitBatches[0], 16, 4, 20
	require.Equal(t, []string{"pool_rows [20 100 4 16]", "interaction [100 21 16]", "update_rows [20 100 4 16]"}, fitted([]Step{s}))
}

// fitted returns the operators of steps that are in the fit set.
func fitted(steps []Step) (list []string) {
	set := map[string]bool{}
	for _, o := range fitSet("cuda", mostGPUs) {
		set[fmt.Sprint(o.Name, " ", o.Sizes)] = true
	}
	for _, s := range steps {
		for _, o := range s.operators() {
			if key := fmt.Sprint(o.Name, " ", o.Sizes); set[key] {
				list = append(list, key)
			}
		}
	}
	return list
}

// TestStepsDoNotMatter: times of steps influence neither the machine nor the predictions.
func TestStepsDoNotMatter(t *testing.T) {
	x, y := load(t, runs[0]), load(t, runs[0])
	for i := range y.Steps {
		y.Steps[i].Us *= 3
	}
	require.Equal(t, Machine(x).HCL(), Machine(y).HCL())
	a, b := predicted(t, x), predicted(t, y)
	for i := range a {
		require.Equal(t, [2]float64{a[i].Operators, a[i].Machine}, [2]float64{b[i].Operators, b[i].Machine})
	}
	slices.Reverse(y.Steps)
	require.Equal(t, Machine(x), Machine(y))
}

// TestConstants: each constant follows its operators.
func TestConstants(t *testing.T) {
	m := Machine(load(t, runs[0]))
	for _, c := range []struct {
		operators string
		factor    float64 // of their times
		constants map[string]float64
	}{
		{"copy_host", 2, map[string]float64{"stream_gb_per_s": 0.5}},
		{"copy_device", 2, map[string]float64{"hbm_gb_per_s": 0.5, "elementwise_share": 2}},
		{"copy_pageable", 2, map[string]float64{"pageable_table_us": 2, "pageable_gb_per_s": 0.5}},
		{"copy_pinned", 2, map[string]float64{"pinned_us": 2, "pinned_gb_per_s": 0.5, "uplink_gb_per_s": 0.5}},
		{"layers", 0.5, map[string]float64{"dispatch_us": 0.5}},
		{"activation update", 2, map[string]float64{"elementwise_share": 0.5}},
		{"interaction", 2, map[string]float64{"peak_tflops": 0.5}},
		{"pool_rows update_rows", 2, map[string]float64{"stock_call_us": 2, "stock_row_us": 2, "gpu_table_ops": 2}},
	} {
		x := load(t, runs[0])
		scale(x, c.factor, strings.Fields(c.operators)...)
		scaled := Machine(x)
		for name, factor := range c.constants {
			was, _ := m.Constant(name)
			is, _ := scaled.Constant(name)
			require.InEpsilon(t, factor*was.Value, is.Value, 0.03, "%s after %s", name, c.operators)
			require.Less(t, is.Low, is.Value)
			require.Greater(t, is.High, is.Value)
			require.True(t, strings.HasPrefix(is.Source, "Measured: "))
		}
	}
}

// TestProducts: the fit finds the constants of products again.
func TestProducts(t *testing.T) {
	x := load(t, runs[0])
	want := Machine(x).With("gemm_overhead_us", 3).With("gemm_tflops", 0.2).With("gemm_gb_per_s", 10)
	for i, o := range x.Operators {
		if terms[o.Name] != nil && len(o.Sizes) == 3 && o.Name != "interaction" {
			x.Operators[i].Us = x.product(want, o.Sizes).Seconds() * 1e6
		}
	}
	got := Machine(x)
	require.InEpsilon(t, 3, got.GEMMOverheadUs, 0.01)
	require.InEpsilon(t, 0.2, got.GEMMTFLOPS, 0.01)
	require.InEpsilon(t, 10, got.GEMMGBPerSecond, 0.01)
}

// TestSolve: coefficients are found again, and none is negative.
func TestSolve(t *testing.T) {
	var exact, negative [][]float64
	for n := 1.0; n <= 20; n++ {
		y := 5 + 3*n + 2*n*n
		exact = append(exact, []float64{1 / y, n / y, n * n / y})
		z := 50 - n
		negative = append(negative, []float64{1 / z, n / z})
	}
	require.InDeltaSlice(t, []float64{5, 3, 2}, solve(exact), 0.05)
	c := solve(negative)
	require.InDelta(t, 38, c[0], 1)
	require.Zero(t, c[1])
}

// TestGPU: with several GPUs, all-reduces are measured, and the machine has their constants.
func TestGPU(t *testing.T) {
	x := load(t, runs[0])
	x.Device, x.GPUs, x.Accelerator = "cuda", 4, "Tesla V100"
	on := machine.Default().With("nvlink_gb_per_s", 20).With("nvlink_peers", 3).With("collective_us", 50)
	for _, o := range fitSet("cuda", 4) {
		switch {
		case o.Name == "all_reduce":
			o.Us = allReduce(on, o.Sizes).Seconds() * 1e6
		case strings.Contains(o.Name, "_host_rows"):
			o.Us = 2 * x.us(strings.Replace(o.Name, "_host", "", 1), o.Sizes...)
		default:
			continue
		}
		x.Operators = append(x.Operators, o)
	}
	require.NoError(t, x.check())
	m, cpu := Machine(x), Machine(load(t, runs[0]))
	require.InEpsilon(t, 20, m.NVLinkGBPerSecond, 0.01)
	require.InEpsilon(t, 50, m.CollectiveUs, 0.01)
	require.Equal(t, 3.0, m.NVLinkPeers)
	require.InEpsilon(t, 2*cpu.StockRowUs, m.StockRowUs, 0.01)
	require.Equal(t, "4 x Tesla V100, AMD EPYC, measured with PyTorch "+x.PyTorch, m.Title)
	for _, p := range predicted(t, x) {
		require.Positive(t, p.Machine)
	}
}

// TestFiles: machine and profile are read as they are written.
func TestFiles(t *testing.T) {
	x := load(t, runs[0])
	dir := t.TempDir()
	name, software := filepath.Join(dir, "measured.hcl"), filepath.Join(dir, "software.hcl")
	require.NoError(t, os.WriteFile(name, Machine(x).HCL(), 0o600))
	require.NoError(t, os.WriteFile(software, Profile(x).HCL(), 0o600))
	m, err := machine.Load(name)
	require.NoError(t, err)
	require.Equal(t, Machine(x), m)
	p, err := timing.LoadProfile(software)
	require.NoError(t, err)
	p.Name = "measured"
	require.Equal(t, Profile(x), p)
	text, err := os.ReadFile(runs[0])
	require.NoError(t, err)
	require.Equal(t, string(text), string(x.JSON()))
}

func TestBadFiles(t *testing.T) {
	good, err := os.ReadFile(runs[0])
	require.NoError(t, err)
	for _, c := range []struct{ from, to, want string }{
		{`"schema":"hotline.calibrate/1"`, `"schema":"x"`, `: schema is "x"; expected "hotline.calibrate/1"`},
		{`"device":"cpu"`, `"device":"tpu"`, `: device is "tpu"; expected cpu or cuda`},
		{`"host_bytes":`, `"host_bytes":-`, `expected positive numbers`},
		{`{"name":"loss","sizes":[1]`, `{"name":"loss","sizes":[2]`, `: operator loss [1] is missing`},
		{`{"name":"loss"`, `{"name":"loss","sizes":[7],"us":1},{"name":"loss"`, `: operator loss [7] is unknown`},
		{`{"name":"loss","sizes":[1],"us":`, `{"name":"loss","sizes":[1],"us":-`, `: operator loss [1] has time -`},
		{`{"name":"layers","sizes":[2],"us":`, `{"name":"layers","sizes":[2],"us":1000`, `: 16 tiny layers take no longer than 2: measure again`},
		{`{"batch":207`, `{"batch":0`, `: step 1 has mini-batches of 0`},
		{`"bottom":[13,`, `"bottom":[12,`, `: step 1: model: bottom MLP starts with width 12`},
		{`{"name":"copy_device"`, `{"name":7`, `:3: cannot unmarshal number`},
		{`{"name":"copy_device"`, `{"name:"copy_device"`, `:3: invalid character`},
	} {
		require.Contains(t, string(good), c.from)
		path := filepath.Join(t.TempDir(), "x.json")
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(good), c.from, c.to, 1)), 0o600))
		_, err := Load(path)
		require.ErrorContains(t, err, c.want)
		require.True(t, strings.HasPrefix(err.Error(), path+":"), err)
	}
	_, err = Load("testdata/none.json")
	require.Error(t, err)
}

func TestPrint(t *testing.T) {
	x := load(t, runs[0])
	x.Steps = x.Steps[:2]
	x.Steps[0].Us, x.Steps[1].Us = 1000, 2000
	var b strings.Builder
	require.NoError(t, Print(&b, x, []Prediction{{x.Steps[0], 1100, 500}, {x.Steps[1], 1900, 3000}}))
	s := x.Steps[0]
	require.Contains(t, b.String(), fmt.Sprintf("| %d | %d | %d | %d | 13-120-80-72-72 | 152-1 | 1.00 | 1.10 | +10 %% | 0.50 | -50 %% |\n", s.Batch, s.Tables, s.Lookups, s.Dim))
	require.Contains(t, b.String(), "| operators | 8 % | 10 % |\n| machine | 50 % | 50 % |\n")
	median, worst := Errors([]Prediction{{Step{Us: 1}, 1, 2}}, ByMachine)
	require.Equal(t, []float64{1, 1}, []float64{median, math.Abs(worst)})
}
