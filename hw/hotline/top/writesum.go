package top

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
)

// WriteSum adds up the CRC-32C of each beat that a command writes, modulo 2^32. The driver uses the
// sum to detect missing data. The sum does not depend on the order of the beats, so the driver may
// check the memory in any order.
type WriteSum struct{ arch.Stream }

// WriteSumPorts are the ports of a WriteSum. Sum covers the beats since Clear; it includes a beat
// two cycles after the beat.
type WriteSumPorts struct {
	Valid hw.Bits `hw:"in" doc:"a beat is written"`
	Data  hw.Bits `hw:"in,StreamBits" doc:"the beat"`
	Clear hw.Bits `hw:"in" doc:"begins a new sum"`
	Sum   hw.Bits `hw:"out,32" doc:"sum of the CRC-32C of the beats, two cycles later"`
}

// Build describes the unit.
func (p WriteSum) Build(m *hw.Module) WriteSumPorts {
	m.Doc("Sum of the CRC-32C of each beat that a command writes.")
	io := hw.Ports[WriteSumPorts](m)
	beat, have := m.Data("beat", p.StreamBits), m.Reg("have", 1, 0)
	have.Set(io.Valid)
	m.When(io.Valid, func() { beat.Set(io.Data) })
	c := hw.Inst(m, "crc", crc.CRC32C{Bytes: p.StreamBytes()})
	c.Data.Set(beat)
	sum := m.Reg("total", 32, 0)
	m.When(io.Clear, func() { sum.Set(hw.K(0)) }).ElseWhen(have, func() { sum.Set(sum.Add(c.Sum)) })
	io.Sum.Set(sum)
	return io
}
