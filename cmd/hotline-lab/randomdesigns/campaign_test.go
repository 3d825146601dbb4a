package randomdesigns

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// onAll returns the settings of a campaign on all engines. With -short it omits Verilator and
// Icarus Verilog.
func onAll(t *testing.T, s Settings) Settings {
	if s.Models = testing.Short(); !s.Models {
		tools.Need(t, "verilator", "make", "g++", "iverilog", "iverilog-vpi", "vvp")
	}
	return s
}

// TestCampaign runs a few designs on all engines.
func TestCampaign(t *testing.T) {
	var progress, out bytes.Buffer
	r, err := onAll(t, Settings{Designs: 5, First: 22, Cycles: 120, Batch: 100}).run(&progress)
	require.NoError(t, err)
	require.Empty(t, r.Differences)
	require.Contains(t, progress.String(), "5 of 5 designs, 0 differences, ")
	engines := []string{"interp"}
	for _, of := range []string{"compiled-", "copies-"} {
		for _, l := range model.Levels() {
			engines = append(engines, of+l.String())
		}
	}
	if !testing.Short() {
		engines = append(engines, "verilator", "icarus")
	}
	r.print(&out, false)
	require.Equal(t, "5 designs, seeds 22 to 26, 120 cycles each, on "+strings.Join(engines, ", ")+": 0 differences\n", out.String())
	out.Reset()
	r.print(&out, true)
	require.JSONEq(t, `{"schema":"hotline.random-designs/1","designs":5,"first":22,"last":26,"cycles":120,"engines":["`+strings.Join(engines, `","`)+`"],"differences":[]}`, out.String())
}

// TestModels compares only compiled models, in an environment without any tool other than Go.
func TestModels(t *testing.T) {
	program, err := exec.LookPath("go")
	require.NoError(t, err)
	t.Setenv("PATH", filepath.Dir(program))
	r, err := Settings{Designs: 2, First: 22, Cycles: 120, Batch: 100, Models: true}.run(io.Discard)
	require.NoError(t, err)
	require.Empty(t, r.Differences)
	require.Len(t, r.Engines, 1+2*len(model.Levels()))
}

func TestMissingTool(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Settings{Designs: 1, Cycles: 1, Batch: 1}.run(io.Discard)
	require.ErrorContains(t, err, "scripts/setup installs what is missing")
}

func designs(t *testing.T, seeds ...uint64) []design {
	var out []design
	for _, s := range seeds {
		d := newDesign(s, 200)
		require.NoError(t, d.run())
		out = append(out, d)
	}
	return out
}

// wrong returns the interpreter for d with a changed operator in the modules of one seed.
func wrong(t *testing.T, d *ir.Design, seed uint64, from, to string) *interp.Sim {
	before, modules, _ := strings.Cut(d.String(), fmt.Sprintf("module rand%d_", seed))
	require.Contains(t, modules, from)
	x, err := ir.Parse("wrong", before+fmt.Sprintf("module rand%d_", seed)+strings.Replace(modules, from, to, 1))
	require.NoError(t, err)
	s, err := interp.New(x)
	require.NoError(t, err)
	return s
}

func newComparison(t *testing.T) (*comparison, *bytes.Buffer) {
	log := new(bytes.Buffer)
	return &comparison{Settings: Settings{Cycles: 200}, dir: t.TempDir(), report: &report{}, log: log}, log
}

// TestWrongOperator checks that a wrong operator in one design of a batch is found.
func TestWrongOperator(t *testing.T) {
	c, log := newComparison(t)
	broken := engine{"broken", func(d *ir.Design, _ string) (sim.Batch, error) {
		s := wrong(t, d, 31, "digest = xor(", "digest = and(")
		powerUp(s)
		return sim.NewBlocks(s), nil
	}}
	require.NoError(t, c.together(broken, newTogether(designs(t, 30, 31, 32))))
	require.Len(t, c.report.Differences, 1)
	d := c.report.Differences[0]
	require.Equal(t, uint64(31), d.Seed)
	require.Equal(t, "broken", d.Engine)
	require.Regexp(t, `(?s)^cycle \d+: output \w+ \(.*: interp has \w+, broken has \w+\ncycle .*\nrst `, d.Text)
	require.Equal(t, "scripts/random-designs --first 31 --designs 1 --cycles 200", d.Reproduce)
	require.Contains(t, log.String(), "seed 31, broken: cycle ")
}

// TestRefusal checks that the campaign finds the one design in a batch that an engine refuses.
func TestRefusal(t *testing.T) {
	c, _ := newComparison(t)
	refuses := engine{"choosy", func(d *ir.Design, _ string) (sim.Batch, error) {
		if d.Top.Port("d32_digest") != nil {
			return nil, errors.New("not this one")
		}
		s, err := interp.New(d)
		require.NoError(t, err)
		powerUp(s)
		return sim.NewBlocks(s), nil
	}}
	require.NoError(t, c.together(refuses, newTogether(designs(t, 30, 31, 32, 33, 34))))
	require.Len(t, c.report.Differences, 1)
	require.Equal(t, uint64(32), c.report.Differences[0].Seed)
	require.Equal(t, "not this one", c.report.Differences[0].Text)
	require.Equal(t, "0 differences, 1 refused", c.report.count())
	require.True(t, c.report.failed())
}

// standIn is an interpreter that acts as a model with a defect.
type standIn struct {
	*interp.Sim
	quiet  bool   // always idle
	claims string // text of an assertion that it reports as failed
}

func (m *standIn) Quiet() bool { return m.quiet || m.Sim.Quiet() }

func (m *standIn) Step() error {
	err := m.Sim.Step()
	if m.claims != "" {
		return &sim.AssertionError{Cycle: m.Cycle() - 1, Text: m.claims}
	}
	return err
}

// TestWrongModel has models with a wrong operator, with wrong idle cycles and with a false
// assertion failure.
func TestWrongModel(t *testing.T) {
	d := designs(t, 31)[0]
	fresh := func() *interp.Sim {
		s, err := interp.New(d.Design)
		require.NoError(t, err)
		return s
	}
	require.NoError(t, d.lockstep("model", &standIn{Sim: fresh()}))
	require.NoError(t, d.lockstep("model", skipping{&standIn{Sim: fresh()}}))
	require.ErrorContains(t, d.lockstep("model", &standIn{Sim: wrong(t, d.Design, 31, "digest = xor(", "digest = and(")}), "model has ")
	require.ErrorContains(t, d.lockstep("model", skipping{&standIn{Sim: fresh(), quiet: true}}), "model has ")
	require.ErrorContains(t, d.lockstep("model", &standIn{Sim: fresh(), claims: "never"}), "not in the interpreter: ")
	require.ErrorContains(t, d.lockstep("model", nil), "panic of the model: ")
}

// singles is a batch of instances that are single engines. With mixed, each instance drives the
// inputs of the next.
type singles struct {
	list  []*interp.Sim
	mixed bool
	mute  bool // report no failed assertions
}

func (s *singles) Copies() int { return len(s.list) }

func (s *singles) Copy(i int) sim.Copy {
	if s.mixed {
		return mixed{s.list[i], s.list[(i+1)%len(s.list)]}
	}
	return s.list[i]
}

func (s *singles) Cycle() uint64 { return s.list[0].Cycle() }

func (s *singles) Step() error {
	var out sim.Failures
	for i, x := range s.list {
		var failed *sim.AssertionError
		if errors.As(x.Step(), &failed) && !s.mute {
			out = append(out, sim.Failure{Copy: i, AssertionError: *failed})
		}
	}
	if out == nil {
		return nil
	}
	return out
}

// inputs returns the set of distinct inputs of the instances.
func (s *singles) inputs() map[string]bool {
	out := map[string]bool{}
	for _, x := range s.list {
		all := ""
		for i, p := range x.Ports() {
			if value := make([]uint64, ir.Words(p.Type.Bits())); p.Input {
				x.Get(i, value)
				all += fmt.Sprint(value)
			}
		}
		out[all] = true
	}
	return out
}

// mixed is an engine that passes its inputs to another.
type mixed struct {
	*interp.Sim
	other *interp.Sim
}

func (m mixed) Set(port int, value []uint64) { m.other.Set(port, value) }

// TestAmong has a correct batch of instances, a batch that mixes up inputs, and a batch that
// reports no failed assertions.
func TestAmong(t *testing.T) {
	for _, seed := range []uint64{0, 42, 107} { // the last has several clocks
		d := designs(t, seed)[0]
		with := func(s *singles) *among {
			for range gosim.MaxCopies {
				x, err := interp.New(d.Design)
				require.NoError(t, err)
				s.list = append(s.list, x)
			}
			return newAmong(s, d)
		}
		right := &singles{}
		require.NoError(t, d.lockstep("copies", with(right)))
		require.Greater(t, len(right.inputs()), gosim.MaxCopies/2, "copies have inputs of their own")
		require.ErrorContains(t, d.lockstep("copies", with(&singles{mixed: true})), "copies has ")
		require.ErrorContains(t, d.lockstep("copies", with(&singles{mute: true})), "only in the interpreter: ")
	}
}

func TestSameFailures(t *testing.T) {
	at := func(cycles ...uint64) (out []sim.AssertionError) {
		for _, c := range cycles {
			out = append(out, sim.AssertionError{Cycle: c, Text: "x"})
		}
		return out
	}
	require.NoError(t, sameFailures(at(1, 5), at(1, 5)))
	require.ErrorContains(t, sameFailures(at(1, 5), at(1)), "only in the interpreter")
	require.ErrorContains(t, sameFailures(at(1), at(1, 5)), "not in the interpreter")
	require.ErrorContains(t, sameFailures(at(1, 5), at(3, 5)), "only in the interpreter: top: assertion failed in cycle 1: x")
	other := at(1)
	other[0].Path = "a"
	require.ErrorContains(t, sameFailures(at(1), other), "in the interpreter")
}

// TestCrash has a program of models that crashes in the second design.
func TestCrash(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho '{\"seed\":7,\"engine\":\"compiled\",\"text\":\"no\"}{\"seed\":7}'\necho died >&2\nexit 3\n"), 0o755))
	found, err := startModels(program, 10, []uint64{7, 8, 9})
	require.NoError(t, err)
	require.Equal(t, []difference{{Seed: 7, Engine: "compiled", Text: "no"}, {Seed: 8, Engine: "compiled", Text: "exit status 3\ndied\n"}}, found)
}

// TestInputs checks that the stimuli cause assertion failures, idle cycles and resets. Otherwise
// the campaign would compare less than it appears to.
func TestInputs(t *testing.T) {
	failed, quiet, resets := 0, 0, 0
	for seed := range uint64(80) {
		d := newDesign(seed, 200)
		s, err := interp.New(d.Design)
		require.NoError(t, err)
		w := &watched{Inspector: s}
		for replay := d.replay(); ; {
			if err := sim.Drive(w, replay, 1); err != nil {
				require.Equal(t, io.EOF, err)
			}
			if int(w.Cycle()) == d.cycles() {
				break
			}
			if w.Quiet() {
				quiet++
			}
		}
		failed += len(w.failed)
		for c := range d.cycles() {
			resets += int(d.frame(c)[0])
		}
	}
	require.Greater(t, failed, 50)
	require.Greater(t, quiet, 800)
	require.Equal(t, 80*4, resets)
}

func TestSettings(t *testing.T) {
	ok := Settings{Designs: 1, Batch: 1, Cycles: 1}
	require.NoError(t, ok.Check())
	require.EqualError(t, Settings{Batch: 1, Cycles: 1}.Check(), "--designs is 0, expected at least 1")
	require.EqualError(t, Settings{Designs: 1, Cycles: 1}.Check(), "--batch is 0, expected at least 1")
	require.EqualError(t, Settings{Designs: 1, Batch: 1, Cycles: -3}.Check(), "--cycles is -3, expected at least 1")
}
