package command

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models" // of configuration small
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Values of --engine.
const (
	engineAuto     = "auto"     // compiled, unless that is impossible or not worth a build
	engineCompiled = "compiled" // with this program's model, or with a model that is built
	engineInterp   = "interp"
)

const engineUsage = "`engine`: auto, compiled, compiled-LEVEL or interp (see above)"

func checkEngine(name string) error {
	if name == engineAuto || name == engineInterp {
		return nil
	}
	l, ok := levelOf(name)
	if !ok {
		return fmt.Errorf("--engine is %q; expected auto, compiled, compiled-portable, compiled-avx2, compiled-avx512 or interp", name)
	}
	if err := l.Check(); err != nil {
		return fmt.Errorf("--engine is %q; %w", name, err)
	}
	return nil
}

// levelOf returns the target of a compiled engine, and whether the engine is a compiled engine.
func levelOf(name string) (model.Level, bool) {
	if name == engineCompiled {
		return model.Best, true
	}
	level, ok := strings.CutPrefix(name, engineCompiled+"-")
	l, err := model.LevelNamed(level)
	return l, ok && err == nil && l != model.Best
}

// onSimulator returns the accelerator on a simulator of this engine.
func onSimulator(engine string, s sim.Simulator) experiment.Accelerator {
	a := experiment.Cycle(engine, s)
	a.Level = compiled.LevelOf(s)
	return a
}

// short is the length of a run, in lookups or cycles, below which interpreting is faster than
// building a model. This takes about two seconds on many machines.
const short = 50_000

// command is the import path of this program.
const command = modulePath + "/cmd/hotline"

// choice contains the parameters for the choice of an engine.
type choice struct {
	engine string // value of --engine
	length int    // of the run, in lookups or cycles
	args   []string
}

// settle chooses between a compiled engine, with the model in this program, and engineInterp. It
// reports on stderr why it does not use a compiled engine. If the model must be built, another
// program runs the command, and settle returns the outcome of that program as an error (see
// reexec).
func (c choice) settle(cmd *cobra.Command, d *ir.Design, config string) (string, error) {
	if c.engine == engineInterp {
		return engineInterp, nil
	}
	if _, ok := compiled.Find(d); ok {
		if c.engine == engineAuto {
			return engineCompiled, nil
		}
		return c.engine, nil
	}
	log := cmd.ErrOrStderr()
	if c.engine == engineAuto && c.length < short {
		fmt.Fprintf(log, "interpreting %s: the run is too short to build a compiled model for (--engine %s does)\n", config, engineCompiled)
		return engineInterp, nil
	}
	model := fmt.Sprintf("compiled model of %s: ", config)
	fmt.Fprint(log, model)
	start := time.Now()
	spare := newSpare()
	defer spare.remove()
	var program compiled.Program
	var unkept error
	err := patiently(log, model, "still being built", func() (err error) {
		program, unkept, err = orSpare(spare, func(dir string) (compiled.Program, error) {
			return await.Call(cmd.Context(), func() (compiled.Program, error) { return compiled.Build(d, command, dir) })
		})
		return err
	})
	switch {
	case cmd.Context().Err() != nil:
		fmt.Fprintln(log, "not built")
		return "", err
	case err != nil && c.engine != engineAuto:
		fmt.Fprintln(log, "cannot be built")
		return "", fmt.Errorf("%w\n--engine %s needs no model", err, engineInterp)
	case err != nil:
		fmt.Fprintf(log, "cannot be built, so this is interpreted: %s\n", indented(err))
		return engineInterp, nil
	case program.New:
		fmt.Fprintf(log, "built in %.1f s\n", time.Since(start).Seconds())
	default:
		fmt.Fprintln(log, "built before")
	}
	if unkept != nil {
		fmt.Fprintln(log, notKept(unkept))
	}
	return "", reexec(cmd, program.Path, c.args, spare)
}

// simulator returns a new simulator of d for the chosen engine. If r is not nil, it records the
// waveforms: every signal from the interpreter, only ports and registers from a compiled model.
func simulator(engine string, d *ir.Design, r wave.Recorder) (sim.Simulator, error) {
	if engine == engineInterp {
		var options []interp.Option
		if r != nil {
			options = []interp.Option{interp.AllSignals(), interp.Record(r)}
		}
		return interp.New(d, options...)
	}
	level, _ := levelOf(engine)
	s, ok := compiled.FindAt(d, level)
	if !ok {
		return nil, errors.New("this program has no model of the design")
	}
	if r != nil {
		return s, s.Record(r)
	}
	return s, nil
}

// accelerator returns the accelerator of a configuration with the given fidelity, the value of
// --accelerator.
func accelerator(cmd *cobra.Command, fidelity string, cfg *configs.Config, c choice) (experiment.Accelerator, error) {
	switch fidelity {
	case fidelityFunctional:
		return experiment.Functional(*cfg.Accelerator), nil
	case fidelityCycle:
	default:
		return experiment.Accelerator{}, usage(fidelityError(fidelity))
	}
	design, err := await.Call(cmd.Context(), func() (*ir.Design, error) { return elaborate(cfg) })
	if err != nil {
		return experiment.Accelerator{}, err
	}
	engine, err := c.settle(cmd, design, cfg.Name)
	if err != nil {
		return experiment.Accelerator{}, err
	}
	return (&covered{Design: design}).accelerator(engine, nil, cfg)
}

func fidelityError(name string) error {
	return fmt.Errorf("--accelerator is %q; expected %s or %s", name, fidelityFunctional, fidelityCycle)
}
