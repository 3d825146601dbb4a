package command

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/device/asm"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/ui/input"
)

func asmCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "asm FILE.s",
		Short: "Translate a program of the accelerator into a stream of commands",
		Long: `Reads a program (docs/how-to/programs.md) and writes its commands as they are in a
command ring: 64 bytes each, with CRCs, and with ids that start at 1. Data are not
written.`,
		Example: `  hotline asm examples/programs/v_add.s --out v_add.bin
  hotline disasm v_add.bin`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := readProgram(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				out = strings.TrimSuffix(args[0], filepath.Ext(args[0])) + ".bin"
			}
			if filepath.Clean(out) == filepath.Clean(args[0]) {
				return usage(fmt.Errorf("the commands would overwrite the program %s; name another file with --out", out))
			}
			return outfile.WriteBytes(out, p.Encode())
		},
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` for the commands (default: the program's name with .bin)")
	return c
}

func disasmCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "disasm FILE.bin",
		Short:   "Print a stream of commands as a program",
		Long:    "Prints the commands of a stream, as 'hotline asm' writes it, as a program\n(docs/how-to/programs.md). A damaged command is an error.",
		Example: "  hotline disasm v_add.bin",
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			stream, err := input.Read(args[0], mostProgram)
			if err != nil {
				return usage(err)
			}
			text, err := asm.Disassemble(stream)
			if err != nil {
				return usage(fmt.Errorf("%s: %w", args[0], err))
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return err
		},
	}
}

// runFlags contains the flags of hotline run.
type runFlags struct {
	config, accelerator string
	junit, faults       string
	pcapng              captureFlag
	json                bool
	args                []string // of the whole command line
}

func runCommand(args []string) *cobra.Command {
	f := runFlags{args: args}
	c := &cobra.Command{
		Use:   "run FILE.s",
		Short: "Run a program on the simulated accelerator, and check what it expects",
		Long: `Runs a program (docs/how-to/programs.md), command by command, on the accelerator of a
configuration, in a machine with the program's data in its memories. Prints the outcome
of each command with its results, the accelerator's cycles, the driver's time and the
bytes on the link, and the memory that .show selects.

A refused command is an outcome, not an error. If anything differs from .expect, the
exit code is 1. --junit writes the expectations as tests in JUnit XML.

--faults injects the faults of a plan (docs/reference/reliability.md). The driver recovers
as in a training; a command that it cannot repeat ends the run.`,
		Example: `  hotline run examples/programs/v_add.s
  hotline run examples/programs/gpu_rd.s --accelerator cycle --pcapng run.pcapng
  hotline run examples/programs/v_add.s --junit v_add.xml
  hotline run examples/programs/v_add.s --faults plan.hcl`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.accelerator, "accelerator", fidelityFunctional, "`fidelity` of the accelerator: functional or cycle")
	s.BoolVar(&f.json, "json", false, "print one JSON object (docs/reference/json.md)")
	s.StringVar(&f.faults, "faults", "", "inject the faults of the plan in `FILE`.hcl")
	s.StringVar(&f.junit, "junit", "", "`FILE` for the expectations as JUnit XML")
	f.pcapng.define(c)
	return c
}

// runPrinted is the output of --json.
type runPrinted struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	*asm.Result
	Faults []fault.Event `json:"faults,omitempty"`        // injected faults, in order
	Unused []fault.Rule  `json:"faults_unused,omitempty"` // rules whose fault never occurred
}

func (f runFlags) run(cmd *cobra.Command, file string) error {
	p, err := readProgram(file)
	if err != nil {
		return err
	}
	if err := f.check(p, file); err != nil {
		return usage(err)
	}
	cfg, err := configuration(f.config)
	if err != nil {
		return usage(err)
	}
	a, err := accelerator(cmd, f.accelerator, cfg, choice{engine: engineAuto, length: math.MaxInt, args: f.args})
	if err != nil {
		return err
	}
	plan, err := loadFaults(f.faults)
	if err != nil {
		return usage(err)
	}
	record, err := f.pcapng.open()
	if err != nil {
		return usage(err)
	}
	r := runPrinted{Schema: "hotline.run/1", Version: version()}
	err = record.during(func() error {
		s, dev, err := experiment.Insert(cfg, a, record.slot())
		if err != nil {
			return err
		}
		r.Result, r.Faults, r.Unused, err = runProgram(p, s, dev, plan)
		return err
	})
	if misfit := (*asm.Misfit)(nil); errors.As(err, &misfit) {
		err = usage(err)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", file, err), f.report(func(w io.Writer) error { return asm.WriteJUnitError(w, file, err) }))
	}
	if err := f.print(cmd.OutOrStdout(), r); err != nil {
		return err
	}
	if err := f.report(func(w io.Writer) error { return r.WriteJUnit(w, file) }); err != nil {
		return err
	}
	if err := r.Unmet(file); err != nil {
		return failed(err)
	}
	return missedFaults(r.Unused)
}

// runProgram runs a program on a device, with the faults of a plan unless plan is nil. An error
// lists the faults before it.
func runProgram(p *asm.Program, s *server.Server, dev *server.Device, plan *fault.Plan) (*asm.Result, []fault.Event, []fault.Rule, error) {
	if plan == nil {
		r, err := p.Run(s, dev, nil)
		return r, nil, nil, err
	}
	x := fault.Inject(s, dev.Endpoint(), plan)
	r, err := p.Run(s, dev, x.Recovered)
	if list := fault.Summary(x.Log()); err != nil && len(list) > 0 {
		err = fmt.Errorf("%w\nfaults before that:\n%s", err, strings.Join(list, "\n"))
	}
	return r, x.Log(), x.Unused(), err
}

// check reports, before the run, a test report without tests or without a valid path.
func (f runFlags) check(p *asm.Program, file string) error {
	if f.junit != "" && len(p.Expects) == 0 {
		return fmt.Errorf("--junit reports what .expect states, but %s has no .expect", file)
	}
	return places(f.junit, f.pcapng.file)
}

func (f runFlags) print(w io.Writer, r runPrinted) error {
	if f.json {
		return printJSON(w, r)
	}
	if err := r.Print(w); err != nil {
		return err
	}
	for _, line := range fault.Summary(r.Faults) {
		if _, err := fmt.Fprintf(w, "fault: %s\n", line); err != nil {
			return err
		}
	}
	for _, u := range r.Unused {
		if _, err := fmt.Fprintf(w, "fault: %v never occurred\n", u); err != nil {
			return err
		}
	}
	return nil
}

// report writes the JUnit XML, if requested.
func (f runFlags) report(write func(io.Writer) error) error {
	if f.junit == "" {
		return nil
	}
	return outfile.Write(f.junit, write)
}

// mostProgram is the maximum size of a program in bytes, as a text or as a stream of commands.
const mostProgram = 100_000_000

func readProgram(file string) (*asm.Program, error) {
	text, err := input.Text(file, mostProgram)
	if err != nil {
		return nil, usage(err)
	}
	p, err := asm.Parse(file, string(text))
	return p, usage(err)
}

func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usage(fmt.Errorf("%d files are given; expected one; see '%s --help'", len(args), c.CommandPath()))
	}
	return nil
}
