package synth

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// useMacros replaces memories by macros, and returns the number of each kind.
func useMacros(n *eda.Netlist, m *eda.Module) (map[macro]int, error) {
	used := map[macro]int{}
	next := m.Last() + 1
	for _, name := range eda.Sorted(m.Cells) {
		c := m.Cells[name]
		bits := c.Number("SIZE") * c.Number("WIDTH")
		switch {
		case c.Type != "$mem_v2":
			continue
		case !fitsMacro(c) && bits > mostFlipFlops:
			return nil, fmt.Errorf("memory %s of %d bits is not a macro, and is too large for flip-flops", name, bits)
		case !fitsMacro(c):
			continue
		}
		delete(m.Cells, name)
		next = takeReset(m, name, c, next)
		for _, s := range slicesOf(c) {
			k := macro{words: c.Number("SIZE"), width: s.hi - s.lo, dual: !slices.Equal(c.Pins["RD_ADDR"], c.Pins["WR_ADDR"])}
			used[k]++
			m.Cells[fmt.Sprintf("%s.%d", name, s.lo)] = k.cell(c, s.lo)
			n.Modules[k.name()] = k.box()
		}
	}
	return used, nil
}

// memories returns the memories that were not replaced, with their positions in the Verilog.
func memories(m *eda.Module) map[string]string {
	out := map[string]string{}
	for name, c := range m.Cells {
		if c.Type == "$mem_v2" {
			out[name] = c.Attributes["src"]
		}
	}
	return out
}

// fitsMacro reports whether a memory can be built from macros. It must have one synchronous read
// port, which reads old data, one write port, and no initial content.
func fitsMacro(c *eda.Cell) bool {
	return c.Number("SIZE")*c.Number("WIDTH") >= leastMacro &&
		c.Number("RD_PORTS") == 1 && c.Number("WR_PORTS") == 1 &&
		c.Number("RD_CLK_ENABLE") == 1 && c.Number("WR_CLK_ENABLE") == 1 &&
		c.Number("RD_CLK_POLARITY") == 1 && c.Number("WR_CLK_POLARITY") == 1 &&
		c.Number("RD_TRANSPARENCY_MASK") == 0 &&
		(c.Pins["RD_ARST"][0] == eda.Zero || unknown(c.Parameters["RD_ARST_VALUE"])) &&
		unknown(c.Parameters["INIT"])
}

// takeReset moves the reset of a memory's read port out of the memory. Such a reset implements
// addresses beyond the end. A register records the reset, and gates force the reset value at the
// output. Nets from next on are unused; takeReset returns the next unused net.
func takeReset(m *eda.Module, name string, c *eda.Cell, next eda.Bit) eda.Bit {
	reset, enable, value := c.Pins["RD_SRST"][0], c.Pins["RD_EN"][0], c.Parameters["RD_SRST_VALUE"]
	if reset == eda.Zero || unknown(value) {
		return next
	}
	fresh := func() eda.Bit {
		next++
		return next - 1
	}
	gate := func(kind string, out eda.Bit, pins string, in ...eda.Bit) eda.Bit {
		g := &eda.Cell{Type: kind, Directions: map[string]string{}, Pins: map[string][]eda.Bit{}}
		for i, p := range strings.Split(pins, "") {
			g.Directions[p], g.Pins[p] = "input", in[i:i+1]
		}
		last := map[bool]string{true: "Q", false: "Y"}[kind == "$_DFF_P_"]
		g.Directions[last], g.Pins[last] = "output", []eda.Bit{out}
		m.Cells[fmt.Sprintf("%s.reset%d", name, out)] = g
		return out
	}
	if c.Number("RD_CE_OVER_SRST") == 1 {
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

// unknown reports whether all bits of a parameter are undefined.
func unknown(value string) bool { return strings.Trim(value, "x") == "" }

// slice is a range of bits of the words of a memory.
type slice struct{ lo, hi int }

// slicesOf splits a memory where its write enable changes, and into parts that are not wider than a
// macro.
func slicesOf(c *eda.Cell) (out []slice) {
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

// cell returns a macro that replaces the memory c, for the bits from lo on.
func (m macro) cell(c *eda.Cell, lo int) *eda.Cell {
	out := &eda.Cell{Type: m.name(), Attributes: c.Attributes, Directions: map[string]string{"clk": "input", "rdata": "output"},
		Pins: map[string][]eda.Bit{"clk": c.Pins["RD_CLK"], "rdata": c.Pins["RD_DATA"][lo:][:m.width]}}
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

// box returns the macro's module as a black box.
func (m macro) box() *eda.Module {
	b := &eda.Module{Attributes: map[string]string{"blackbox": "1"}, Ports: map[string]eda.Port{}, Cells: map[string]*eda.Cell{}, Nets: map[string]eda.Net{}}
	next := eda.One
	add := func(name, direction string, width int) {
		var bits []eda.Bit
		for range width {
			next++
			bits = append(bits, next)
		}
		b.Ports[name] = eda.Port{Direction: direction, Bits: bits}
		b.Nets[name] = eda.Net{Bits: bits}
	}
	add("clk", "input", 1)
	add("rdata", "output", m.width)
	for _, p := range m.inputs() {
		add(p.name, "input", p.width)
	}
	return b
}
