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

// ModuleName names the module.
func (EDRAM) ModuleName() string { return "input_edram" }

// Build describes the eDRAM.
func (p EDRAM) Build(m *hw.Module) EDRAMPorts {
	m.Doc("Input eDRAM: the words of two mini-batches, word k of a half in bank k mod engines.")
	a := p.Params
	io := EDRAMPorts{
		LoadValid:    m.In("load_valid", 1),
		LoadDest:     m.In("load_dest", edramDestBits(a)),
		LoadData:     m.In("load_data", p.StreamBits),
		FetchEnable:  m.In("fetch_enable", 1),
		FetchRow:     m.In("fetch_row", edramRowBits(a)),
		LookupEnable: m.In("lookup_enable", p.Engines),
		LookupRow:    m.InVec("lookup_row", p.Engines, edramRowBits(a)),
		Data:         m.OutVec("data", p.Engines, wordBits),
	}
	loadRow, load := p.target(m, io)
	perPart := p.Engines / parts(a)
	words, lookup := io.LoadData.Unpack(wordBits), io.LookupEnable.Unpack(1)
	m.For("part", parts(a), func(i hw.Index) {
		write := load.At(i)
		m.For("word", perPart, func(j hw.Index) {
			at := i.Times(perPart).Add(j)
			bank := hw.Inst(m, "bank", edramBank(p))
			bank.Enable.Set(write.Or(io.FetchEnable).Or(lookup.At(at)))
			bank.Write.Set(write)
			bank.WData.Set(words.At(j))
			bank.Addr.Set(hw.Mux(write, loadRow, hw.Mux(io.FetchEnable, io.FetchRow, io.LookupRow.At(at))))
			io.Data.At(at).Set(bank.RData)
		})
	})
	return io
}

// target is where a beat goes: its row, and 1 for its part.
func (p EDRAM) target(m *hw.Module, io EDRAMPorts) (row hw.Bits, load hw.Vec) {
	n, bits := parts(p.Params), arch.Log2(parts(p.Params))
	row = io.LoadDest.Slice(io.LoadDest.Width()-1, bits).As("load_row")
	if n == 1 {
		return row, io.LoadValid.Unpack(1)
	}
	return row, io.LoadDest.Trunc(bits).Decode(n).And(io.LoadValid.Repeat(n)).As("load_part").Unpack(1)
}

// edramBank is a bank: a memory for each half.
type edramBank struct{ arch.Params }

// ModuleName names the module.
func (edramBank) ModuleName() string { return "edram_bank" }

// Build describes the bank. The address is {half, row of the half}.
func (p edramBank) Build(m *hw.Module) ram.Ports[hw.Bits] {
	m.Doc("Bank of the input eDRAM: a memory for each half.")
	rows := p.BankWords() / 2
	aw := edramRowBits(p.Params)
	io := ram.Ports[hw.Bits]{Enable: m.In("en", 1), Write: m.In("we", 1), Addr: m.In("addr", aw), WData: m.In("wdata", wordBits), RData: m.Out("rdata", wordBits)}
	half := m.Data("read_half", 1)
	m.When(io.Enable.And(io.Write.Not()), func() { half.Set(io.Addr.Bit(aw - 1)) })
	words := m.WireVec("half_word", 2, wordBits)
	m.For("half", 2, func(h hw.Index) {
		mem := hw.Inst(m, "cells", ram.RAM[hw.Bits]{Of: hw.Width(wordBits), Depth: rows, Style: "block"})
		mem.Enable.Set(io.Enable.And(io.Addr.Bit(aw - 1).Eq(h.Bits(1))))
		mem.Write.Set(io.Write)
		mem.Addr.Set(io.Addr.Trunc(hw.IndexWidth(rows)))
		mem.WData.Set(io.WData)
		words.At(h).Set(mem.RData)
	})
	io.RData.Set(words.Index(half))
	return io
}
