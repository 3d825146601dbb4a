package synth

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// mapped is a block as cells of the library, macros and inner blocks.
type mapped struct {
	*eda.Module
	lib    *library
	inside map[string]*Block   // by module name
	clocks map[string]bool     // ports that are clocks
	next   eda.Bit             // next unused net
	tied   [2]eda.Bit          // nets of constants
	names  []string            // of the cells; cell i is named ci in the analysis
	labels map[eda.Bit][]label // names of nets in the design
}

// fanout is the maximum number of pins of blocks and memories that a net drives. Yosys does not
// limit it, because it sees these pins as a single load.
const fanout = 8

// newMapped prepares a netlist of Yosys for the analysis: it removes constants, gives each port a
// net of its own, and inserts trees of buffers.
func newMapped(m *eda.Module, lib *library, inside map[string]*Block, clocks map[string]bool) *mapped {
	b := &mapped{Module: m, lib: lib, inside: inside, clocks: clocks, next: m.Last() + 1}
	b.tie()
	b.separate()
	b.spread()
	b.names = eda.Sorted(m.Cells)
	b.label()
	return b
}

// fresh returns an unused net.
func (m *mapped) fresh() eda.Bit {
	m.next++
	return m.next - 1
}

// add adds a cell with at most one input and returns its output.
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

// drives reports whether a pin of a cell is an output.
func (m *mapped) drives(c *eda.Cell, pin string) bool {
	if l, ok := m.lib.cells[c.Type]; ok {
		return slices.Contains(l.outputs, pin)
	}
	return c.Directions[pin] == "output"
}

// tie connects constants to constant cells.
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

// separate assigns a separate net to each bit of a port.
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

// spread inserts trees of buffers into nets that drive many blocks and memories.
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

// tree inserts buffers between a net and its sinks until the net has at most fanout sinks.
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

// isClock reports whether a pin of a block or memory is a clock.
func (m *mapped) isClock(c *eda.Cell, pin string) bool {
	if b := m.inside[c.Type]; b != nil {
		return b.mapped.clocks[pin]
	}
	return pin == "clk"
}

// outputs returns the nets that a cell drives.
func (m *mapped) outputs(c *eda.Cell) (out []eda.Bit) {
	for _, pin := range eda.Sorted(c.Pins) {
		if m.drives(c, pin) {
			out = append(out, c.Pins[pin]...)
		}
	}
	return out
}

// inputs returns the nets at the inputs of a cell.
func (m *mapped) inputs(c *eda.Cell) (out []eda.Bit) {
	for _, pin := range eda.Sorted(c.Pins) {
		if !m.drives(c, pin) {
			out = append(out, c.Pins[pin]...)
		}
	}
	return out
}

// wires returns the names of nets at ports. Other nets are named by number.
func (m *mapped) wires() map[eda.Bit]string {
	out := map[eda.Bit]string{}
	for i, name := range eda.Sorted(m.Ports) {
		for j, b := range m.Ports[name].Bits {
			out[b] = portName(i, j)
		}
	}
	return out
}

// portName returns the name of a bit of a port in the analysis.
func portName(port, bit int) string { return fmt.Sprintf("p%d_%d", port, bit) }

// write writes cells of m as a Verilog module without vectors. It uses no names of the design: cell
// i is named ci.
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

// typeName returns the name of c's module in the analysis.
func (m *mapped) typeName(c *eda.Cell) string {
	if b := m.inside[c.Type]; b != nil {
		return b.analysed
	}
	return c.Type
}

// connect returns the text of the connections of a pin. A pin of a block has one connection per
// bit.
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

// area returns the area of m's library cells and of its macros, without inner blocks.
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
