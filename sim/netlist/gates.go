package netlist

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Gates is a netlist that Yosys has mapped to gates of one or two inputs, multiplexers and flip-flops;
// its memories, too.
type Gates struct {
	n     *Netlist
	cells *module
}

// Gates maps the netlist.
func (n *Netlist) Gates() (*Gates, error) {
	script := "read_rtlil gold.il\nmemory_map\nopt_clean\nwrite_rtlil mapped.il\nrename gold gate\nsynth -flatten -nofsm -top gate\ndfflegalize -cell $_DFF_P_ x\nopt_clean\nwrite_rtlil gates.il\nwrite_json gates.json\n"
	if err := n.yosys(script); err != nil {
		return nil, err
	}
	m, err := load(filepath.Join(n.dir, "gates.json"))
	return &Gates{n, m}, err
}

// Count is how many gates there are.
func (g *Gates) Count() int { return len(g.cells.Cells) }

// Design is the gates as a design that engines run as any other.
func (g *Gates) Design() (*ir.Design, error) { return g.n.read(g.cells, g.cells) }

var unproven = regexp.MustCompile(`are proven and (\d+) are unproven`)

// Unproven lets Yosys prove that gates and netlist are the same, signal by signal of those
// that both have by name, by induction. The result is the number of bits for which it
// cannot; 0 is a proof.
func (g *Gates) Unproven() (int, error) {
	if err := g.n.yosys("read_rtlil mapped.il\nread_rtlil gates.il\nequiv_make gold gate both\nhierarchy -top both\nequiv_simple\nequiv_induct\ntee -q -o proof.txt equiv_status\n"); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(filepath.Join(g.n.dir, "proof.txt"))
	if err != nil {
		return 0, fmt.Errorf("netlist: %w", err)
	}
	found := unproven.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("netlist: yosys says nothing of proofs: %s", text)
	}
	return strconv.Atoi(string(found[1]))
}
