package timingtest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Us is the unit of golden timelines.
const Us = des.Microsecond

// Tiny returns the model of golden timelines, on the machine of [RoundMachine]: a model of
// 2 tables, one lookup each, rows of 4 values (16 bytes), MLPs 2-4 and 7-1 (3 features: 3
// pairs and 4 values), which are 2 layers of (2+1)*4 + (7+1)*1 = 20 parameters, 80 bytes.
// A kernel that multiplies takes 3 us, others almost nothing; an operator is dispatched in
// 10 us; a mini-batch of 8 inputs has 5 values each to load, 1 us a value.
//
//	forward and backward  7 operators a layer, of which a product takes 3 us:
//	                      bottom 2, top 3: 15 us of kernels; and 6 of the rest
//	optimiser             4 operators a layer
//
// Adagrad has a state with every parameter: 5 operators a tensor, and 4 for the hot rows,
// instead of 2 and 1.
func Tiny() dlrm.Config {
	return dlrm.Config{
		Dense: 2, Dim: 4, Bottom: []int{2, 4}, Top: []int{1}, LearningRate: 0.1,
		Tables: []dlrm.Table{{Name: "a", Rows: 10, Lookups: 1}, {Name: "b", Rows: 10, Lookups: 1}},
	}
}

// round has the constants of the machine that are not almost zero.
var round = map[string]float64{
	"gemm_overhead_us": 3, "dispatch_us": 10, "graph_us": 1, "dispatch_serial": 0.5,
	"rest_ops": 6, "gpu_table_ops": 5, "hybrid_table_ops": 2, "driver_us": 4, "loader_us": 1,
	"stock_call_us": 30, "stock_row_us": 2, "fused_call_us": 9, "fused_row_ns": 4000, "fused_row_thread_ns": 8000,
	"pageable_table_us": 7, "pageable_gb_per_s": 16e-3, "pageable_growth": 1, "pinned_us": 20, "pinned_gb_per_s": 16e-3,
	"uplink_gb_per_s": 1e9, "replicate_ms": 0.05, "nvlink_gb_per_s": 80e-3, "nvlink_peers": 3, "collective_us": 11, "nic_gb_per_s": 8e-3,
	"gloo_gb_per_s": 24e-3, "gloo_row_us": 13, "accelerator_scale": 1, "segregate_us": 3, "scan_us": 0.5,
	"embedding_backward": 1, "gather_penalty_32": 1, "gather_penalty_64": 1, "elementwise_share": 1,
}

// RoundMachine returns a machine of round numbers.
func RoundMachine() *machine.Machine {
	m := machine.Default()
	for _, c := range m.Constants() {
		v, ok := round[c.Name]
		if !ok {
			v = 1e12
			if c.Name == "gemm_head_gflop" {
				v = 1e-9
			}
		}
		m = m.With(c.Name, v)
	}
	return m
}

// TinyPlan returns the plan of a golden timeline in one server.
func TinyPlan(t testing.TB, profile string, gpus int) timing.Plan {
	return timing.Plan{Machine: RoundMachine(), Profile: Profile(t, profile), Model: Tiny(), GPUs: gpus, Nodes: 1}
}

// Profile returns a profile of the program.
func Profile(t testing.TB, name string) timing.Profile {
	p, err := timing.LoadProfile(name)
	require.NoError(t, err)
	return p
}

// Case is a golden timeline.
type Case struct {
	Name    string
	Order   timing.System
	Profile string
	GPUs    int
	Adagrad bool
	Works   []timing.Work
	Want    map[string]float64 // phases, in us
	Change  map[string]float64 // of the machine
}

// Golden compares the phases of timelines with the manually computed phases.
func Golden(t *testing.T, cases []Case) {
	for _, c := range cases {
		p := TinyPlan(t, c.Profile, c.GPUs)
		if c.Adagrad {
			p.Model.Optimiser = dlrm.Adagrad
		}
		for name, v := range c.Change {
			p.Machine = p.Machine.With(name, v)
		}
		require.InDeltaMapValues(t, c.Want, Phases(t, c.Order, p, c.Works), 0.05, c.Name)
	}
}

// Phases returns the phases of works, in tenths of a microsecond.
func Phases(t testing.TB, order timing.System, p timing.Plan, works []timing.Work) map[string]float64 {
	run, err := timing.Time(order, p, works)
	require.NoError(t, err)
	m := map[string]float64{}
	for _, p := range run.Phases {
		if us := math.Round(p.Time.Seconds()*1e7) / 10; us > 0 {
			m[p.Label] = us
		}
	}
	return m
}
