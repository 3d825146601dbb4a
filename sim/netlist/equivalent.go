package netlist

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/sim"
)

// Equivalent tells whether Yosys proves that nobody at the ports can tell the mutant from
// the netlist, both starting in the same state. It takes registers for equal and asks for a
// state and inputs with which outputs or registers become different; registers that do are taken
// for different from then on, whatever they hold, until there is no more difference,
// which is a proof by induction, or one at an output, which is none. Faults of memories
// are never proved.
func (x Mutant) Equivalent() (bool, error) {
	gold, err := x.n.mapped()
	if err != nil {
		return false, err
	}
	if gold.Cells[x.option("cell")] == nil {
		return false, nil
	}
	if err := x.n.yosys(fmt.Sprintf("read_rtlil mapped.il\n%s\nwrite_json faulty.json\n", x.command)); err != nil {
		return false, err
	}
	faulty, err := load(filepath.Join(x.n.dir, "faulty.json"))
	if err != nil {
		return false, err
	}
	m := &miter{drivers(gold), drivers(faulty), gold.valids(x.n.payload), map[string]bool{}}
	for {
		apart, err := m.differences(x.n)
		if err != nil || len(apart) == 0 {
			return err == nil, err
		}
		for _, name := range apart {
			if name == "" {
				return false, nil
			}
			m.apart[name] = true
		}
	}
}

// mapped is the netlist with its memories made of flip-flops.
func (n *Netlist) mapped() (*module, error) {
	if n.flat == nil {
		if err := n.yosys("read_rtlil gold.il\nmemory_map\nopt_clean\nsetundef -undriven -zero\nwrite_rtlil mapped.il\nwrite_json mapped.json\n"); err != nil {
			return nil, err
		}
		var err error
		if n.flat, err = load(filepath.Join(n.dir, "mapped.json")); err != nil {
			return nil, err
		}
	}
	return n.flat, nil
}

// miter compares a netlist with a faulty one.
type miter struct {
	gold, faulty pins
	valid        map[bit]bit     // of bits of golden outputs that mean something only while it is 1
	apart        map[string]bool // flip-flops, by the names of their cells, that may differ
}

// pins is a module with the pins that drive its nets.
type pins struct {
	*module
	from map[bit]pin
	last bit
}

// pin is an output of a cell, or an input of the module if there is none.
type pin struct {
	cell *cell
	name string
	at   int
}

// valids are the bits that say whether bits of payload mean something. Payload of several lanes has a
// valid of as many.
func (m *module) valids(p sim.Payload) map[bit]bit {
	out := map[bit]bit{}
	for name, valid := range p {
		if lanes := m.Ports[valid].Bits; len(lanes) > 0 {
			bits := m.Ports[name].Bits
			for i, b := range bits {
				out[b] = lanes[i*len(lanes)/len(bits)]
			}
		}
	}
	return out
}

func drivers(m *module) pins {
	d := pins{module: m, from: map[bit]pin{}}
	for _, c := range m.Cells {
		for name, bits := range c.Pins {
			for i, b := range bits {
				if c.Directions[name] == "output" {
					d.from[b] = pin{c, name, i}
				}
				d.last = max(d.last, b)
			}
		}
	}
	for name, p := range m.Ports {
		for i, b := range p.Bits {
			if p.Direction == "input" {
				d.from[b] = pin{nil, name, i}
			}
			d.last = max(d.last, b)
		}
	}
	return d
}

// differences asks for one difference, and names the flip-flops that it is in, or "" for an
// output. There are none if it is impossible.
func (m *miter) differences(n *Netlist) ([]string, error) {
	j := m.join()
	if len(j.owners) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(map[string]any{"modules": map[string]any{"miter": j.module()}})
	if err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	if err := os.WriteFile(filepath.Join(n.dir, "miter.json"), text, 0o644); err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	if err := n.yosys("read_json miter.json\ntee -q -o sat.txt sat -timeout 20 -prove differs 0 -show differences\n"); err != nil {
		return nil, err
	}
	answer, err := os.ReadFile(filepath.Join(n.dir, "sat.txt"))
	if err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	if strings.Contains(string(answer), "no model found: SUCCESS!") {
		return nil, nil
	}
	found := shown.FindSubmatch(answer)
	if found == nil || len(found[1]) != len(j.owners) {
		return []string{""}, nil // out of time
	}
	var out []string
	for i, name := range j.owners {
		if found[1][len(j.owners)-1-i] == '1' && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

var shown = regexp.MustCompile(`\\differences .* ([01]+)\n`)

// joint is both netlists in one module, the faulty one only where it may differ; registers are
// inputs.
type joint struct {
	*miter
	cells  map[string]*cell
	same   map[bit]bit // nets of the faulty netlist here
	leaves map[bit]bool
	next   bit
	owners []string // by pair: the flip-flop that takes it, or "" for an output
	a, b   []bit    // pairs that may differ
	while  []bit    // of each pair, when it counts
}

func (m *miter) join() *joint {
	j := &joint{miter: m, cells: map[string]*cell{}, same: map[bit]bit{}, leaves: map[bit]bool{}, next: m.gold.last + 1}
	for _, name := range sorted(m.gold.Ports) {
		if p := m.gold.Ports[name]; p.Direction == "output" {
			j.compare("", p.Bits, m.faulty.Ports[name].Bits)
		}
	}
	for _, name := range sorted(m.gold.Cells) {
		if c := m.gold.Cells[name]; c.Type == "$dff" && !m.apart[name] {
			j.compare(name, c.Pins["D"], m.faulty.Cells[name].Pins["D"])
		}
	}
	for _, b := range slices.Concat(j.a, j.while) {
		j.need(b)
	}
	return j
}

// compare notes the nets that may differ.
func (j *joint) compare(owner string, gold, faulty []bit) {
	for i, b := range gold {
		if x := j.here(faulty[i]); x != b {
			while, ok := j.valid[b]
			if !ok || owner != "" {
				while = one
			}
			j.owners, j.a, j.b, j.while = append(j.owners, owner), append(j.a, b), append(j.b, x), append(j.while, while)
		}
	}
}

// here is the net that has the value of one of the faulty netlist: one of the golden netlist if
// it cannot differ.
func (j *joint) here(b bit) bit {
	if b <= one {
		return b
	}
	if x, ok := j.same[b]; ok {
		return x
	}
	from := j.faulty.from[b]
	switch c := from.cell; {
	case c == nil:
		j.same[b] = j.gold.Ports[from.name].Bits[from.at]
	case c.Type == "$dff" && j.apart[c.name]:
		j.same[b] = j.next
		j.leaves[j.next] = true
		j.next++
	case c.Type == "$dff":
		j.same[b] = j.gold.Cells[c.name].Pins[from.name][from.at]
	default:
		j.copy(c)
	}
	return j.same[b]
}

// copy finds where the outputs of a cell of the faulty netlist are: at the same cell of the
// golden one, if its inputs are the same, or else at a copy.
func (j *joint) copy(c *cell) {
	twin := j.gold.Cells[c.name]
	as := twin != nil && twin.Type == c.Type
	x := &cell{Type: c.Type, Parameters: c.Parameters, Directions: c.Directions, Pins: map[string][]bit{}}
	for name, bits := range c.Pins {
		if c.Directions[name] != "output" {
			for _, b := range bits {
				x.Pins[name] = append(x.Pins[name], j.here(b))
			}
			as = as && slices.Equal(x.Pins[name], twin.Pins[name])
		}
	}
	for name, bits := range c.Pins {
		if c.Directions[name] == "output" {
			for i, b := range bits {
				if as {
					j.same[b] = twin.Pins[name][i]
					continue
				}
				j.same[b] = j.next
				x.Pins[name] = append(x.Pins[name], j.next)
				j.next++
			}
		}
	}
	if as {
		return
	}
	j.cells["faulty_"+c.name] = x
	for name, bits := range x.Pins {
		if c.Directions[name] != "output" {
			for _, b := range bits {
				j.need(b)
			}
		}
	}
}

// need adds the cell that drives a net of the golden netlist, and what it needs.
func (j *joint) need(b bit) {
	if b > j.gold.last || b <= one || j.leaves[b] {
		return
	}
	c := j.gold.from[b].cell
	if c == nil || c.Type == "$dff" {
		j.leaves[b] = true
		return
	}
	if j.cells[c.name] != nil {
		return
	}
	j.cells[c.name] = c
	for name, bits := range c.Pins {
		if c.Directions[name] != "output" {
			for _, b := range bits {
				j.need(b)
			}
		}
	}
}

// module is the joint with its comparison.
func (j *joint) module() *module {
	n := len(j.a)
	nets := func() []bit {
		out := make([]bit, n)
		for i := range out {
			out[i] = j.next
			j.next++
		}
		return out
	}
	unequal, differences, differs := nets(), nets(), j.next
	words := map[string]int{"A_WIDTH": n, "B_WIDTH": n, "Y_WIDTH": n}
	j.cells["compare"] = made("$xor", words, map[string][]bit{"A": j.a, "B": j.b, "Y": unequal})
	j.cells["while"] = made("$and", words, map[string][]bit{"A": unequal, "B": j.while, "Y": differences})
	j.cells["any"] = made("$reduce_or", map[string]int{"A_WIDTH": n, "Y_WIDTH": 1}, map[string][]bit{"A": differences, "Y": {differs}})
	return &module{Cells: j.cells, Ports: map[string]port{
		"leaves":      {"input", slices.Sorted(maps.Keys(j.leaves))},
		"differences": {"output", differences},
		"differs":     {"output", []bit{differs}},
	}}
}

// made is a cell without signs.
func made(kind string, sizes map[string]int, pins map[string][]bit) *cell {
	c := &cell{Type: kind, Pins: pins, Parameters: map[string]string{"A_SIGNED": "0", "B_SIGNED": "0"}, Directions: map[string]string{}}
	for name := range pins {
		c.Directions[name] = "input"
	}
	c.Directions["Y"] = "output"
	for name, n := range sizes {
		c.Parameters[name] = fmt.Sprintf("%032b", n)
	}
	if pins["B"] == nil {
		delete(c.Parameters, "B_SIGNED")
	}
	return c
}
