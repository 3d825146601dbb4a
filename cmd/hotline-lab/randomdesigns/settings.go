package randomdesigns

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// Settings are the flags of the verb.
type Settings struct {
	Designs uint64
	First   uint64
	Cycles  int
	Batch   uint64
	Models  bool
	Keep    string
	JSON    bool
}

// Check returns an error for invalid settings.
func (s Settings) Check() error {
	switch {
	case s.Designs == 0:
		return errors.New("--designs is 0, expected at least 1")
	case s.Batch == 0:
		return errors.New("--batch is 0, expected at least 1")
	case s.Cycles < 1:
		return fmt.Errorf("--cycles is %d, expected at least 1", s.Cycles)
	}
	return nil
}

// difference describes how an engine differs from the interpreter.
type difference struct {
	Seed      uint64 `json:"seed"`
	Engine    string `json:"engine"`
	Text      string `json:"text"`
	Refused   bool   `json:"refused"` // the engine did not complete the design
	Reproduce string `json:"reproduce"`
}

// report is the result of a campaign.
type report struct {
	Schema      string       `json:"schema"`
	Designs     uint64       `json:"designs"`
	First       uint64       `json:"first"`
	Last        uint64       `json:"last"`
	Cycles      int          `json:"cycles"`
	Engines     []string     `json:"engines"`
	Differences []difference `json:"differences"`
}

// Run runs the campaign. It writes the report to out and progress to log. ok reports whether there
// were no differences.
func (s Settings) Run(out, log io.Writer) (ok bool, err error) {
	r, err := s.run(log)
	if err != nil {
		return false, err
	}
	if s.Keep == "" {
		r.print(out, s.JSON)
	}
	return !r.failed(), nil
}

// run runs the campaign and writes progress to w. It returns an error only if a tool fails, not if
// a design differs.
func (s Settings) run(w io.Writer) (report, error) {
	r := report{Schema: "hotline.random-designs/1", Designs: s.Designs, First: s.First, Last: s.First + s.Designs - 1, Cycles: s.Cycles,
		Engines: []string{"interp"}, Differences: []difference{}}
	for _, engine := range []string{"compiled-", "copies-"} {
		for _, l := range model.Levels() {
			r.Engines = append(r.Engines, engine+l.String())
		}
	}
	tools := []string{"go"}
	if s.Models = s.Models || s.Keep != ""; !s.Models {
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
	if !s.Models {
		if engines, err = newEngines(dir); err != nil {
			return r, err
		}
	}
	c := &comparison{Settings: s, dir: dir, engines: engines, tools: t, report: &r, log: w}
	return r, c.run()
}

// print prints the report as a line of text or as JSON.
func (r report) print(w io.Writer, asJSON bool) {
	if asJSON {
		_ = json.NewEncoder(w).Encode(r)
		return
	}
	fmt.Fprintf(w, "%d designs, seeds %d to %d, %d cycles each, on %s: %s\n",
		r.Designs, r.First, r.Last, r.Cycles, strings.Join(r.Engines, ", "), r.count())
}

// failed reports whether there are differences.
func (r report) failed() bool {
	return len(r.Differences) > 0
}

// count formats the number of differences and, if there are any, of refused designs.
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
