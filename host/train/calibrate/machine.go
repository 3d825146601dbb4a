package calibrate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Machine returns the measured machine. Constants that are not measured have the values of v100.
func Machine(x Measurements) *machine.Machine {
	m := machine.Default()
	for _, k := range m.Constants() {
		k.Source, k.Calibrated = "Not measured. v100: "+k.Source, ""
		m = m.Replace(k)
	}
	m.Name, m.Title = "measured", x.title()
	m.GPUs, m.CPUCores = max(1, x.GPUs), 1
	m.HostMemoryGiB, m.GPUMemoryGiB = gib(x.HostBytes), gib(x.DeviceBytes)
	const none = 1e-9
	m = m.Replace(machine.Constant{Name: "gemm_head_gflop", Value: none, Low: none, High: none, Source: "None: part of gemm_overhead_us"})
	if x.GPUs > 1 {
		peers := float64(x.GPUs - 1)
		m = m.Replace(machine.Constant{Name: "nvlink_peers", Value: peers, Low: peers, High: peers, Source: "Assumption: each GPU sends to all others"})
	}
	for _, f := range x.fits() {
		m = f.apply(m)
	}
	uplink, _ := m.Constant("pinned_gb_per_s")
	uplink.Name = "uplink_gb_per_s"
	return m.Replace(uplink)
}

func (x Measurements) title() string {
	if x.Device == "cpu" {
		return fmt.Sprintf("One thread of %s as CPU and GPU, measured with PyTorch %s", cmp.Or(x.Processor, "a CPU"), x.PyTorch)
	}
	return fmt.Sprintf("%d x %s, %s, measured with PyTorch %s", x.GPUs, x.Accelerator, x.Processor, x.PyTorch)
}

// leastSpread is the minimum range of a measured constant, up and down.
const leastSpread = 1.05

// apply returns the machine with the constants of the group. Their ranges are as wide as the errors
// of four fifths of the operators.
func (f fit) apply(m *machine.Machine) *machine.Machine {
	m = f.search(m)
	var errs []float64
	for _, r := range f.residuals(m) {
		errs = append(errs, math.Abs(r))
	}
	slices.Sort(errs)
	spread := max(leastSpread, detmath.Exp(errs[len(errs)*4/5]))
	for _, name := range f.constants {
		k, _ := m.Constant(name)
		m = m.Replace(machine.Constant{Name: name, Value: digits(k.Value), Low: digits(k.Value / spread), High: digits(k.Value * spread), Source: "Measured: " + f.operators})
	}
	return m
}

// digits returns x with three significant digits.
func digits(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		panic(err) // a formatted number is a number
	}
	return y
}

func gib(bytes int64) float64 { return digits(float64(bytes) / (1 << 30)) }

// Profile returns the software that the script measures.
func Profile(x Measurements) timing.Profile {
	return timing.Profile{
		Name: "measured", Title: "PyTorch " + x.PyTorch + ": eager, a process per GPU, operators of each table, inputs are ready",
		Processes: "per-gpu", Launch: "eager", Loader: "hidden", Tables: "each", CPU: "stock", Copies: "pageable", HotExchange: "sparse",
		Slices: "memory", Misses: "rows",
	}
}
