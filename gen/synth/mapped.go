package synth

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// mapped is a block as cells of the library, macros and blocks inside it.
type mapped struct {
	*eda.Module
	lib    *library
	inside map[string]*Block   // by the name of the module
	clocks map[string]bool     // its ports that are clocks
	next   eda.Bit             // the next net
	tied   [2]eda.Bit          // the nets of constants
	names  []string            // of the cells; their number is what they are called in the analysis
	labels map[eda.Bit][]label // names of nets in the design
}

// fanout is how many pins of blocks and memories a net drives at most; Yosys sees only one.
const fanout = 8

// newMapped readies a netlist of Yosys for analysis: no constants, no net on two ports, and
// trees of buffers.
func newMapped(m *eda.Module, lib *library, inside map[string]*Block, clocks map[string]bool) *mapped {
	b := &mapped{Module: m, lib: lib, inside: inside, clocks: clocks, next: m.Last() + 1}
	b.tie()
	b.separate()
	b.spread()
	b.names = eda.Sorted(m.Cells)
	b.label()
	return b
}

// fresh is a net that is not there yet.
func (m *mapped) fresh() eda.Bit {
	m.next++
	return m.next - 1
}

// add adds a cell of one input, or none, and gives its output.
func (m *mapped) add(c string, pins map[string][]eda.Bit, out string) eda.Bit {
	b := m.fresh()
	pins[out] = []eda.Bit{b}
	m.Cells[fmt.Sprintf("$%d", b)] = &eda.Cell{Type: c, Directions: map[string]string{out: "output"}, Pins: pins}
	return b
}

// repeat adds a buffer.
func (m *mapped) repeat(of buffer, in eda.Bit) eda.Bit {
	return m.add(of.cell, map[string][]eda.Bit{of.in: {in}}, of.out)
}

// drives tells whether a pin of a cell is an output.
func (m *mapped) drives(c *eda.Cell, pin string) bool {
	if l, ok := m.lib.cells[c.Type]; ok {
		return slices.Contains(l.outputs, pin)
	}
	return c.Directions[pin] == "output"
}

// tie connects constants to a cell.
func (m *mapped) tie() {
	constant := func(b eda.Bit) eda.Bit {
		if b > eda.One {
			return b
		}
		if m.tied[b] == 0 {
			t := m.lib.tie[b]
			m.tied[b] = m.add(t.cell, map[string][]eda.Bit{}, t.name)
		}
		return m.tied[b]
	}
	for _, name := range eda.Sorted(m.Cells) {
		for _, pin := range eda.Sorted(m.Cells[name].Pins) {
			bits := m.Cells[name].Pins[pin]
			for i := range bits {
				bits[i] = constant(bits[i])
			}
		}
	}
	for _, name := range eda.Sorted(m.Ports) {
		for i, b := range m.Ports[name].Bits {
			m.Ports[name].Bits[i] = constant(b)
		}
	}
}

// separate gives each bit of an output a net of its own.
func (m *mapped) separate() {
	taken := map[eda.Bit]bool{}
	for _, direction := range []string{"input", "output"} {
		for _, name := range eda.Sorted(m.Ports) {
			p := m.Ports[name]
			if p.Direction != direction {
				continue
			}
			for i, b := range p.Bits {
				if taken[b] {
					p.Bits[i] = m.repeat(m.lib.buffer, b)
				}
				taken[p.Bits[i]] = true
			}
		}
	}
}

// spread gives nets that drive many blocks and memories trees of buffers.
func (m *mapped) spread() {
	sinks := map[eda.Bit][]*eda.Bit{}
	for _, name := range eda.Sorted(m.Cells) {
		c := m.Cells[name]
		if _, small := m.lib.cells[c.Type]; small {
			continue
		}
		for _, pin := range eda.Sorted(c.Pins) {
			if m.drives(c, pin) || m.isClock(c, pin) {
				continue
			}
			for i, b := range c.Pins[pin] {
				sinks[b] = append(sinks[b], &c.Pins[pin][i])
			}
		}
	}
	var roots []eda.Bit
	for b := range sinks {
		if !slices.Contains(m.tied[:], b) {
			roots = append(roots, b)
		}
	}
	slices.Sort(roots)
	for _, root := range roots {
		m.tree(root, sinks[root])
	}
}

// tree makes buffers between a net and its sinks until it has few enough.
func (m *mapped) tree(root eda.Bit, sinks []*eda.Bit) {
	for len(sinks) > fanout {
		var level []*eda.Bit
		for group := range slices.Chunk(sinks, fanout) {
			out := m.repeat(m.lib.strong, root)
			for _, s := range group {
				*s = out
			}
			driver := m.Cells[fmt.Sprintf("$%d", out)]
			level = append(level, &driver.Pins[m.lib.strong.in][0])
		}
		sinks = level
	}
}

// isClock tells whether a pin of a block or memory takes a clock.
func (m *mapped) isClock(c *eda.Cell, pin string) bool {
	if b := m.inside[c.Type]; b != nil {
		return b.mapped.clocks[pin]
	}
	return pin == "clk"
}

// outputs are the nets that a cell drives.
func (m *mapped) outputs(c *eda.Cell) (out []eda.Bit) {
	for _, pin := range eda.Sorted(c.Pins) {
		if m.drives(c, pin) {
			out = append(out, c.Pins[pin]...)
		}
	}
	return out
}

// inputs are the nets that go into a cell.
func (m *mapped) inputs(c *eda.Cell) (out []eda.Bit) {
	for _, pin := range eda.Sorted(c.Pins) {
		if !m.drives(c, pin) {
			out = append(out, c.Pins[pin]...)
		}
	}
	return out
}

// wires are the names of nets: of ports in the analysis, others by number.
func (m *mapped) wires() map[eda.Bit]string {
	out := map[eda.Bit]string{}
	for i, name := range eda.Sorted(m.Ports) {
		for j, b := range m.Ports[name].Bits {
			out[b] = portName(i, j)
		}
	}
	return out
}

// portName is what a bit of a port is called in the analysis.
func portName(port, bit int) string { return fmt.Sprintf("p%d_%d", port, bit) }

// write writes cells of m as a Verilog module of plain wires. Names of people do not occur in
// it: cell i is ci.
func (m *mapped) write(to io.Writer, name string, cells map[string]bool) {
	w := bufio.NewWriter(to)
	defer w.Flush()
	wires := m.wires()
	wire := func(b eda.Bit) string {
		if s, ok := wires[b]; ok {
			return s
		}
		return fmt.Sprintf("n%d", b)
	}
	var list, declared []string
	for _, p := range eda.Sorted(m.Ports) {
		for _, b := range m.Ports[p].Bits {
			list = append(list, wire(b))
			declared = append(declared, fmt.Sprintf("  %s %s;\n", m.Ports[p].Direction, wire(b)))
		}
	}
	fmt.Fprintf(w, "module %s (%s);\n%s", name, strings.Join(list, ", "), strings.Join(declared, ""))
	for i, n := range m.names {
		c := m.Cells[n]
		if !cells[n] {
			continue
		}
		var pins []string
		for _, pin := range eda.Sorted(c.Pins) {
			pins = append(pins, m.connect(c, pin, wire)...)
		}
		fmt.Fprintf(w, "  %s c%d (%s);\n", m.typeName(c), i, strings.Join(pins, ", "))
	}
	fmt.Fprintln(w, "endmodule")
}

// typeName is what the module of c is called in the analysis.
func (m *mapped) typeName(c *eda.Cell) string {
	if b := m.inside[c.Type]; b != nil {
		return b.analysed
	}
	return c.Type
}

// connect is the text of the connections of a pin: of a block, one for each bit.
func (m *mapped) connect(c *eda.Cell, pin string, wire func(eda.Bit) string) (out []string) {
	var nets []string
	for _, b := range c.Pins[pin] {
		nets = append(nets, wire(b))
	}
	b := m.inside[c.Type]
	switch {
	case len(nets) == 0:
		return nil
	case b == nil && len(nets) == 1:
		return []string{fmt.Sprintf(".%s(%s)", pin, nets[0])}
	case b == nil:
		slices.Reverse(nets)
		return []string{fmt.Sprintf(".%s({%s})", pin, strings.Join(nets, ", "))}
	}
	port, _ := slices.BinarySearch(eda.Sorted(b.mapped.Ports), pin)
	for i, n := range nets {
		out = append(out, fmt.Sprintf(".%s(%s)", portName(port, i), n))
	}
	return out
}

// area is that of the cells of the library and of the macros of m, without blocks inside it.
func (m *mapped) area(macros map[string]macro) (cells, memories float64) {
	for _, c := range m.Cells {
		if l, ok := m.lib.cells[c.Type]; ok {
			cells += l.area
		} else if k, ok := macros[c.Type]; ok {
			memories += k.figures().area
		}
	}
	return cells, memories
}
