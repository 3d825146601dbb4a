package cosim

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// TimeModel says what a speed-up rests on: constants of node.Machine, fitted to
// what papers print, not measured here.
type TimeModel struct {
	Measured  bool       `json:"measured"` // false
	SpeedUp   float64    `json:"speed_up"`
	Constants []Constant `json:"constants"`
}

// Constant is a constant of the time model with the work that it makes: on the
// engine that copies for the baseline, and on GPU 0. Some of that work may be
// hidden behind other work, so that without the constant the speed-up would be
// somewhere between two bounds.
type Constant struct {
	Name     string  `json:"name"` // in the block machine of a configuration
	Value    float64 `json:"value"`
	Baseline float64 `json:"share_baseline"` // of its time
	Hotline  float64 `json:"share_hotline"`
	Least    float64 `json:"speed_up_without_least"`
	Most     float64 `json:"speed_up_without_most"`
}

// constants are those that matter, with the value that makes no work.
var constants = []struct {
	name string
	of   func(*node.Machine) *float64
	none float64
}{
	{"pageable_us", func(m *node.Machine) *float64 { return &m.PageableUs }, 0},
	{"pageable_gb_per_s", func(m *node.Machine) *float64 { return &m.PageableGBPerSecond }, math.Inf(1)},
	{"launch_us", func(m *node.Machine) *float64 { return &m.LaunchUs }, 0},
	{"gemm_overhead_us", func(m *node.Machine) *float64 { return &m.GEMMOverheadUs }, 0},
}

// timeModel finds the work of each constant: that of the run, less that of the
// same run without it.
func (r *run) timeModel(base, hot train.Result) TimeModel {
	machine := *r.Config.Machine
	tb, th := float64(max(1, base.Time)), float64(max(1, hot.Time))
	t := TimeModel{SpeedUp: tb / th}
	wb, wh := r.baselineWork(&machine), r.hotlineWork(&machine, hot)
	for _, c := range constants {
		without := machine
		*c.of(&without) = c.none
		xb, xh := float64(wb-r.baselineWork(&without)), float64(wh-r.hotlineWork(&without, hot))
		t.Constants = append(t.Constants, Constant{
			Name: c.name, Value: *c.of(&machine), Baseline: xb / tb, Hotline: xh / th,
			Least: max(0, tb-xb) / th, Most: tb / max(1, th-xh),
		})
	}
	return t
}

// share is how many of n things GPU g gets.
func (r *run) share(n, g int) int {
	gpus := r.Config.Training.GPUs
	return (n - g + gpus - 1) / gpus
}

// baselineWork is the time of the baseline's copies and of its GPU 0.
func (r *run) baselineWork(m *node.Machine) node.Time {
	cost, copies := parts.NewCost(m, r.model), node.Time(2*len(r.model.Tables))
	var t node.Time
	for _, b := range r.baseline {
		t += cost.MLP(r.share(b.Inputs, 0)) + cost.Optimiser()
		for g := range min(r.Config.Training.GPUs, b.Inputs) {
			t += copies * m.PageableCopyTime(r.share(b.Inputs, g)*cost.RowBytes())
		}
	}
	return t
}

// hotlineWork is the time of GPU 0 in launches and products: the rows that it
// updates and moves and the bytes that it marks count as one each, since their
// number does not matter for these.
func (r *run) hotlineWork(m *node.Machine, hot train.Result) node.Time {
	cost := parts.NewCost(m, r.model)
	var t node.Time
	for _, b := range r.hotline {
		popular := r.share(*b.Popular, 0)
		others := r.share(b.Inputs-*b.Popular, 0)
		t += cost.EmbeddingForward(popular) + cost.MLP(popular) + cost.EmbeddingBackward(popular)
		t += cost.MLP(others) + cost.EmbeddingBackward(others)
		t += cost.Optimiser() + cost.RowUpdate(1) + cost.RowMove(1)
		if others > 0 {
			t += cost.Fill(1) + cost.Check(1)
		}
	}
	for _, u := range hot.Busy {
		if u.Resource == "GPU 0" && (u.Label == "collect hot rows" || u.Label == "scatter hot rows") {
			t += node.Time(u.Count) * cost.RowMove(1)
		}
	}
	return t
}

// print says what the speed-up rests on. Constants that make less than a
// hundredth of either time are left out.
func (t TimeModel) print(line printer) {
	line("speed-up", "%.2f by a time model that is to be rebuilt, not by a measurement; it rests on", t.SpeedUp)
	for _, c := range t.Constants {
		if max(c.Baseline, c.Hotline) >= 0.01 {
			line(fmt.Sprintf("  %s = %v", c.Name, c.Value), "%.1f%% of the baseline's time, %.1f%% of Hotline's; without it, %.2f to %.2f",
				100*c.Baseline, 100*c.Hotline, c.Least, c.Most)
		}
	}
}
