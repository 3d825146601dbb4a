package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// lookupResults stores the results of one engine for both halves of the eDRAM. Its addresses are
// eDRAM rows.
type lookupResults struct {
	HalfRows int `doc:"rows of a half of the input eDRAM"`
	Ways     int `doc:"size of an EAL set" unit:"blocks"`
}

type resultsPorts struct {
	Write     hw.Bits    `hw:"in,name=we" doc:"writes wdata to waddr"`
	WriteRow  hw.Bits    `hw:"in,AddressBits,name=waddr" doc:"half, row of the half"`
	WriteData eal.Result `hw:"in,name=wdata" doc:"result to write"`
	Read      hw.Bits    `hw:"in,name=re" doc:"reads the result at raddr"`
	ReadRow   hw.Bits    `hw:"in,AddressBits,name=raddr" doc:"half, row of the half"`
	ReadData  eal.Result `hw:"out,name=rdata" doc:"a cycle after re, until the next"`
}

// AddressBits returns the width of the address of an eDRAM row: half, row of the half.
func (p lookupResults) AddressBits() int { return hw.IndexWidth(2 * p.HalfRows) }

// WayBits returns the width of a way number.
func (p lookupResults) WayBits() int { return arch.Log2(p.Ways) }

// Build describes the memory.
func (p lookupResults) Build(m *hw.Module) resultsPorts {
	m.Doc("Results of one engine for both halves of the eDRAM.")
	io := hw.Ports[resultsPorts](m)
	of, top := hw.Of[eal.Result](p), p.AddressBits()-1
	words := m.WireVec("word", 2, of.Bits())
	m.For("half", 2, func(h hw.Index) {
		mem := hw.Inst(m, "store", ram.SimpleDual[eal.Result]{Of: of, Depth: p.HalfRows, Style: "block"})
		mem.Write.Set(io.Write.And(io.WriteRow.Bit(top).Eq(h.Bits(1))))
		mem.WAddr.Set(io.WriteRow.Trunc(top))
		hw.Set(mem.WData, io.WriteData)
		mem.Read.Set(io.Read.And(io.ReadRow.Bit(top).Eq(h.Bits(1))))
		mem.RAddr.Set(io.ReadRow.Trunc(top))
		words.At(h).Set(hw.Pack(mem.RData))
	})
	half := m.Data("read_half", 1)
	m.When(io.Read, func() { half.Set(io.ReadRow.Bit(top)) })
	hw.Set(io.ReadData, of.Unpack(m, words.Index(half)))
	return io
}
