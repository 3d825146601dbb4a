// Package axilite is a peripheral for an AXI4-Lite bus: a pulse generator whose period and pulse
// length are registers.
package axilite

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/regbank"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// addressBits is the number of address bits that the peripheral decodes.
const addressBits = 8

// registers are the fields visible to software.
type registers struct {
	Enable hw.Bits `reg:"0x00,rw,0" doc:"count cycles and give pulses"`
	Period hw.Bits `reg:"0x04,rw,15:0" doc:"cycles of a period, less one"`
	High   hw.Bits `reg:"0x08,rw,15:0" doc:"cycles of a period in which the output is 1"`
	Pulses hw.Bits `reg:"0x0c,count" doc:"periods that have ended"`
}

// Registers is the register map.
var Registers = regmap.New[registers]("pwm", "Registers of the PWM.")

// PWM generates pulses.
type PWM struct{}

// Ports are the ports of PWM.
type Ports struct {
	Bus axil.Bus `hw:"in,name=s_axil"`
	Out hw.Bits  `hw:"out,name=pulse"`
}

// AddrWidth returns the number of address bits of the bus.
func (PWM) AddrWidth() int { return addressBits }

// Build describes the peripheral.
func (PWM) Build(m *hw.Module) Ports {
	m.Doc("PWM behind an AXI4-Lite bus.")
	io := hw.Ports[Ports](m)
	slave := hw.Inst(m, "slave", axil.Slave{AddrWidth: addressBits})
	hw.Connect(slave.Bus, io.Bus)
	r := regbank.New[registers](m, "registers", Registers, slave.Access).Fields
	n := m.Reg("n", r.Period.Width(), 0)
	io.Out.Set(r.Enable.And(n.Lt(r.High)))
	m.When(r.Enable, func() {
		n.Set(n.Inc())
		m.When(n.Ge(r.Period), func() {
			n.Set(hw.K(0))
			r.Pulses.Set(r.Pulses.Inc())
		})
	})
	return io
}
