package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/ui/input"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
)

// importFlags contains the flags of hotline import.
type importFlags struct {
	top, out, engine, cover string
	params                  []string
	check, seed             uint64
	args                    []string // of the whole command line
}

func importCommand(args []string) *cobra.Command {
	f := importFlags{args: args}
	c := &cobra.Command{
		Use:   "import --top MODULE FILE.v...",
		Short: "Import Verilog as a design, and compare it with Verilator on the original files",
		Long: `Elaborates Verilog with Yosys, reads the netlist as a design, and prints its size. Names,
hierarchy, arrays of memory and places in the source are kept. What a design cannot
contain is an error with its place: latches, tristate nets, gated clocks, falling edges,
delays (docs/how-to/import.md).

With --out, writes the text form of the design, which 'hotline gen --design' and 'hotline
draw --design' read.

With --check, runs the design and Verilator on the original files with the same random
inputs for a number of cycles, and compares every output in every cycle. On the first
difference it prints cycle, port, both values, the place in the Verilog, and the last
cycles as a waveform, and the exit code is 1. Ports with rst, reset, rstn or resetn in
their names are active rarely. --engine works as in 'hotline cosim'.

Yosys must be installed, and Verilator for --check.`,
		Example: `  hotline import --top picorv32 --param ENABLE_MUL=1 picorv32.v --check 1000000
  hotline import --top uart rx.v tx.v uart.v --out uart.ir && hotline gen --design uart.ir --go uart`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return usage(errors.New("no file is given; expected Verilog; see 'hotline import --help'"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error { return f.run(cmd, files) },
	}
	s := c.Flags()
	s.StringVar(&f.top, "top", "", "`name` of the top module")
	s.StringArrayVar(&f.params, "param", nil, "`NAME=VALUE` of a parameter of the top module; may be repeated")
	s.StringVar(&f.out, "out", "", "`FILE`.ir for the text form of the design")
	s.Uint64Var(&f.check, "check", 0, "number of random `cycles` to compare with Verilator")
	s.Uint64Var(&f.seed, "seed", 1, "`seed` of the random inputs")
	s.StringVar(&f.engine, "engine", engineAuto, engineUsage)
	defineCover(c, &f.cover)
	return c
}

// options returns the options of the import, after a check of the flags.
func (f importFlags) options(cmd *cobra.Command, files []string) (fromverilog.Options, error) {
	log := cmd.ErrOrStderr()
	o := fromverilog.Options{Top: f.top, Files: files, Note: func(text string) { fmt.Fprintln(log, text) }}
	if f.top == "" {
		return o, errors.New("--top MODULE is expected; see 'hotline import --help'")
	}
	for _, name := range []string{"engine", "seed", "cover"} {
		if cmd.Flags().Changed(name) && f.check == 0 {
			return o, fmt.Errorf("--%s needs --check CYCLES", name)
		}
	}
	for _, p := range f.params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return o, fmt.Errorf("--param is %q; expected NAME=VALUE", p)
		}
		x := ir.Param{Name: name}
		if n, err := strconv.ParseInt(value, 0, 64); err == nil {
			x.Number = n
		} else {
			x.Text = &value
		}
		o.Params = append(o.Params, x)
	}
	for _, file := range files {
		if err := input.Check(file); err != nil {
			return o, err
		}
	}
	if err := checkEngine(f.engine); err != nil {
		return o, err
	}
	return o, places(f.out, f.cover)
}

func (f importFlags) run(cmd *cobra.Command, files []string) error {
	o, err := f.options(cmd, files)
	if err != nil || isDryRun(cmd) {
		return usage(err)
	}
	ctx := cmd.Context()
	if _, err := eda.Version(ctx); err != nil {
		return err
	}
	d, err := fromverilog.Import(ctx, o)
	if err != nil {
		return usage(err)
	}
	text := &strings.Builder{}
	if err := ir.Print(text, d.Design); err != nil { // before coverage instruments the design
		return err
	}
	size := sizeOf(d.Design)
	if f.check > 0 {
		if err := f.compare(cmd, d); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", f.top, size); err != nil || f.out == "" {
		return err
	}
	return outfile.WriteBytes(f.out, []byte(text.String()))
}

// sizeOf describes the size of a design.
func sizeOf(d *ir.Design) string {
	registers, bits, memories := 0, 0, 0
	for _, m := range d.Modules {
		for _, s := range m.Body.Signals {
			if s.Kind == ir.Reg {
				registers, bits = registers+1, bits+s.Type.Bits()
			}
		}
		memories += len(m.Body.Mems)
	}
	return fmt.Sprintf("modules: %d, registers in them: %d with %d bits, memories: %d", len(d.Modules), registers, bits, memories)
}

// compare runs the design against Verilator on the original files.
func (f importFlags) compare(cmd *cobra.Command, d *fromverilog.Imported) error {
	original, err := d.Original()
	if err != nil {
		return err
	}
	covered, err := coveredDesign(f.cover, d.Design)
	if err != nil {
		return err
	}
	engine, err := choice{engine: f.engine, length: int(min(f.check, short)), args: f.args}.settle(cmd, covered.Design, f.top)
	if err != nil {
		return err
	}
	a, err := simulator(engine, covered.Design, covered.recorder())
	if err != nil {
		return err
	}
	report, err := f.lockstep(cmd.Context(), cmd.ErrOrStderr(), original, a, engine)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %v between %s and Verilator\n", f.top, report, engine); err != nil {
		return err
	}
	if report.First != nil {
		return failed(report.First)
	}
	return covered.save(f.cover)
}

// lockstep compares a simulator with Verilator on the original.
func (f importFlags) lockstep(ctx context.Context, log io.Writer, original *ir.Design, a sim.Simulator, engine string) (sim.Report, error) {
	spare := newSpare()
	defer spare.remove()
	var b *external.Process
	var unkept error
	err := patiently(log, "", "still building with Verilator", func() (err error) {
		b, unkept, err = orSpare(spare, func(dir string) (*external.Process, error) {
			return await.Call(ctx, func() (*external.Process, error) { return external.Verilator(original, dir) })
		})
		return err
	})
	if err != nil {
		return sim.Report{}, err
	}
	defer b.Close()
	if unkept != nil {
		fmt.Fprintln(log, notKept(unkept))
	}
	p := newProgress(log, "cycles")
	defer p.end()
	return sim.Verification{
		Design: original, A: sim.NamedBatch{Name: engine, Batch: sim.NewBlocks(a)}, B: sim.NamedBatch{Name: "verilator", Batch: b},
		Stimulus: until{ctx, sim.Random(sim.NewFormat(sim.PortsOf(original)), f.seed)}, Cycles: f.check,
		Progress: func(done uint64) { p.show("compared", int(done), int(f.check)) },
	}.Run()
}
