package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// results keeps the results of one engine, for both halves of the eDRAM. Rows
// are addressed as in the eDRAM.
type results struct{ arch.Params }

type resultsPorts struct {
	Write, WriteRow, WriteData hw.Bits
	Read, ReadRow              hw.Bits
	ReadData                   hw.Bits // a cycle after Read, until the next
}

// ModuleName names the module.
func (p results) ModuleName() string { return "lookup_results" }

// Build describes the memory.
func (p results) Build(m *hw.Module) resultsPorts {
	m.Doc("Results of one engine for both halves of the eDRAM.")
	io := resultsPorts{
		Write:     m.In("we", 1),
		WriteRow:  m.In("waddr", addressWidth(p.Params)),
		WriteData: m.In("wdata", eal.ResultWidth(p.Params)),
		Read:      m.In("re", 1),
		ReadRow:   m.In("raddr", addressWidth(p.Params)),
		ReadData:  m.Out("rdata", eal.ResultWidth(p.Params)),
	}
	top := addressWidth(p.Params) - 1
	words := m.WireVec("word", 2, eal.ResultWidth(p.Params))
	m.For("half", 2, func(h hw.Index) {
		mem := hw.Inst(m, "store", ram.SimpleDual{Depth: halfRows(p.Params), Width: eal.ResultWidth(p.Params), Style: "block"})
		mem.Write.Set(io.Write.And(io.WriteRow.Bit(top).Eq(h.Bits(1))))
		mem.WAddr.Set(io.WriteRow.Trunc(top))
		mem.WData.Set(io.WriteData)
		mem.Read.Set(io.Read.And(io.ReadRow.Bit(top).Eq(h.Bits(1))))
		mem.RAddr.Set(io.ReadRow.Trunc(top))
		words.At(h).Set(mem.RData)
	})
	half := m.Data("read_half", 1)
	m.When(io.Read, func() { half.Set(io.ReadRow.Bit(top)) })
	io.ReadData.Set(words.Index(half))
	return io
}
