package yosys

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Netlist is the result of reading the Verilog of a design with Yosys: a flat module of operations.
type Netlist struct {
	top     *ir.Module
	dir     string
	payload sim.Payload
	states  map[string]ir.Type // registers of the design
	golden  *eda.Module        // see gold
}

// New creates the netlist of d in the directory dir, which must remain until the last use of the
// netlist.
func New(d *ir.Design, dir string) (*Netlist, error) {
	files, err := verilog.Options{Source: true}.Generate(d)
	if err != nil {
		return nil, err
	}
	states, err := registersOf(d)
	if err != nil {
		return nil, err
	}
	n := &Netlist{top: d.Top, dir: dir, payload: sim.StreamPayload(sim.PortsOf(d), nil), states: states}
	var names []string
	for _, f := range files {
		if err := outfile.Scratch(filepath.Join(dir, f.Name), []byte(f.Text)); err != nil {
			return nil, fmt.Errorf("yosys: %w", err)
		}
		names = append(names, f.Name)
	}
	return n, n.yosys(fmt.Sprintf("read_verilog -DSYNTHESIS %s\nhierarchy -check -top %s\nrename -top gold\nproc\nflatten\nasync2sync\ndffunmap\nopt_expr\nopt_clean\nmemory_collect\nopt_clean\nsetundef -zero -undriven\nopt_clean\nwrite_rtlil gold.il\nwrite_json gold.json\n",
		strings.Join(names, " "), verilog.Top(d, files)))
}

// registersOf returns the registers of d by their paths, which are their names in a flat netlist.
func registersOf(d *ir.Design) (map[string]ir.Type, error) {
	s, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	out := map[string]ir.Type{}
	for _, x := range s.State() {
		t := ir.Type{Width: x.Width}
		if strings.HasSuffix(x.Path, "]") { // an element
			x.Path = x.Path[:strings.LastIndexByte(x.Path, '[')]
			t.Len = out[x.Path].Len + 1
		}
		out[x.Path] = t
	}
	return out, nil
}

// read converts a netlist of the design to the IR. The names of registers are taken from gold,
// which is m or the original of mutant m.
func (n *Netlist) read(m, gold *eda.Module) (*ir.Design, error) {
	return (&reader{m: m, gold: gold, states: n.states}).read(n.top)
}

// Design returns the netlist as a design for engines.
func (n *Netlist) Design() (*ir.Design, error) {
	gold, err := n.gold()
	if err != nil {
		return nil, err
	}
	return n.read(gold, gold)
}

// yosys runs a script in the netlist's directory.
func (n *Netlist) yosys(script string) error {
	return eda.Yosys(context.Background(), n.dir, script)
}

// gold returns the netlist without a fault.
func (n *Netlist) gold() (*eda.Module, error) {
	var err error
	if n.golden == nil {
		n.golden, err = n.load("gold.json", "gold")
	}
	return n.golden, err
}

// load reads a module written by Yosys. Bits without a value become 0.
func (n *Netlist) load(file, module string) (*eda.Module, error) {
	m, err := eda.ReadModule(filepath.Join(n.dir, file), module)
	if err == nil {
		m.Ground()
	}
	return m, err
}
