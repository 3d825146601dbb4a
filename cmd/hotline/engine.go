package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/interp"
	_ "github.com/hotline-rtl/hotline/sim/models" // those of the shipped configurations
	"github.com/hotline-rtl/hotline/sim/wave"
)

// What --engine takes.
const (
	engineAuto     = "auto"     // compiled if the program has a model of the design
	engineCompiled = "compiled" // a model is built if the program has none
	engineInterp   = "interp"
)

func checkEngine(name string) error {
	if name != engineAuto && name != engineCompiled && name != engineInterp {
		return fmt.Errorf("--engine is %q; expected %s, %s or %s", name, engineAuto, engineCompiled, engineInterp)
	}
	return nil
}

// engine is a simulator with its name; done closes what it writes.
type engine struct {
	sim.Simulator
	name string
	done func() error
}

// simulator makes the engine that runs d. Waveforms come from the interpreter, which
// knows every signal.
func (f cosimFlags) simulator(cmd *cobra.Command, d *ir.Design, cfg *configs.Config) (engine, error) {
	nothing := func() error { return nil }
	if f.vcd != "" {
		return f.recording(d, cfg)
	}
	if f.engine != engineInterp {
		if s, ok := compiled.Find(d); ok {
			return engine{s, engineCompiled, nothing}, nil
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "this program has no model of %s; interpreting (--engine %s builds one)\n", cfg.Name, engineCompiled)
	}
	s, err := interp.New(d)
	return engine{s, engineInterp, nothing}, err
}

func (f cosimFlags) recording(d *ir.Design, cfg *configs.Config) (engine, error) {
	file, err := os.Create(f.vcd)
	if err != nil {
		return engine{}, usage(err)
	}
	v := wave.NewVCD(file, uint64(cfg.Period()))
	s, err := interp.New(d, interp.AllSignals(), interp.Record(v))
	return engine{s, engineInterp, func() error { return errors.Join(v.Close(), file.Close()) }}, err
}

// command is the import path of this program.
const command = "github.com/hotline-rtl/hotline/cmd/hotline"

// rebuilt runs this command in a program that has a model of d, if --engine
// asks for one and this program has none. It reports whether it did.
func (f cosimFlags) rebuilt(cmd *cobra.Command, d *ir.Design, cfg *configs.Config) (bool, error) {
	if _, have := compiled.Find(d); have || f.engine != engineCompiled || f.vcd != "" {
		return false, nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "building a compiled model of %s\n", cfg.Name)
	program, err := compiled.Build(d, command, "")
	if err != nil {
		return false, fmt.Errorf("%w; --engine %s needs no build", err, engineInterp)
	}
	again := exec.Command(program, f.args...)
	again.Stdout, again.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	err = again.Run()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		return true, &exitError{e.ExitCode(), errReported}
	}
	return true, err
}

// errReported is an error that another program has printed.
var errReported = errors.New("")
