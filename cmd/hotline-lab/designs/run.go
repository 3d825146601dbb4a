package designs

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/fromverilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Settings contains the settings of a comparison.
type Settings struct {
	Dir    string   // with the checkouts
	Only   []string // names of designs; all if empty
	Cycles uint64   // of the compiled model; the interpreter runs a fiftieth
	Seed   uint64
}

// interpreted is the share of the cycles that the interpreter runs.
const interpreted = 50

// Run compares the designs and prints a row for each. It reports whether none differs.
func (s Settings) Run(ctx context.Context, out io.Writer) (ok bool, err error) {
	list, err := Public()
	if err != nil {
		return false, err
	}
	for _, name := range s.Only {
		if !slices.ContainsFunc(list, func(d Description) bool { return d.Name == name }) {
			return false, fmt.Errorf("no design %q in public.hcl", name)
		}
	}
	ok = true
	fmt.Fprintln(out, "| design | modules | registers | outputs | cycles of the model | differences | cycles of the interpreter | differences |\n|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, d := range list {
		if len(s.Only) > 0 && !slices.Contains(s.Only, d.Name) {
			continue
		}
		same, err := s.row(ctx, out, d)
		if err != nil {
			return false, fmt.Errorf("%s: %w", d.Name, err)
		}
		ok = ok && same
	}
	return ok, nil
}

// row compares a design and prints its row. It reports whether there is no difference.
func (s Settings) row(ctx context.Context, out io.Writer, d Description) (bool, error) {
	scratch, err := os.MkdirTemp("", "hotline-designs")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	in, err := d.load(ctx, s.Dir, scratch)
	if err != nil {
		return false, err
	}
	model, err := external.Model(in.Design, "")
	if err != nil {
		return false, err
	}
	defer model.Close()
	i, err := interp.New(in.Design)
	if err != nil {
		return false, err
	}
	a, err := s.compare(d, in, sim.NamedBatch{Name: "model", Batch: model}, s.Cycles)
	if err != nil {
		return false, err
	}
	b, err := s.compare(d, in, sim.NamedBatch{Name: "interpreter", Batch: sim.NewBlocks(i)}, s.Cycles/interpreted)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "| `%s` | %d | %d | %d | %d | %d | %d | %d |\n", d.Name, len(in.Modules), registers(in.Design), a.Ports, a.Cycles, a.Differences, b.Cycles, b.Differences)
	for _, r := range []sim.Report{a, b} {
		if r.First != nil {
			fmt.Fprintln(out, r.First)
		}
	}
	return a.First == nil && b.First == nil, nil
}

// load imports a design and checks the clock.
func (d Description) load(ctx context.Context, dir, scratch string) (*fromverilog.Imported, error) {
	o, err := d.options(dir, scratch)
	if err != nil {
		return nil, err
	}
	in, err := fromverilog.Import(ctx, o)
	if err != nil {
		return nil, err
	}
	clock := strings.ToLower(d.Clock)
	if own := in.Top.Clock && in.Top.Own.ClockName() == clock; !own && !slices.ContainsFunc(in.Top.Domains, func(x *ir.Domain) bool { return x.Name() == clock }) {
		return nil, fmt.Errorf("%s is not a clock of the design", d.Clock)
	}
	return in, nil
}

// registers returns the number of registers of all modules.
func registers(d *ir.Design) (n int) {
	for _, m := range d.Modules {
		for _, s := range m.Body.Signals {
			if s.Kind == ir.Reg {
				n++
			}
		}
	}
	return n
}

// compare runs an engine against Verilator on the original files.
func (s Settings) compare(d Description, in *fromverilog.Imported, engine sim.NamedBatch, cycles uint64) (sim.Report, error) {
	original, err := in.Original()
	if err != nil {
		return sim.Report{}, err
	}
	v, err := external.Verilator(original, "")
	if err != nil {
		return sim.Report{}, err
	}
	defer v.Close()
	stimulus, err := d.stimulus(sim.NewFormat(sim.PortsOf(original)), s.Seed)
	if err != nil {
		return sim.Report{}, err
	}
	return sim.Verification{Design: original, A: engine, B: sim.NamedBatch{Name: "verilator", Batch: v}, Stimulus: stimulus, Cycles: cycles}.Run()
}
