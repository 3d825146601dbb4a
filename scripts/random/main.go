package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// settings are the flags.
type settings struct {
	designs uint64
	first   uint64
	cycles  int
	batch   uint64
	models  bool
	keep    string
	json    bool
}

func main() {
	if len(models) > 0 {
		if runModels(os.Args[1:], os.Stdout) || len(os.Args) < 3 { // startModels takes another status for a crash
			return
		}
		os.Exit(1)
	}
	flag.CommandLine = flag.NewFlagSet("random-designs", flag.ExitOnError)
	var s settings
	flag.Uint64Var(&s.designs, "designs", 10_000, "number of designs")
	flag.Uint64Var(&s.first, "first", 0, "`seed` of the first; the others follow")
	flag.IntVar(&s.cycles, "cycles", 200, "cycles of each")
	flag.Uint64Var(&s.batch, "batch", 100, "`designs` that are built together")
	flag.BoolVar(&s.models, "models", false, "leave out Verilator and Icarus: a design takes a third of the time")
	flag.StringVar(&s.keep, "keep", "", "build the programs of the models in this `folder`, and run nothing")
	flag.BoolVar(&s.json, "json", false, "print one JSON object (docs/json.md)")
	flag.Parse()
	if err := s.check(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "random-designs:", err)
		os.Exit(2)
	}
	r, err := s.run(os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "random-designs:", err)
		os.Exit(1)
	}
	if s.keep == "" {
		r.print(os.Stdout, s.json)
	}
	if r.failed() {
		os.Exit(1)
	}
}

// check tells which setting, or argument, cannot be.
func (s settings) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("argument %q, expected only flags", args[0])
	case s.designs == 0:
		return errors.New("--designs is 0, expected at least 1")
	case s.batch == 0:
		return errors.New("--batch is 0, expected at least 1")
	case s.cycles < 1:
		return fmt.Errorf("--cycles is %d, expected at least 1", s.cycles)
	}
	return nil
}

// difference is what an engine does in another way than the interpreter.
type difference struct {
	Seed      uint64 `json:"seed"`
	Engine    string `json:"engine"`
	Text      string `json:"text"`
	Refused   bool   `json:"refused"` // the engine did not run the design to its end
	Reproduce string `json:"reproduce"`
}

// report is what a campaign found.
type report struct {
	Schema      string       `json:"schema"`
	Designs     uint64       `json:"designs"`
	First       uint64       `json:"first"`
	Last        uint64       `json:"last"`
	Cycles      int          `json:"cycles"`
	Engines     []string     `json:"engines"`
	Differences []difference `json:"differences"`
}

// run runs the campaign, with its progress on w. The error is of the tools, not
// of a design.
func (s settings) run(w io.Writer) (report, error) {
	r := report{Schema: "hotline.random-designs/1", Designs: s.designs, First: s.first, Last: s.first + s.designs - 1, Cycles: s.cycles,
		Engines: []string{"interp"}, Differences: []difference{}}
	for _, engine := range []string{"compiled-", "copies-"} {
		for _, l := range model.Levels() {
			r.Engines = append(r.Engines, engine+l.String())
		}
	}
	tools := []string{"go"}
	if s.models = s.models || s.keep != ""; !s.models {
		r.Engines = append(r.Engines, "verilator", "icarus")
		tools = append(tools, "verilator", "make", "g++", "iverilog", "iverilog-vpi", "vvp")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return r, fmt.Errorf("%w; scripts/setup installs what is missing", err)
		}
	}
	debug.SetGCPercent(400) // designs are many small objects that live as long as their batch
	dir, err := os.MkdirTemp("", "random-designs-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	t, err := newToolchain()
	if err != nil {
		return r, err
	}
	var engines []engine
	if !s.models {
		if engines, err = newEngines(dir); err != nil {
			return r, err
		}
	}
	c := &campaign{settings: s, dir: dir, engines: engines, tools: t, report: &r, log: w}
	return r, c.run()
}

// print prints a line, or an object.
func (r report) print(w io.Writer, asJSON bool) {
	if asJSON {
		_ = json.NewEncoder(w).Encode(r)
		return
	}
	fmt.Fprintf(w, "%d designs, seeds %d to %d, %d cycles each, on %s: %s\n",
		r.Designs, r.First, r.Last, r.Cycles, strings.Join(r.Engines, ", "), r.count())
}

// failed tells whether there is anything to mend.
func (r report) failed() bool {
	return len(r.Differences) > 0
}

// count tells differences from designs that an engine refused, if there are any.
func (r report) count() string {
	refused := 0
	for _, d := range r.Differences {
		if d.Refused {
			refused++
		}
	}
	text := fmt.Sprintf("%d differences", len(r.Differences)-refused)
	if refused > 0 {
		text += fmt.Sprintf(", %d refused", refused)
	}
	return text
}
