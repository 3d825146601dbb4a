package formal

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Ports of a miter: an input that is 1 in the first step, and an output that must remain 0.
const (
	first  = "first:step"
	differ = "outputs:differ"
)

// miter combines two netlists in one module.
type miter struct {
	out  *eda.Module
	a, b *eda.Module
	same map[eda.Bit]eda.Bit // bits of a for shared bits of b
	base eda.Bit             // added to all other bits of b
	next eda.Bit             // next free bit

	left, right, while []eda.Bit // left and right must be equal while while is 1
}

// newMiter returns a module with the inputs of a and b, and with the ports first and differ.
func newMiter(a, b *eda.Module, top *ir.Module, valid map[eda.Bit]eda.Bit) *eda.Module {
	m := &miter{out: &eda.Module{Ports: map[string]eda.Port{}, Cells: map[string]*eda.Cell{}},
		a: a, b: b, same: map[eda.Bit]eda.Bit{}, base: a.Last(), next: a.Last() + b.Last() + 1}
	m.inputs()
	m.resets(top)
	m.cells()
	for _, name := range eda.Sorted(a.Ports) {
		if p := a.Ports[name]; p.Direction == "output" {
			m.compare(p.Bits, b.Ports[name].Bits, func(i int) eda.Bit {
				if while, ok := valid[p.Bits[i]]; ok {
					return while
				}
				return eda.One
			})
		}
	}
	apart := m.binary("$and", m.binary("$xor", m.left, m.right), m.while)
	m.out.Ports[differ] = eda.Port{Direction: "output", Bits: m.any(apart)}
	return m.out
}

// inputs shares the inputs and the read data of memories between both netlists.
func (m *miter) inputs() {
	share := func(name string, a, b []eda.Bit) {
		m.out.Ports[name] = eda.Port{Direction: "input", Bits: a}
		for i, bit := range b {
			m.same[bit] = a[i]
		}
	}
	for name, p := range m.a.Ports {
		if p.Direction == "input" {
			share(name, p.Bits, m.b.Ports[name].Bits)
		}
	}
	for name, c := range m.a.Cells {
		if c.Type == "$mem_v2" {
			share("read:"+name, c.Pins["RD_DATA"], m.b.Cells[name].Pins["RD_DATA"])
		}
	}
}

// resets allows each reset to be active again at any time.
func (m *miter) resets(top *ir.Module) {
	again := func(name string, low bool) {
		p, ok := m.out.Ports[name]
		if !ok {
			return
		}
		own, later := m.fresh(1), m.fresh(1)
		m.out.Ports[name] = eda.Port{Direction: "input", Bits: own}
		m.out.Ports["again:"+name] = eda.Port{Direction: "input", Bits: later}
		kind := "$or"
		if low {
			kind = "$and"
		}
		m.cell("reset:"+name, kind, map[string][]eda.Bit{"A": own, "B": later}, "Y", p.Bits)
	}
	again(top.Own.ResetName(), top.Own.Low)
	for _, d := range top.Domains {
		if d.Reset != nil {
			again(d.Reset.Name, d.Low)
		}
	}
}

// cells adds the cells of both netlists. In the first step, registers of b have the values of the
// registers of a.
func (m *miter) cells() {
	begin := m.fresh(1)
	m.out.Ports[first] = eda.Port{Direction: "input", Bits: begin}
	for name, c := range m.a.Cells {
		if c.Type == "$mem_v2" {
			m.memory(c, m.b.Cells[name])
		} else {
			m.out.Cells["a:"+name] = c
		}
	}
	for name, c := range m.b.Cells {
		if c.Type == "$mem_v2" {
			continue
		}
		x := &eda.Cell{Type: c.Type, Parameters: c.Parameters, Attributes: c.Attributes, Directions: c.Directions, Pins: map[string][]eda.Bit{}}
		for pin, bits := range c.Pins {
			x.Pins[pin] = m.twins(bits)
		}
		if twin := m.a.Cells[name]; (c.Type == "$dff" || c.Type == "$_DFF_P_") && twin != nil {
			now := x.Pins["Q"]
			x.Pins["Q"] = m.fresh(len(now))
			m.cell("now:"+name, "$mux", map[string][]eda.Bit{"S": begin, "A": x.Pins["Q"], "B": twin.Pins["Q"]}, "Y", now)
		}
		m.out.Cells["b:"+name] = x
	}
}

// memory compares the inputs of two memories. Addresses and data of writes are compared only while
// they are enabled.
func (m *miter) memory(a, b *eda.Cell) {
	enable, data := a.Pins["WR_EN"], a.Pins["WR_DATA"]
	always := func(int) eda.Bit { return eda.One }
	m.compare(a.Pins["RD_ADDR"], b.Pins["RD_ADDR"], always)
	m.compare(enable, b.Pins["WR_EN"], always)
	m.compare(data, b.Pins["WR_DATA"], func(i int) eda.Bit { return enable[i] })
	width, address := a.Number("WIDTH"), a.Number("ABITS")
	for port := range a.Number("WR_PORTS") {
		written := m.any(enable[port*width:][:width])[0]
		m.compare(a.Pins["WR_ADDR"][port*address:][:address], b.Pins["WR_ADDR"][port*address:][:address], func(int) eda.Bit { return written })
	}
}

// compare requires that bits are equal while the bit returned by counts is 1.
func (m *miter) compare(a, b []eda.Bit, counts func(i int) eda.Bit) {
	for i, bit := range m.twins(b) {
		if bit != a[i] {
			m.left, m.right, m.while = append(m.left, a[i]), append(m.right, bit), append(m.while, counts(i))
		}
	}
}

// twins returns the bits of the miter that correspond to bits of b.
func (m *miter) twins(bits []eda.Bit) []eda.Bit {
	out := make([]eda.Bit, len(bits))
	for i, b := range bits {
		if x, shared := m.same[b]; shared {
			out[i] = x
		} else if b > eda.One {
			out[i] = b + m.base
		} else {
			out[i] = b
		}
	}
	return out
}

// fresh returns n unused bits.
func (m *miter) fresh(n int) []eda.Bit {
	out := make([]eda.Bit, n)
	for i := range out {
		out[i] = m.next
		m.next++
	}
	return out
}

// any returns whether a bit is 1.
func (m *miter) any(bits []eda.Bit) []eda.Bit {
	y := m.fresh(1)
	m.cell(fmt.Sprint("any:", y[0]), "$reduce_or", map[string][]eda.Bit{"A": bits}, "Y", y)
	return y
}

// binary returns the result of an operation on two words of the same width.
func (m *miter) binary(kind string, a, b []eda.Bit) []eda.Bit {
	y := m.fresh(len(a))
	m.cell(fmt.Sprint("both:", y[0]), kind, map[string][]eda.Bit{"A": a, "B": b}, "Y", y)
	return y
}

// cell adds a cell with unsigned operands.
func (m *miter) cell(name, kind string, in map[string][]eda.Bit, out string, y []eda.Bit) {
	c := &eda.Cell{Type: kind, Parameters: map[string]string{}, Directions: map[string]string{out: "output"}, Pins: map[string][]eda.Bit{out: y}}
	for pin, bits := range in {
		c.Pins[pin], c.Directions[pin] = bits, "input"
		c.Parameters[pin+"_SIGNED"], c.Parameters[pin+"_WIDTH"] = "0", parameter(len(bits))
	}
	c.Parameters[out+"_WIDTH"] = parameter(len(y))
	if kind == "$mux" {
		c.Parameters = map[string]string{"WIDTH": parameter(len(y))}
	}
	m.out.Cells[name] = c
}

// parameter formats a number as Yosys does.
func parameter(n int) string { return fmt.Sprintf("%032b", n) }
