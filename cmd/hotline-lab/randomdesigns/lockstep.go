package randomdesigns

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime/debug"
	"strconv"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// watched is an engine that records failed assertions and continues.
type watched struct {
	sim.Inspector
	failed []sim.AssertionError
}

// Step implements sim.Simulator.
func (w *watched) Step() error {
	err := w.Inspector.Step()
	var failed *sim.AssertionError
	if errors.As(err, &failed) {
		w.failed = append(w.failed, sim.AssertionError{Cycle: failed.Cycle, Path: failed.Path, Text: failed.Text})
		return nil
	}
	return err
}

// skipping is a model that skips idle cycles instead of evaluating them.
type skipping struct{ inspected }

// Step implements sim.Simulator.
func (s skipping) Step() error {
	if !s.Quiet() {
		return s.inspected.Step()
	}
	s.inspected.(sim.Skipper).Skip(1)
	return nil
}

// way is a mode in which a model runs.
type way struct {
	name string
	make func(NewModel) inspected
}

// ways lists all modes: every instruction set that the processor supports, and for the best of them
// also with all logic evaluated and with idle cycles skipped.
var ways = func() []way {
	out := []way{
		{"compiled, all evaluated", func(m NewModel) inspected { return m(true, model.Best).(inspected) }},
		{"compiled, quiet cycles skipped", func(m NewModel) inspected { return skipping{m(false, model.Best).(inspected)} }},
	}
	for _, l := range model.Levels() {
		out = append(out, at(l))
	}
	return out
}()

// at returns the mode with an instruction set.
func at(l model.Level) way {
	return way{"compiled-" + l.String(), func(m NewModel) inspected { return m(false, l).(inspected) }}
}

// lockstep compares a model with the interpreter.
func (d *design) lockstep(name string, m inspected) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic of the model: %v\n%s", r, debug.Stack())
		}
	}()
	s, err := interp.New(d.Design)
	if err != nil {
		return err
	}
	sim.PowerUp(s, d.seed)
	sim.PowerUp(m, d.seed)
	a, b := &watched{Inspector: s}, &watched{Inspector: m}
	if n, want := len(m.State()), len(s.State()); n != want {
		return fmt.Errorf("%d registers and memories, the interpreter has %d", n, want)
	}
	l, err := sim.NewLockstep(d.Design, sim.Engine{Name: "interp", Simulator: a}, sim.Engine{Name: name, Simulator: b})
	if err != nil {
		return err
	}
	if err := sim.Drive(l, d.replay(), uint64(d.cycles())); err != nil {
		return err
	}
	if err := sameFailures(a.failed, b.failed); err != nil {
		return err
	}
	return l.CompareMemories()
}

func sameFailures(a, b []sim.AssertionError) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b) || i < len(a) && a[i].Cycle < b[i].Cycle:
			return fmt.Errorf("only in the interpreter: %w", &a[i])
		case i >= len(a) || b[i].Cycle < a[i].Cycle:
			return fmt.Errorf("not in the interpreter: %w", &b[i])
		case a[i] != b[i]:
			return fmt.Errorf("%w; in the interpreter %w", &b[i], &a[i])
		}
	}
	return nil
}

// startModels runs a program with the models of these seeds. If the program crashes in a design,
// that is reported as a difference.
func startModels(program string, cycles int, seeds []uint64) (found []difference, err error) {
	cmd := exec.Command(program, strconv.Itoa(cycles))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, failed := cmd.Output()
	done := 0
	for in := json.NewDecoder(bytes.NewReader(text)); ; {
		var d difference
		if err := in.Decode(&d); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s printed %.200q: %w", program, text, err)
		}
		if d.Text == "" {
			done++
		} else {
			found = append(found, d)
		}
	}
	if failed != nil && done < len(seeds) {
		text := fmt.Sprintf("%v\n%s", failed, stderr.Bytes()[:min(stderr.Len(), 2000)])
		return append(found, difference{Seed: seeds[done], Engine: "compiled", Text: text}), nil
	}
	return found, failed
}
