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
	"github.com/hotline-rtl/hotline/sim/outfile"
)

// Equivalent tells whether Yosys proves that nobody at the ports can tell the mutant from
// the netlist, both starting in the same state. It takes registers for equal and asks for a
// state and inputs with which outputs or registers become different; registers that do are taken
// for equal only while what they hold is valid, as far as names tell, and then not at all, until
// there is no more difference, which is a proof by induction, or one at an output, which is none. A memory is one
// such register: what it reads at another address, or when it may hold something else, is anything.
func (x Mutant) Equivalent() (bool, error) {
	gold, err := x.n.gold()
	if err != nil {
		return false, err
	}
	faulty, err := load(filepath.Join(x.n.dir, x.file()))
	if err != nil {
		return false, err
	}
	m := &miter{drivers(gold), drivers(faulty), gold.valids(x.n.payload), gold.guards(), map[string]trust{}}
	claims, err := x.n.invariants()
	if err != nil {
		return false, err
	}
	for {
		apart, err := m.differences(x.n, claims)
		if err != nil || len(apart) == 0 {
			return err == nil, err
		}
		for _, name := range apart {
			if name == "" {
				return m.unreachable(x.n)
			}
			m.trust[name] = m.less(name)
		}
	}
}

// gold is the netlist without a fault.
func (n *Netlist) gold() (*module, error) {
	var err error
	if n.golden == nil {
		n.golden, err = load(filepath.Join(n.dir, "gold.json"))
	}
	return n.golden, err
}

// miter compares a netlist with a faulty one.
type miter struct {
	golden, faulty pins
	valid          map[bit]bit      // of bits of golden outputs that mean something only while it is 1
	guards         map[string]bit   // of flip-flops, by the names of their cells: what says that they count
	trust          map[string]trust // likewise
}

// trust is when a flip-flop is taken for equal in both netlists.
type trust uint8

const (
	always  trust = iota
	guarded       // while its guard is 1
	never
)

// less is what is left of the trust in a flip-flop that may differ.
func (m *miter) less(name string) trust {
	if m.guards[name] != 0 && m.trust[name] == always {
		return guarded
	}
	return never
}

// guards are, of registers whose names begin with that of a valid of the same clock, as
// stage_id does with that of stage_valid, the nets of these; of others, the nets of registers
// that tell whether they took a word a cycle ago.
func (m *module) guards() map[string]bit {
	out := m.loaded()
	flops := m.flipFlops()
	names := sorted(m.Nets)
	slices.SortStableFunc(names, func(a, b string) int { return len(a) - len(b) }) // the longest counts
	for _, valid := range names {
		stem, ok := strings.CutSuffix(valid, "valid")
		bits := m.Nets[valid].Bits
		guard := flops[bits[0]]
		if !ok || len(bits) != 1 || guard.cell == nil {
			continue
		}
		for name, net := range m.Nets {
			f := flops[net.Bits[0]]
			if f.cell != nil && name != valid && strings.HasPrefix(name, stem) && f.clock() == guard.clock() {
				out[f.cell.name] = guard.net("Q")
			}
		}
	}
	return out
}

// loaded are, of flip-flops that take a word while a net is 1 and else keep theirs, the nets
// of those of the same clock that take this net, unless they are reset.
func (m *module) loaded() map[string]bit {
	from, flops := drivers(m).from, m.flipFlops()
	took := map[bit]bit{} // by net
	for _, q := range slices.Sorted(maps.Keys(flops)) {
		d := flops[q].net("D")
		if x := from[d]; x.cell != nil && x.cell.Type == "$mux" && x.cell.Pins["B"][x.at] == zero {
			d = x.cell.Pins["A"][x.at]
		}
		took[d] = q
	}
	out := map[string]bit{}
	for _, q := range slices.Sorted(maps.Keys(flops)) {
		f := flops[q]
		x := from[f.net("D")]
		if x.cell == nil || x.cell.Type != "$mux" || x.cell.Pins["A"][x.at] != q {
			continue
		}
		if guard := took[x.cell.Pins["S"][0]]; guard != 0 && flops[guard].clock() == f.clock() {
			out[f.cell.name] = guard
		}
	}
	return out
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
func (m *miter) differences(n *Netlist, claims []claim) ([]string, error) {
	j := m.join()
	if len(j.owners) == 0 {
		return nil, nil
	}
	holds := j.all(append(j.assumed, j.known(claims)))
	out := j.module(j.unequal())
	out.Ports["holds"] = port{"output", []bit{holds}}
	differ, err := n.ask(out, len(j.owners), "-set holds 1")
	if err != nil || differ == nil {
		return nil, err
	}
	var names []string
	for i, name := range j.owners {
		if differ[i] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// ask looks for values of leaves for which one of so many bits differs: the result are the bits
// that do, nil if none can, and all if time runs out.
func (n *Netlist) ask(m *module, bits int, options string) ([]bool, error) {
	text, err := json.Marshal(map[string]any{"modules": map[string]any{"question": m}})
	if err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	if err := outfile.Scratch(filepath.Join(n.dir, "question.json"), text); err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	if err := n.yosys(fmt.Sprintf("read_json question.json\ntee -q -o answer.txt sat -timeout 30 %s -prove differs 0 -show differences\n", options)); err != nil {
		return nil, err
	}
	answer, err := os.ReadFile(filepath.Join(n.dir, "answer.txt"))
	if err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	if strings.Contains(string(answer), "no model found: SUCCESS!") {
		return nil, nil
	}
	out := make([]bool, bits)
	found := shown.FindSubmatch(answer)
	for i := range out {
		out[i] = found == nil || found[1][bits-1-i] == '1'
	}
	return out, nil
}

var shown = regexp.MustCompile(`\\differences .* ([01]+)\n`)

// joint is a module about a netlist without state: registers are inputs.
type joint struct {
	gold   pins
	cells  map[string]*cell
	leaves map[bit]bool
	next   bit // that is free
}

func newJoint(gold pins) *joint {
	return &joint{gold: gold, cells: map[string]*cell{}, leaves: map[bit]bool{}, next: gold.last + 1}
}

// pair is both netlists in one module, the faulty one only where it may differ.
type pair struct {
	*joint
	*miter
	same    map[bit]bit // nets of the faulty netlist here
	owners  []string    // by pair: the flip-flop that takes it, or "" for an output
	a, b    []bit       // pairs that may differ
	while   []bit       // of each pair, when it counts
	assumed []bit       // to be 1
}

func (m *miter) join() *pair {
	j := &pair{joint: newJoint(m.golden), miter: m, same: map[bit]bit{}}
	for _, name := range sorted(m.golden.Ports) {
		if p := m.golden.Ports[name]; p.Direction == "output" {
			j.compare("", p.Bits, m.faulty.Ports[name].Bits, func(i int) bit {
				if while, ok := m.valid[p.Bits[i]]; ok {
					return while
				}
				return one
			})
		}
	}
	for _, name := range sorted(m.golden.Cells) {
		c, twin := m.golden.Cells[name], m.faulty.Cells[name]
		if !c.keeps() || m.trust[name] == never {
			continue
		}
		for _, pin := range []string{"D", "WR_EN", "WR_ADDR", "WR_DATA"} {
			j.compare(name, c.Pins[pin], twin.Pins[pin], j.counts(c, pin))
		}
	}
	for _, b := range slices.Concat(j.a, j.while) {
		j.need(b)
	}
	return j
}

// counts tells when bits of a pin that state follows count: of addresses and data of a memory,
// while they are written.
func (j *pair) counts(c *cell, pin string) func(i int) bit {
	enable := c.Pins["WR_EN"]
	switch pin {
	case "D":
		if j.trust[c.name] == guarded {
			guard := j.joint.gold.from[j.guards[c.name]]
			return func(int) bit { return guard.cell.Pins["D"][guard.at] }
		}
	case "WR_DATA":
		return func(i int) bit { return enable[i] }
	case "WR_ADDR":
		n, width := c.number("ABITS"), c.number("WIDTH")
		return func(i int) bit { return j.cell("$reduce_or", 1, enable[i/n*width:][:width], nil)[0] }
	}
	return func(int) bit { return one }
}

// compare notes the nets that may differ, and when they count.
func (j *pair) compare(owner string, gold, faulty []bit, counts func(i int) bit) {
	for i, b := range gold {
		if x := j.here(faulty[i]); x != b {
			while := counts(i)
			j.owners, j.a, j.b, j.while = append(j.owners, owner), append(j.a, b), append(j.b, x), append(j.while, while)
			if owner != "" && while != one {
				for _, e := range j.joint.gold.Cells[owner].Pins["WR_EN"] {
					j.need(e)
				}
			}
		}
	}
}

// here is the net that has the value of one of the faulty netlist: one of the golden netlist if
// it cannot differ.
func (j *pair) here(b bit) bit {
	if b <= one {
		return b
	}
	if x, ok := j.same[b]; ok {
		return x
	}
	from := j.faulty.from[b]
	switch c := from.cell; {
	case c == nil:
		j.same[b] = j.joint.gold.Ports[from.name].Bits[from.at]
	case c.keeps() && (j.trust[c.name] != always || !j.sameAddress(c, from.at)):
		j.same[b] = j.next
		j.leaves[j.next] = true
		j.next++
		if guard := j.guards[c.name]; j.trust[c.name] == guarded {
			q := j.joint.gold.Cells[c.name].Pins[from.name][from.at]
			j.need(guard)
			j.need(q)
			differ := j.cell("$xor", 1, []bit{q}, []bit{j.same[b]})
			j.assumed = append(j.assumed, j.invert(j.cell("$and", 1, differ, []bit{guard}))...)
		}
	case c.keeps():
		j.same[b] = j.joint.gold.Cells[c.name].Pins[from.name][from.at]
	default:
		j.copy(c)
	}
	return j.same[b]
}

// sameAddress tells whether the port of a memory that reads a bit has the address of the golden
// one; what a flip-flop holds has none.
func (j *pair) sameAddress(c *cell, at int) bool {
	if c.Type == "$dff" {
		return true
	}
	n, port := c.number("ABITS"), at/c.number("WIDTH")
	gold := j.joint.gold.Cells[c.name].Pins["RD_ADDR"]
	for i := port * n; i < port*n+n; i++ {
		if j.here(c.Pins["RD_ADDR"][i]) != gold[i] {
			return false
		}
	}
	return true
}

// keeps tells whether a cell has state.
func (c *cell) keeps() bool { return c.Type == "$dff" || c.Type == "$_DFF_P_" || c.Type == "$mem_v2" }

// copy finds where the outputs of a cell of the faulty netlist are: at the same cell of the
// golden one, if its inputs are the same, or else at a copy.
func (j *pair) copy(c *cell) {
	twin := j.joint.gold.Cells[c.name]
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
	if c == nil || c.keeps() {
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

// module is the joint that tells whether one of some bits is 1.
func (j *joint) module(differences []bit) *module {
	differs := j.cell("$reduce_or", 1, differences, nil)
	return &module{Cells: j.cells, Ports: map[string]port{
		"leaves":      {"input", slices.Sorted(maps.Keys(j.leaves))},
		"differences": {"output", differences},
		"differs":     {"output", differs},
	}}
}

// unequal tells of each pair whether it differs while it counts.
func (j *pair) unequal() []bit {
	n := len(j.a)
	return j.cell("$and", n, j.cell("$xor", n, j.a, j.b), j.while)
}

// cell adds a cell without signs, of one operand if b is nil; the result are its outputs.
func (j *joint) cell(kind string, width int, a, b []bit) []bit {
	y := make([]bit, width)
	for i := range y {
		y[i] = j.next
		j.next++
	}
	c := &cell{Type: kind, Pins: map[string][]bit{"A": a, "Y": y}, Parameters: map[string]string{"A_SIGNED": "0", "A_WIDTH": binary32(len(a)), "Y_WIDTH": binary32(width)},
		Directions: map[string]string{"A": "input", "Y": "output"}}
	if b != nil {
		c.Pins["B"], c.Directions["B"] = b, "input"
		c.Parameters["B_SIGNED"], c.Parameters["B_WIDTH"] = "0", binary32(len(b))
	}
	j.cells[fmt.Sprintf("added_%d", y[0])] = c
	return y
}

func binary32(n int) string { return fmt.Sprintf("%032b", n) }

func (j *joint) invert(bits []bit) []bit { return j.cell("$not", len(bits), bits, nil) }

func (j *joint) all(bits []bit) bit { return j.cell("$reduce_and", 1, bits, nil)[0] }

// claim tells whether a claim is true of some bits.
func (j *joint) claim(c claim, bits []bit) bit {
	if len(bits) <= mostBits {
		table := make([]bit, 1<<len(bits))
		for _, v := range c.values {
			table[v] = one
		}
		return j.cell("$shr", 1, table, bits)[0]
	}
	var any []bit
	for _, v := range c.values {
		constant := make([]bit, len(bits))
		for i := range constant {
			constant[i] = bit(v >> i & 1)
		}
		any = append(any, j.cell("$eq", 1, bits, constant)[0])
	}
	return j.cell("$reduce_or", 1, any, nil)[0]
}

// known tells whether all claims about leaves hold.
func (j *joint) known(claims []claim) bit {
	holds := []bit{one}
	for _, c := range claims {
		if slices.ContainsFunc(c.bits, func(b bit) bool { return j.leaves[b] }) {
			for _, b := range c.bits {
				j.need(b)
			}
			holds = append(holds, j.claim(c, c.bits))
		}
	}
	return j.all(holds)
}
