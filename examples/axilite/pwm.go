// Package axilite is a peripheral for an AXI4-Lite bus: a pulse whose period and
// length are registers.
package axilite

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
)

// Register is the number of a register: its address is four times that.
type Register uint8

// The registers. All can be written but Pulses, which counts them.
const (
	Enable Register = iota // bit 0
	Period                 // cycles, less one
	High                   // cycles of a period in which the output is 1
	Pulses
)

var registers = enum.Sequence[Register]("register", "enable", "period", "high", "pulses")

// Enum names the registers.
func (Register) Enum() enum.Set { return registers }

// addressBits is how much of an address the peripheral sees.
const addressBits = 8

// PWM counts in Width bits, up to 32.
type PWM struct{ Width int }

// Ports are the ports of PWM.
type Ports struct {
	Bus axil.Bus `hw:"in,name=s_axil"`
	Out hw.Bits  `hw:"out,name=pulse"`
}

// AddrWidth is the number of address bits of the bus.
func (PWM) AddrWidth() int { return addressBits }

// bank is the registers.
type bank struct {
	Enable hw.Bits
	Period hw.Bits `hw:"Width"`
	High   hw.Bits `hw:"Width"`
	Pulses hw.Bits `hw:"32"`
}

// Build describes the peripheral.
func (p PWM) Build(m *hw.Module) Ports {
	m.Doc("PWM behind an AXI4-Lite bus.")
	if p.Width < 2 || p.Width > 32 {
		m.Errorf("Width is %d, expected 2 to 32", p.Width)
	}
	io := hw.Ports[Ports](m)
	slave := hw.Inst(m, "slave", axil.Slave{AddrWidth: addressBits})
	hw.Connect(slave.Bus, io.Bus)
	b := hw.Reg[bank](m, "bank")
	p.write(m, b, slave.Access)
	p.read(m, b, slave.Access)
	p.pulse(m, b, io.Out)
	return io
}

// register is which one an address means, and whether there is none.
func register(addr hw.Bits) (r hw.Enum[Register], outside hw.Bits) {
	return hw.EnumOf[Register](addr.Slice(3, 2)), addr.Slice(addressBits-1, 4).Any()
}

func (p PWM) write(m *hw.Module, b bank, a axil.Access) {
	r, outside := register(a.WriteAddr)
	a.WriteError.Set(outside.Or(r.Is(Pulses)))
	for _, x := range []struct {
		r     Register
		value hw.Bits
	}{{Enable, b.Enable}, {Period, b.Period}, {High, b.High}} {
		m.When(a.Write.And(a.WriteError.Not()).And(r.Is(x.r)), func() { x.value.Set(masked(x.value, a)) })
	}
}

// masked is x with the bytes that are written.
func masked(x hw.Bits, a axil.Access) hw.Bits {
	mask := a.WriteStrb.Unpack(1)
	var bits []hw.Bits
	for i := range 4 {
		bits = append([]hw.Bits{mask.N(i).Repeat(8)}, bits...)
	}
	all := hw.Cat(bits...).Trunc(x.Width())
	return x.And(all.Not()).Or(a.WriteData.Trunc(x.Width()).And(all))
}

// read answers in the cycle after that of the question.
func (p PWM) read(m *hw.Module, b bank, a axil.Access) {
	answer, failed := m.Data("answer", 32), m.Data("failed", 1)
	r, outside := register(a.ReadAddr)
	word := hw.Mux(r.Is(Enable), b.Enable.Ext(32), hw.Mux(r.Is(Period), b.Period.Resize(32), hw.Mux(r.Is(High), b.High.Resize(32), b.Pulses)))
	m.When(a.Read, func() {
		answer.Set(word)
		failed.Set(outside)
	})
	a.ReadData.Set(answer)
	a.ReadError.Set(failed)
}

func (p PWM) pulse(m *hw.Module, b bank, out hw.Bits) {
	n := m.Reg("n", p.Width, 0)
	out.Set(b.Enable.And(n.Lt(b.High)))
	m.When(b.Enable, func() {
		n.Set(n.Inc())
		m.When(n.Ge(b.Period), func() {
			n.Set(hw.K(0))
			b.Pulses.Set(b.Pulses.Inc())
		})
	})
}
