package yosys

import (
	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Gates is a netlist that Yosys has mapped to gates of one or two inputs, multiplexers and
// flip-flops. Memories are mapped, too.
type Gates struct {
	n     *Netlist
	cells *eda.Module
}

// Gates maps the netlist. It first replaces products by rows of adders, so that netlist and gates
// contain the same adders. No solver proves multipliers with different structures equal.
func (n *Netlist) Gates() (*Gates, error) {
	script := "read_rtlil gold.il\nmemory_map\nsetundef -zero -undriven\nopt_clean\nwreduce t:$mul\ntechmap t:$mul\nopt_clean\nwrite_rtlil mapped.il\nrename gold gate\nsynth -flatten -nofsm -top gate\ndfflegalize -cell $_DFF_P_ x\nopt_clean\nwrite_rtlil gates.il\nwrite_json gates.json\n"
	if err := n.yosys(script); err != nil {
		return nil, err
	}
	m, err := n.load("gates.json", "gate")
	return &Gates{n, m}, err
}

// Count returns the number of gates.
func (g *Gates) Count() int { return len(g.cells.Cells) }

// Design returns the gates as a design for engines.
func (g *Gates) Design() (*ir.Design, error) { return g.n.read(g.cells, g.cells) }
