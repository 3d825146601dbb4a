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
	junit               string
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
exit code is 1. --junit writes the expectations as tests in JUnit XML.`,
		Example: `  hotline run examples/programs/v_add.s
  hotline run examples/programs/gpu_rd.s --accelerator cycle --pcapng run.pcapng
  hotline run examples/programs/v_add.s --junit v_add.xml`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.accelerator, "accelerator", fidelityFunctional, "`fidelity` of the accelerator: functional or cycle")
	s.BoolVar(&f.json, "json", false, "print one JSON object (docs/reference/json.md)")
	s.StringVar(&f.junit, "junit", "", "`FILE` for the expectations as JUnit XML")
	f.pcapng.define(c)
	return c
}

// runPrinted is the output of --json.
type runPrinted struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	*asm.Result
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
	record, err := f.pcapng.open()
	if err != nil {
		return usage(err)
	}
	var r *asm.Result
	err = record.during(func() error {
		s, dev, err := experiment.Insert(cfg, a, record.slot())
		if err != nil {
			return err
		}
		r, err = p.Run(s, dev)
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
	return nil
}

// check reports, before the run, a test report without tests or without a valid path.
func (f runFlags) check(p *asm.Program, file string) error {
	if f.junit != "" && len(p.Expects) == 0 {
		return fmt.Errorf("--junit reports what .expect states, but %s has no .expect", file)
	}
	return places(f.junit, f.pcapng.file)
}

func (f runFlags) print(w io.Writer, r *asm.Result) error {
	if f.json {
		return printJSON(w, runPrinted{"hotline.run/1", version(), r})
	}
	return r.Print(w)
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
