package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// settings are the flags.
type settings struct {
	quick, json bool
	verilator   string
	only        string
	rounds      int
	dir         string
}

func main() {
	var s settings
	flag.BoolVar(&s.quick, "quick", false, "shorter stimulus and three rounds")
	flag.BoolVar(&s.json, "json", false, "print one JSON object a line")
	flag.StringVar(&s.verilator, "verilator", "verilator", "`program` to compare with")
	flag.StringVar(&s.only, "only", "", "measure only `names` of designs, separated by commas")
	flag.IntVar(&s.rounds, "rounds", 7, "interleaved `runs` of each engine")
	flag.StringVar(&s.dir, "dir", "", "`folder` for builds (default: in the user's cache)")
	flag.Parse()
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (s settings) run() error {
	if s.dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		s.dir = filepath.Join(user, "hotline", "bench")
	}
	if s.quick {
		s.rounds = 3
	}
	if !s.json {
		fmt.Printf("%-10s %-9s %-12s %9s %12s %8s\n", "design", "stimulus", "engine", "build s", "cycles/s", "ratio")
	}
	for _, d := range designs() {
		if s.only != "" && !slices.Contains(strings.Split(s.only, ","), d.name) {
			continue
		}
		if err := s.measure(d); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}

// program is an engine built for a design.
type program struct {
	name  string
	path  string
	build float64 // seconds of wall time
}

// line is a result.
type line struct {
	Design   string  `json:"design"`
	Stimulus string  `json:"stimulus"`
	Engine   string  `json:"engine"`
	BuildS   float64 `json:"build_s"`
	Speed    float64 `json:"cycles_per_s"`
	Ratio    float64 `json:"ratio_to_verilator"`
}

func (s settings) measure(d design) error {
	x, err := d.make()
	if err != nil {
		return err
	}
	verilator, err := s.buildVerilator(x)
	if err != nil {
		return err
	}
	programs := []*program{verilator}
	for _, level := range levels() {
		p, err := s.buildCompiled(d.name, level, x)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	stimuli, err := d.stimuli(s, x)
	if err != nil {
		return err
	}
	for _, st := range stimuli {
		if err := s.compare(d.name, st, programs); err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
	}
	return nil
}

// compare runs the engines in turn and prints medians; a ratio is the median of
// the ratios to the first engine within a round.
func (s settings) compare(design string, st stimulus, programs []*program) error {
	speeds, ratios := make([][]float64, len(programs)), make([][]float64, len(programs))
	for range s.rounds {
		var first outcome
		for i, p := range programs {
			o, err := p.run(st)
			if err != nil {
				return err
			}
			if i == 0 {
				first = o
			}
			if o.sum != first.sum || o.cycles != first.cycles {
				return fmt.Errorf("the engines differ: %s has %s after %d cycles, %s has %s after %d",
					programs[0].name, first.sum, first.cycles, p.name, o.sum, o.cycles)
			}
			speeds[i] = append(speeds[i], o.speed())
			ratios[i] = append(ratios[i], o.speed()/first.speed())
		}
	}
	for i, p := range programs {
		s.print(line{design, st.name, p.name, p.build, median(speeds[i]), median(ratios[i])})
	}
	return nil
}

func (s settings) print(l line) {
	if s.json {
		_ = json.NewEncoder(os.Stdout).Encode(l)
		return
	}
	fmt.Printf("%-10s %-9s %-12s %9.1f %12.0f %8.2f\n", l.Design, l.Stimulus, l.Engine, l.BuildS, l.Speed, l.Ratio)
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
