package netlist

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/sim/interp"
)

// ABC may compare all bits for so many seconds, and then each alone; it gives up by itself.
const (
	seconds    = 60
	bitSeconds = 2
)

// Unproven lets ABC prove that gates and netlist are the same: from the same state and with the
// same inputs, outputs are the same and registers take the same. Registers are those with the same names; one that
// the gates have no more, and something depends on, has to keep a value that it has at first. The result
// is the number of bits of outputs and registers for which that is not proved; 0 is a proof.
func (g *Gates) Unproven() (int, error) {
	if err := g.n.yosys("read_rtlil mapped.il\nwrite_json mapped.json\ndesign -reset\nread_rtlil gates.il\nwrite_json gates.json\n"); err != nil {
		return 0, err
	}
	gold, err := load(filepath.Join(g.n.dir, "mapped.json"))
	if err != nil {
		return 0, err
	}
	gates, err := load(filepath.Join(g.n.dir, "gates.json"))
	if err != nil {
		return 0, err
	}
	states, pairs := g.states(gold, gates), 0
	if states.kept, err = g.n.kept(gold, states); err != nil {
		return 0, err
	}
	for i, m := range []*module{gold, gates} {
		step := m.step(states, i)
		pairs = len(step.Ports["results"].Bits)
		if err := g.n.aiger(step, fmt.Sprintf("step%d", i)); err != nil {
			return 0, err
		}
	}
	if n, err := g.n.same(fmt.Sprintf("cec -n -T %d step0.aig step1.aig\n", seconds)); n == 1 || err != nil {
		return 0, err
	}
	var each strings.Builder
	for i := range pairs {
		for k := range 2 {
			fmt.Fprintf(&each, "read_aiger step%[1]d.aig; cone -a -O %[2]d; write_aiger bit%[1]d.aig\n", k, i)
		}
		fmt.Fprintf(&each, "cec -n -T %d bit0.aig bit1.aig\n", bitSeconds)
	}
	proved, err := g.n.same(each.String())
	return pairs - proved, err
}

// same tells how many networks commands of ABC find equal.
func (n *Netlist) same(commands string) (int, error) {
	if err := os.WriteFile(filepath.Join(n.dir, "compare.abc"), []byte(commands), 0o644); err != nil {
		return 0, fmt.Errorf("netlist: %w", err)
	}
	c := exec.Command("yosys-abc", "-q", "source compare.abc")
	c.Dir = n.dir
	out, err := c.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("netlist: yosys-abc: %w\n%s", err, out)
	}
	return len(equivalent.FindAll(out, -1)), nil
}

var equivalent = regexp.MustCompile(`(?m)^Networks are equivalent`)

// states are the flip-flops of a netlist and its gates.
type states struct {
	pairs [][2]flipFlop // that have the same name
	kept  []kept        // that only the netlist has
}

// kept is a flip-flop that has one value.
type kept struct {
	flipFlop
	value bit
}

// byABC is what mapping has before names that are not of the design.
var byABC = regexp.MustCompile(`^\$abc\$\d+`)

// states pairs flip-flops of the same clock by the names of what they drive. One of the gates may
// be several of the netlist.
func (g *Gates) states(gold, gates *module) states {
	var s states
	golden, mapped := gold.flipFlops(), gates.flipFlops()
	paired := map[bit]bool{}
	for _, name := range sorted(gates.Nets) {
		bits := gold.Nets[byABC.ReplaceAllString(name, "")].Bits
		for i, q := range gates.Nets[name].Bits {
			f, ok := mapped[q]
			if !ok || i >= len(bits) || paired[bits[i]] {
				continue
			}
			if x, ok := golden[bits[i]]; ok && gold.input(x.clock()) == gates.input(f.clock()) {
				paired[bits[i]] = true
				s.pairs = append(s.pairs, [2]flipFlop{x, f})
			}
		}
	}
	return s
}

// kept are the flip-flops of gold that have no pair, and that outputs or those which have
// depend on, with what they hold after some cycles.
func (n *Netlist) kept(gold *module, s states) ([]kept, error) {
	d, err := n.Design()
	if err != nil {
		return nil, err
	}
	run, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	if err := shake(run, 1, func() {}); err != nil {
		return nil, err
	}
	values := map[bit]bit{}
	for i, x := range run.State() {
		if x.Depth == 0 {
			for k, b := range n.bitsOf(gold, x.Path) {
				values[b] = bit(run.Read(i, 0)[k/64] >> (k % 64) & 1)
			}
		}
	}
	var out []kept
	flops, reached := gold.flipFlops(), gold.reached(s)
	for _, q := range slices.Sorted(maps.Keys(flops)) {
		if reached[q] {
			out = append(out, kept{flops[q], values[q]})
		}
	}
	return out, nil
}

// reached are the outputs of flip-flops that have no pair, and that results depend on.
func (m *module) reached(s states) map[bit]bool {
	j, out := newJoint(drivers(m)), map[bit]bool{}
	paired := map[bit]bool{}
	for _, x := range m.Ports {
		if x.Direction == "output" {
			for _, b := range x.Bits {
				j.need(b)
			}
		}
	}
	for _, p := range s.pairs {
		paired[p[0].net("Q")] = true
		j.need(p[0].net("D"))
	}
	flops := m.flipFlops()
	for found := true; found; {
		found = false
		for q := range j.leaves {
			if f, ok := flops[q]; ok && !paired[q] && !out[q] {
				out[q], found = true, true
				j.need(f.net("D"))
			}
		}
	}
	return out
}

// input is the name of the port that a net is.
func (m *module) input(b bit) string {
	for _, name := range sorted(m.Ports) {
		if slices.Contains(m.Ports[name].Bits, b) {
			return name
		}
	}
	return ""
}

// step is module k of those of s without state: of inputs and state it makes results, which are outputs and what
// flip-flops take. Both modules have as many of each, in the same order.
func (m *module) step(s states, k int) *module {
	j := newJoint(drivers(m))
	merged := map[bit]bit{} // flip-flops of the netlist that are one of the gates, or keep their value
	first := map[bit]bit{}
	var leaves, results []bit
	for _, name := range sorted(m.Ports) {
		if m.Ports[name].Direction == "input" {
			leaves = append(leaves, m.Ports[name].Bits...)
		} else {
			results = append(results, m.Ports[name].Bits...)
		}
	}
	for _, p := range s.pairs {
		q, twin := p[k].net("Q"), p[1].net("Q")
		results = append(results, p[k].net("D"))
		if x, ok := first[twin]; ok {
			merged[q] = x
			continue
		}
		first[twin] = q
		leaves = append(leaves, q)
	}
	for _, x := range s.kept {
		if k == 1 {
			results = append(results, x.value)
			continue
		}
		results = append(results, x.net("D"))
		merged[x.net("Q")] = x.value
	}
	for name, c := range m.Cells {
		if c.Type != "$dff" && c.Type != "$_DFF_P_" {
			j.cells[name] = c.with(merged)
		}
	}
	results = j.cell("$or", len(results), replaced(results, merged), make([]bit, len(results)))
	return &module{Cells: j.cells, Ports: map[string]port{"leaves": {"input", leaves}, "results": {"output", results}}}
}

// with is a cell on other nets.
func (c *cell) with(nets map[bit]bit) *cell {
	x := &cell{Type: c.Type, Parameters: c.Parameters, Directions: c.Directions, Pins: map[string][]bit{}}
	for pin, bits := range c.Pins {
		x.Pins[pin] = replaced(bits, nets)
	}
	return x
}

// replaced are bits, or what a map has in their place.
func replaced(bits []bit, by map[bit]bit) []bit {
	out := slices.Clone(bits)
	for i, b := range bits {
		if x, ok := by[b]; ok {
			out[i] = x
		}
	}
	return out
}

// aiger writes a module as an and-inverter graph.
func (n *Netlist) aiger(m *module, name string) error {
	text, err := json.Marshal(map[string]any{"modules": map[string]any{name: m}})
	if err != nil {
		return fmt.Errorf("netlist: %w", err)
	}
	if err := os.WriteFile(filepath.Join(n.dir, name+".json"), text, 0o644); err != nil {
		return fmt.Errorf("netlist: %w", err)
	}
	return n.yosys(fmt.Sprintf("read_json %[1]s.json\nalumacc\nopt_clean\ntechmap\nopt_clean\nsetundef -zero -undriven\nsetundef -init -zero\naigmap\nopt_clean\nwrite_aiger %[1]s.aig\n", name))
}
