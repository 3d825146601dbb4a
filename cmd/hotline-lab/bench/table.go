package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// line is a result. The ratio is relative to Verilator's fastest program on the same stimulus.
type line struct {
	Design   string  `json:"design"`
	Stimulus string  `json:"stimulus"`
	Engine   string  `json:"engine"`
	BuildS   float64 `json:"build_s"`
	Speed    spread  `json:"cycles_per_s"`
	Ratio    spread  `json:"ratio_to_verilator"`
}

// spread summarizes the values of several rounds.
type spread struct {
	Least  float64 `json:"least"`
	Median float64 `json:"median"`
	Most   float64 `json:"most"`
}

// lines returns the results of a comparison. Ratios are computed within rounds.
func lines(design, stimulus string, c comparison) []line {
	best := fastestVerilator(c)
	out := make([]line, len(c.programs))
	for i, p := range c.programs {
		out[i] = line{design, stimulus, p.name, p.build, spreadOf(c.speeds(i)), spreadOf(c.ratios(i, best))}
	}
	return out
}

// fastestVerilator returns the Verilator program with the highest median speed.
func fastestVerilator(c comparison) int {
	best := -1
	for i, p := range c.programs {
		if p.verilator && (best < 0 || spreadOf(c.speeds(i)).Median > spreadOf(c.speeds(best)).Median) {
			best = i
		}
	}
	return best
}

func spreadOf(x []float64) spread {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return spread{x[0], (x[(n-1)/2] + x[n/2]) / 2, x[n-1]}
}

// table prints lines.
type table struct {
	json bool
	w    io.Writer
}

func (t table) head() {
	if !t.json {
		fmt.Fprintf(t.w, "Ratios are to Verilator's fastest program on the same stimulus, which has 1. Speeds and ratios are medians of\nall rounds, between the least and the most.\n\n")
		fmt.Fprintf(t.w, "%-10s %-9s %-26s %9s  %10s %10s %10s  %8s %8s %8s\n", "design", "stimulus", "engine", "build s", "least", "cycles/s", "most", "least", "ratio", "most")
	}
}

func (t table) print(l line) {
	if t.json {
		_ = json.NewEncoder(t.w).Encode(l)
		return
	}
	fmt.Fprintf(t.w, "%-10s %-9s %-26s %9.1f  %10.0f %10.0f %10.0f  %8.4g %8.4g %8.4g\n", l.Design, l.Stimulus, l.Engine, l.BuildS,
		l.Speed.Least, l.Speed.Median, l.Speed.Most, l.Ratio.Least, l.Ratio.Median, l.Ratio.Most)
}
