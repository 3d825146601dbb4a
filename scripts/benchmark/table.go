package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// line is a result. The ratio is to the fastest program of Verilator on the same
// stimulus.
type line struct {
	Design   string  `json:"design"`
	Stimulus string  `json:"stimulus"`
	Engine   string  `json:"engine"`
	BuildS   float64 `json:"build_s"`
	Speed    float64 `json:"cycles_per_s"`
	Ratio    float64 `json:"ratio_to_verilator"`
}

// lines are the medians of speeds, which are by program and round; a ratio is
// the median of the ratios within a round.
func lines(design, stimulus string, programs []*program, speeds [][]float64) []line {
	best := -1
	for i, p := range programs {
		if p.verilator && (best < 0 || median(speeds[i]) > median(speeds[best])) {
			best = i
		}
	}
	out := make([]line, len(programs))
	for i, p := range programs {
		ratios := make([]float64, len(speeds[i]))
		for r := range ratios {
			ratios[r] = speeds[i][r] / speeds[best][r]
		}
		out[i] = line{design, stimulus, p.name, p.build, median(speeds[i]), median(ratios)}
	}
	return out
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

// table prints lines.
type table struct {
	json bool
	w    io.Writer
}

func (t table) head() {
	if !t.json {
		fmt.Fprintf(t.w, "Ratios are to Verilator's fastest program on the same stimulus, which has 1.\n\n")
		fmt.Fprintf(t.w, "%-10s %-9s %-26s %9s %12s %9s\n", "design", "stimulus", "engine", "build s", "cycles/s", "ratio")
	}
}

func (t table) print(l line) {
	if t.json {
		_ = json.NewEncoder(t.w).Encode(l)
		return
	}
	fmt.Fprintf(t.w, "%-10s %-9s %-26s %9.1f %12.0f %9.4g\n", l.Design, l.Stimulus, l.Engine, l.BuildS, l.Speed, l.Ratio)
}
