package yosys

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// Unproven asks ABC to prove that gates and netlist are equal. For the same state and the same
// inputs, all outputs and all next values of registers must be equal. Registers are matched by
// name. A register that mapping removed must keep its initial value if something depends on it. The
// result is the number of output and register bits without a proof; 0 means equal.
func (g *Gates) Unproven() (int, error) {
	if err := g.n.yosys("read_rtlil mapped.il\nsimplemap\nopt_expr\nwrite_json mapped.json\ndesign -reset\nread_rtlil gates.il\nwrite_json gates.json\n"); err != nil {
		return 0, err
	}
	gold, err := g.n.load("mapped.json", "gold")
	if err != nil {
		return 0, err
	}
	gates, err := g.n.load("gates.json", "gate")
	if err != nil {
		return 0, err
	}
	states := g.states(gold, gates)
	if err := g.n.absent(gold, &states); err != nil {
		return 0, err
	}
	left, err := g.compare(gold, gates, states)
	if err == nil && states.invert(left) {
		left, err = g.compare(gold, gates, states)
	}
	return count(left), err
}

// compare reports which results of both steps are not proved equal.
func (g *Gates) compare(gold, gates *eda.Module, s states) ([]bool, error) {
	results := 0
	for i, m := range []*eda.Module{gold, gates} {
		step := stepOf(m, s, i)
		results = len(step.Ports["results"].Bits)
		if err := g.n.aiger(step, fmt.Sprintf("step%d", i)); err != nil {
			return nil, err
		}
	}
	return g.n.different(results)
}

// invert inverts the assumed constants of flip-flops that were not proved constant, and reports
// whether there are any. The assumed value is a guess if no random run wrote the flip-flop.
func (s *states) invert(left []bool) bool {
	last := left[len(left)-len(s.kept):]
	for i, wrong := range last {
		if wrong {
			s.kept[i].value ^= 1
		}
	}
	return slices.Contains(last, true)
}

// states classifies the flip-flops of a netlist and its gates.
type states struct {
	pairs [][2]flipFlop // with the same name
	kept  []kept        // only in the netlist
	loose [2][]flipFlop // all others, of the netlist and of the gates
}

// kept is a flip-flop with a constant value.
type kept struct {
	flipFlop
	value eda.Bit
}

// byABC matches the prefix that mapping adds to names.
var byABC = regexp.MustCompile(`^\$abc\$\d+`)

// states pairs flip-flops of the same clock by the names of the nets that they drive. Several
// flip-flops of the netlist may share one of the gates.
func (g *Gates) states(gold, gates *eda.Module) states {
	var s states
	golden, mapped := flipFlops(gold), flipFlops(gates)
	paired := map[eda.Bit]bool{}
	for _, name := range eda.Sorted(gates.Nets) {
		bits := named(gold, byABC.ReplaceAllString(name, ""))
		for i, q := range gates.Nets[name].Bits {
			f, ok := mapped[q]
			if !ok || i >= len(bits) || paired[bits[i]] {
				continue
			}
			if x, ok := golden[bits[i]]; ok && portOf(gold, x.clock()) == portOf(gates, f.clock()) {
				paired[bits[i]] = true
				s.pairs = append(s.pairs, [2]flipFlop{x, f})
			}
		}
	}
	for i, flops := range []map[eda.Bit]flipFlop{golden, mapped} {
		for _, p := range s.pairs {
			delete(flops, p[i].net("Q"))
		}
		for _, q := range slices.Sorted(maps.Keys(flops)) {
			s.loose[i] = append(s.loose[i], flops[q])
		}
	}
	return s
}

// named returns the nets of a name, or a single net if the name has an index.
func named(m *eda.Module, name string) []eda.Bit {
	if x, ok := m.Nets[name]; ok {
		return x.Bits
	}
	if whole, index, ok := strings.Cut(strings.TrimSuffix(name, "]"), "["); ok {
		if i, err := strconv.Atoi(index); err == nil && i < len(m.Nets[whole].Bits) {
			return m.Nets[whole].Bits[i : i+1]
		}
	}
	return nil
}

// portOf returns the name of the port that contains a net.
func portOf(m *eda.Module, b eda.Bit) string {
	for _, name := range eda.Sorted(m.Ports) {
		if slices.Contains(m.Ports[name].Bits, b) {
			return name
		}
	}
	return ""
}

// stepOf returns the combinational function of module k of the pair in s. Inputs are the module's
// inputs and its state. Results are the outputs and the next values of flip-flops. Both modules
// have the same number of each, in the same order.
func stepOf(m *eda.Module, s states, k int) *eda.Module {
	j := newJoint(m)
	merged := map[eda.Bit]eda.Bit{} // flip-flops of the netlist that share one of the gates, or are constant
	first := map[eda.Bit]eda.Bit{}
	var leaves, results []eda.Bit
	for _, name := range eda.Sorted(m.Ports) {
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
	for i, flops := range s.loose { // free inputs, which must not affect the results
		for _, x := range flops {
			if i == k {
				leaves = append(leaves, x.net("Q"))
			} else {
				leaves = append(leaves, j.fresh(1)...)
			}
		}
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
		if !keeps(c) {
			j.cells["own_"+name] = rewired(c, merged) // not a name that Yosys would generate
		}
	}
	results = j.or(replaced(results, merged), make([]eda.Bit, len(results)))
	return &eda.Module{Cells: j.cells, Ports: map[string]eda.Port{"leaves": {Direction: "input", Bits: leaves}, "results": {Direction: "output", Bits: results}}}
}

// rewired returns a copy of a cell with nets replaced.
func rewired(c *eda.Cell, nets map[eda.Bit]eda.Bit) *eda.Cell {
	x := &eda.Cell{Type: c.Type, Parameters: c.Parameters, Directions: c.Directions, Pins: map[string][]eda.Bit{}}
	for pin, bits := range c.Pins {
		x.Pins[pin] = replaced(bits, nets)
	}
	return x
}

// replaced returns a copy of bits with the replacements of a map applied.
func replaced(bits []eda.Bit, by map[eda.Bit]eda.Bit) []eda.Bit {
	out := slices.Clone(bits)
	for i, b := range bits {
		if x, ok := by[b]; ok {
			out[i] = x
		}
	}
	return out
}

// aiger writes a module as an and-inverter graph.
func (n *Netlist) aiger(m *eda.Module, name string) error {
	file := &eda.Netlist{Modules: map[string]*eda.Module{name: m}}
	if err := file.Write(filepath.Join(n.dir, name+".json")); err != nil {
		return err
	}
	return n.yosys(fmt.Sprintf("read_json %[1]s.json\nalumacc\nopt_clean\ntechmap\nopt_expr\nopt_clean\nsetundef -zero -undriven\nsetundef -init -zero\naigmap\nopt_clean\nwrite_aiger %[1]s.aig\n", name))
}
