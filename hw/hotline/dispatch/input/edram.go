package input

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// EDRAM is the input eDRAM: one bank of 32-bit words per lookup engine, with two halves. A stream
// beat fills a part of a row: the words of StreamBits/32 neighbouring banks. Loads, fetches of the
// memory controller and reads of the engines must not overlap; if they do, the first in this order
// wins.
type EDRAM struct{ sizes.Beats }

// Beat is a beat of a load and its destination.
type Beat struct {
	Dest hw.Bits `hw:"DestBits" doc:"half, row of the half, part of the row"`
	Data hw.Bits `hw:"StreamBits"`
}

// Fetch reads a row of all banks.
type Fetch struct {
	Enable hw.Bits `doc:"reads a row"`
	Row    hw.Bits `hw:"AddressBits" doc:"half, row of the half"`
}

// EDRAMPorts are the ports of an EDRAM.
type EDRAMPorts struct {
	Load   dma.Event[Beat]         `hw:"in" doc:"beats to store"`
	Fetch  Fetch                   `hw:"in" doc:"reads of a row"`
	Lookup hw.Array[lookup.Access] `hw:"in,len=Engines" doc:"reads of the lookup engines, by bank"`
	Data   hw.Vec                  `hw:"out,32,len=Engines" doc:"words a cycle after they are read, until the next read"`
}

// ModuleName returns the name of the module.
func (EDRAM) ModuleName() string { return "input_edram" }

// Build describes the eDRAM.
func (p EDRAM) Build(m *hw.Module) EDRAMPorts {
	m.Doc("Input eDRAM: the words of two mini-batches, word k of a half in bank k mod engines.")
	io := hw.Ports[EDRAMPorts](m)
	loadRow, load := p.target(m, io.Load)
	perPart := p.Engines / p.Parts()
	words := io.Load.Data.Data.Unpack(sizes.WordBits)
	m.For("part", p.Parts(), func(i hw.Index) {
		write := load.At(i)
		m.For("word", perPart, func(j hw.Index) {
			at := i.Times(perPart).Add(j)
			lookup := io.Lookup.At(at)
			bank := hw.Inst(m, "bank", edramBank{p.HalfRows()})
			bank.Enable.Set(write.Or(io.Fetch.Enable).Or(lookup.Enable))
			bank.Write.Set(write)
			bank.WData.Set(words.At(j))
			bank.Addr.Set(hw.Mux(write, loadRow, hw.Mux(io.Fetch.Enable, io.Fetch.Row, lookup.Row)))
			io.Data.At(at).Set(bank.RData)
		})
	})
	return io
}

// target returns the destination of a beat: its row, and a one-hot vector for its part of the row.
func (p EDRAM) target(m *hw.Module, beat dma.Event[Beat]) (row hw.Bits, load hw.Vec) {
	n, bits, dest := p.Parts(), arch.Log2(p.Parts()), beat.Data.Dest
	row = dest.Slice(dest.Width()-1, bits).As("load_row")
	if n == 1 {
		return row, beat.Valid.Unpack(1)
	}
	return row, dest.Trunc(bits).Decode(n).And(beat.Valid.Repeat(n)).As("load_part").Unpack(1)
}

// edramBank is a bank. Each half is a memory of its own.
type edramBank struct {
	HalfRows int `doc:"rows of a half of the input eDRAM"`
}

// bankPorts are the ports of a ram.RAM. The address consists of half and row of the half.
type bankPorts struct {
	Enable hw.Bits `hw:"in,name=en" doc:"reads, or writes with we"`
	Write  hw.Bits `hw:"in,name=we" doc:"writes, with en"`
	Addr   hw.Bits `hw:"in,AddressBits" doc:"half, row of the half"`
	WData  hw.Bits `hw:"in,32,name=wdata" doc:"word to write"`
	RData  hw.Bits `hw:"out,32,name=rdata" doc:"the word, a cycle after the read and until the next"`
}

// AddressBits returns the width of an address.
func (p edramBank) AddressBits() int { return hw.IndexWidth(2 * p.HalfRows) }

// Build describes the bank.
func (p edramBank) Build(m *hw.Module) bankPorts {
	m.Doc("Bank of the input eDRAM: a memory for each half.")
	io := hw.Ports[bankPorts](m)
	top := p.AddressBits() - 1
	half := m.Data("read_half", 1)
	m.When(io.Enable.And(io.Write.Not()), func() { half.Set(io.Addr.Bit(top)) })
	words := m.WireVec("half_word", 2, sizes.WordBits)
	m.For("half", 2, func(h hw.Index) {
		mem := hw.Inst(m, "cells", ram.RAM[hw.Bits]{Of: hw.Width(sizes.WordBits), Depth: p.HalfRows, Style: "block"})
		mem.Enable.Set(io.Enable.And(io.Addr.Bit(top).Eq(h.Bits(1))))
		mem.Write.Set(io.Write)
		mem.Addr.Set(io.Addr.Trunc(top))
		mem.WData.Set(io.WData)
		words.At(h).Set(mem.RData)
	})
	io.RData.Set(words.Index(half))
	return io
}
