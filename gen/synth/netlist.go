package synth

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// bit is a net of a module, or a constant. Yosys numbers nets from 2 on.
type bit int

const (
	zero bit = 0
	one  bit = 1
)

// UnmarshalJSON reads a bit as Yosys writes it; those that do not matter are 0.
func (b *bit) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"1"`:
		*b = one
		return nil
	case `"0"`, `"x"`, `"z"`:
		*b = zero
		return nil
	}
	n, err := strconv.Atoi(string(text))
	*b = bit(n)
	return err
}

// MarshalJSON writes a bit as Yosys reads it.
func (b bit) MarshalJSON() ([]byte, error) {
	if b <= one {
		return fmt.Appendf(nil, `"%d"`, int(b)), nil
	}
	return fmt.Append(nil, int(b)), nil
}

// netlist is what Yosys writes as JSON.
type netlist struct {
	Modules map[string]*module `json:"modules"`
}

type module struct {
	Attributes map[string]string `json:"attributes,omitempty"`
	Ports      map[string]port   `json:"ports,omitempty"`
	Cells      map[string]*cell  `json:"cells,omitempty"`
	Nets       map[string]net    `json:"netnames,omitempty"`
}

type port struct {
	Direction string `json:"direction"`
	Bits      []bit  `json:"bits"`
}

type cell struct {
	Type       string            `json:"type"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Attributes map[string]string `json:"attributes,omitempty"`
	Directions map[string]string `json:"port_directions,omitempty"`
	Pins       map[string][]bit  `json:"connections"`
}

type net struct {
	Hidden     int               `json:"hide_name"`
	Bits       []bit             `json:"bits"`
	Attributes map[string]string `json:"attributes,omitempty"`
}

// number is a parameter, which Yosys writes in binary.
func (c *cell) number(name string) int {
	n, _ := strconv.ParseInt(c.Parameters[name], 2, 64)
	return int(n)
}

// sorted are the keys of a map, in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// last is the highest number of a net of m.
func (m *module) last() bit {
	top := one
	for _, n := range m.Nets {
		top = max(top, slices.Max(append(n.Bits, one)))
	}
	for _, c := range m.Cells {
		for _, bits := range c.Pins {
			top = max(top, slices.Max(append(bits, one)))
		}
	}
	return top
}

// useMacros puts macros in the places of memories, and tells how many of each.
func (n *netlist) useMacros(m *module) (map[macro]int, error) {
	used := map[macro]int{}
	next := m.last() + 1
	for _, name := range sorted(m.Cells) {
		c := m.Cells[name]
		bits := c.number("SIZE") * c.number("WIDTH")
		switch {
		case c.Type != "$mem_v2":
			continue
		case !c.fitsMacro() && bits > mostFlipFlops:
			return nil, fmt.Errorf("memory %s of %d bits is no macro, and too large for flip-flops", name, bits)
		case !c.fitsMacro():
			continue
		}
		delete(m.Cells, name)
		next = m.takeReset(name, c, next)
		for _, s := range c.slices() {
			k := macro{words: c.number("SIZE"), width: s.hi - s.lo, dual: !slices.Equal(c.Pins["RD_ADDR"], c.Pins["WR_ADDR"])}
			used[k]++
			m.Cells[fmt.Sprintf("%s.%d", name, s.lo)] = k.cell(c, s.lo)
			n.Modules[k.name()] = k.box()
		}
	}
	return used, nil
}

// memories are those that are left, and where they are in the Verilog.
func (m *module) memories() map[string]string {
	out := map[string]string{}
	for name, c := range m.Cells {
		if c.Type == "$mem_v2" {
			out[name] = c.Attributes["src"]
		}
	}
	return out
}

// fitsMacro tells whether a memory can be of macros: of one synchronous reading port, which
// reads old words, and one writing port, without contents at power-up.
func (c *cell) fitsMacro() bool {
	return c.number("SIZE")*c.number("WIDTH") >= leastMacro &&
		c.number("RD_PORTS") == 1 && c.number("WR_PORTS") == 1 &&
		c.number("RD_CLK_ENABLE") == 1 && c.number("WR_CLK_ENABLE") == 1 &&
		c.number("RD_CLK_POLARITY") == 1 && c.number("WR_CLK_POLARITY") == 1 &&
		c.number("RD_TRANSPARENCY_MASK") == 0 &&
		(c.Pins["RD_ARST"][0] == zero || unknown(c.Parameters["RD_ARST_VALUE"])) &&
		unknown(c.Parameters["INIT"])
}

// takeReset takes the reset of what a memory has read out of it, as for addresses behind its
// end: a register says that there was one, and gates put its value at the output. Nets from
// next on are free; it gives the next one.
func (m *module) takeReset(name string, c *cell, next bit) bit {
	reset, enable, value := c.Pins["RD_SRST"][0], c.Pins["RD_EN"][0], c.Parameters["RD_SRST_VALUE"]
	if reset == zero || unknown(value) {
		return next
	}
	fresh := func() bit {
		next++
		return next - 1
	}
	gate := func(kind string, out bit, pins string, in ...bit) bit {
		g := &cell{Type: kind, Directions: map[string]string{}, Pins: map[string][]bit{}}
		for i, p := range strings.Split(pins, "") {
			g.Directions[p], g.Pins[p] = "input", in[i:i+1]
		}
		last := map[bool]string{true: "Q", false: "Y"}[kind == "$_DFF_P_"]
		g.Directions[last], g.Pins[last] = "output", []bit{out}
		m.Cells[fmt.Sprintf("%s.reset%d", name, out)] = g
		return out
	}
	if c.number("RD_CE_OVER_SRST") == 1 {
		reset = gate("$_AND_", fresh(), "AB", reset, enable)
	}
	was := fresh()
	stays := gate("$_AND_", fresh(), "AB", was, gate("$_NOT_", fresh(), "A", enable))
	gate("$_DFF_P_", was, "CD", c.Pins["RD_CLK"][0], gate("$_OR_", fresh(), "AB", reset, stays))
	not := gate("$_NOT_", fresh(), "A", was)
	data := c.Pins["RD_DATA"]
	for i, out := range data {
		switch value[len(value)-1-i] {
		case '0':
			data[i] = fresh()
			gate("$_AND_", out, "AB", data[i], not)
		case '1':
			data[i] = fresh()
			gate("$_OR_", out, "AB", data[i], was)
		}
	}
	return next
}

// unknown tells whether no bit of a parameter has a value.
func unknown(value string) bool { return strings.Trim(value, "x") == "" }

// slice is a part of the words of a memory.
type slice struct{ lo, hi int }

// slices cuts a memory where its enable of writes changes, and into parts that are not wider
// than a macro.
func (c *cell) slices() (out []slice) {
	enable := c.Pins["WR_EN"]
	for lo := 0; lo < len(enable); {
		end := lo + 1
		for end < len(enable) && enable[end] == enable[lo] {
			end++
		}
		for n := (end - lo + widest - 1) / widest; n > 0; n-- {
			hi := lo + (end-lo+n-1)/n
			out = append(out, slice{lo, hi})
			lo = hi
		}
	}
	return out
}

// cell is a macro in the place of the memory c, for the bits from lo on.
func (m macro) cell(c *cell, lo int) *cell {
	out := &cell{Type: m.name(), Attributes: c.Attributes, Directions: map[string]string{"clk": "input", "rdata": "output"},
		Pins: map[string][]bit{"clk": c.Pins["RD_CLK"], "rdata": c.Pins["RD_DATA"][lo:][:m.width]}}
	for _, p := range m.inputs() {
		bits := c.Pins[p.port]
		if p.name == "we" || p.name == "wdata" {
			bits = bits[lo:]
		}
		out.Directions[p.name] = "input"
		out.Pins[p.name] = bits[:p.width]
	}
	return out
}

// box is the macro's module, without contents.
func (m macro) box() *module {
	b := &module{Attributes: map[string]string{"blackbox": "1"}, Ports: map[string]port{}, Cells: map[string]*cell{}, Nets: map[string]net{}}
	next := one
	add := func(name, direction string, width int) {
		var bits []bit
		for range width {
			next++
			bits = append(bits, next)
		}
		b.Ports[name] = port{direction, bits}
		b.Nets[name] = net{Bits: bits}
	}
	add("clk", "input", 1)
	add("rdata", "output", m.width)
	for _, p := range m.inputs() {
		add(p.name, "input", p.width)
	}
	return b
}
