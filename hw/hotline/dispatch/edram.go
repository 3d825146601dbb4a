package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// EDRAM is the input eDRAM: one bank of 32-bit words per lookup engine, two
// halves. A stream beat fills a part: the words of StreamBits/32 neighbouring
// banks in one row. Loads, the memory controller and the engines do not
// overlap; if they do, the first of these wins.
type EDRAM struct{ arch.Params }

// EDRAMPorts: a read gives its words in the next cycle and holds them.
type EDRAMPorts struct {
	LoadValid, LoadDest, LoadData hw.Bits // dest: {half, row, part}
	FetchEnable, FetchRow         hw.Bits
	LookupEnable                  hw.Bits // by bank
	LookupRow                     hw.Vec
	Data                          hw.Vec
}

func edramRowBits(p arch.Params) int  { return hw.IndexWidth(p.BankWords()) }
func edramDestBits(p arch.Params) int { return arch.Log2(p.Engines*32/p.StreamBits) + edramRowBits(p) }

// ModuleName names the module.
func (EDRAM) ModuleName() string { return "input_edram" }

// Build describes the eDRAM.
func (p EDRAM) Build(m *hw.Module) EDRAMPorts {
	m.Doc("Input eDRAM: the words of two mini-batches, word k of a half in bank k mod engines.")
	a := p.Params
	perBeat := p.StreamBits / 32
	io := EDRAMPorts{
		LoadValid: m.In("load_valid", 1), LoadDest: m.In("load_dest", edramDestBits(a)), LoadData: m.In("load_data", p.StreamBits),
		FetchEnable: m.In("fetch_enable", 1), FetchRow: m.In("fetch_row", edramRowBits(a)),
		LookupEnable: m.In("lookup_enable", p.Engines), LookupRow: m.InVec("lookup_row", p.Engines, edramRowBits(a)),
		Data: m.OutVec("data", p.Engines, 32),
	}
	partBits := edramDestBits(a) - edramRowBits(a)
	loadRow := io.LoadDest.Slice(edramDestBits(a)-1, partBits).As("load_row")
	part := m.Wire("load_part", p.Engines/perBeat) // one-hot
	if partBits == 0 {
		part.Set(io.LoadValid)
	} else {
		part.Set(io.LoadDest.Trunc(partBits).Decode(p.Engines / perBeat).And(io.LoadValid.Repeat(p.Engines / perBeat)))
	}
	words := io.LoadData.Unpack(32)
	lookup := io.LookupEnable.Unpack(1)
	m.For("part", p.Engines/perBeat, func(i hw.Index) {
		load := part.Unpack(1).At(i).As("load")
		m.For("word", perBeat, func(j hw.Index) {
			at := i.Times(perBeat).Add(j)
			bank := hw.Inst(m, "bank", edramBank(p))
			bank.Enable.Set(load.Or(io.FetchEnable).Or(lookup.At(at)))
			bank.Write.Set(load)
			bank.WData.Set(words.At(j))
			bank.Addr.Set(hw.Mux(load, loadRow, hw.Mux(io.FetchEnable, io.FetchRow, io.LookupRow.At(at))))
			io.Data.At(at).Set(bank.RData)
		})
	})
	return io
}

// edramBank is a bank: a memory for each half.
type edramBank struct{ arch.Params }

// ModuleName names the module.
func (edramBank) ModuleName() string { return "edram_bank" }

// Build describes the bank. The address is {half, row of the half}.
func (p edramBank) Build(m *hw.Module) ram.RAMPorts {
	m.Doc("Bank of the input eDRAM: a memory for each half.")
	aw := edramRowBits(p.Params)
	io := ram.RAMPorts{Enable: m.In("en", 1), Write: m.In("we", 1), Addr: m.In("addr", aw), WData: m.In("wdata", 32), RData: m.Out("rdata", 32)}
	read := m.Data("read_half", 1)
	m.When(io.Enable.And(io.Write.Not()), func() { read.Set(io.Addr.Bit(aw - 1)) })
	words := m.WireVec("half_word", 2, 32)
	m.For("half", 2, func(h hw.Index) {
		mem := hw.Inst(m, "store", ram.RAM{Depth: p.BankWords() / 2, Width: 32, Style: "block"})
		mem.Enable.Set(io.Enable.And(io.Addr.Bit(aw - 1).Eq(h.Bits(1))))
		mem.Write.Set(io.Write)
		mem.Addr.Set(io.Addr.Trunc(hw.IndexWidth(p.BankWords() / 2)))
		mem.WData.Set(io.WData)
		words.At(h).Set(mem.RData)
	})
	io.RData.Set(words.Index(read))
	return io
}
