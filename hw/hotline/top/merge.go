package top

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// first grants the first of the streams that offer a word, one-hot, and stays
// with it until the word is taken.
func first(m *hw.Module, streams []hw.Stream[hw.Bits], enable, taken hw.Bits) hw.Bits {
	offers := make([]hw.Bits, len(streams))
	for i, s := range streams {
		offers[i] = s.Valid.And(enable)
	}
	waiting := m.Reg("waiting", len(streams), 0)
	grant := hw.Mux(waiting.Any(), waiting, hw.VecOf(offers...).Pack().Lowest()).As("grant")
	m.When(taken, func() { waiting.Set(hw.K(0)) }).Else(func() { waiting.Set(grant) })
	return grant
}

// join passes the granted stream on.
func join(to hw.Stream[hw.Bits], streams []hw.Stream[hw.Bits], grant hw.Bits) {
	valids, words := make([]hw.Bits, len(streams)), make([]hw.Bits, len(streams))
	for i, s := range streams {
		valids[i], words[i] = s.Valid, s.Data
		s.Ready.Set(grant.Bit(i).And(to.Ready))
	}
	to.Valid.Set(hw.VecOf(valids...).Select(grant))
	to.Data.Set(hw.VecOf(words...).Select(grant))
}

// ReadMerge joins the read requests of N blocks, the first one first.
type ReadMerge struct{ N int }

// ReadMergePorts are the requests of the blocks and the joined ones.
type ReadMergePorts struct {
	Requests []hw.Stream[hw.Bits]
	Request  hw.Stream[hw.Bits]
}

// Build describes the merger.
func (p ReadMerge) Build(m *hw.Module) ReadMergePorts {
	m.Doc("Joins the read requests of several blocks.")
	var io ReadMergePorts
	for i := range p.N {
		io.Requests = append(io.Requests, m.Sink(fmt.Sprintf("request_%d", i), dma.RequestBits))
	}
	io.Request = m.Source("request", dma.RequestBits)
	grant := first(m, io.Requests, hw.Lit(1, 1), io.Request.Fire())
	join(io.Request, io.Requests, grant)
	return io
}

// WriteMerge joins the writes of N blocks, the first one first: a packet and
// then its data.
type WriteMerge struct {
	arch.Params
	N int
}

// WriteMergePorts are the packets and data of the blocks and the joined ones.
type WriteMergePorts struct {
	Packets, Beats []hw.Stream[hw.Bits]
	Packet, Beat   hw.Stream[hw.Bits]
}

// ModuleName names the module.
func (p WriteMerge) ModuleName() string { return "write_merge" }

// Build describes the merger.
func (p WriteMerge) Build(m *hw.Module) WriteMergePorts {
	m.Doc("Joins the write packets of several blocks.")
	var io WriteMergePorts
	for i := range p.N {
		io.Packets = append(io.Packets, m.Sink(fmt.Sprintf("packet_%d", i), dma.PacketBits))
		io.Beats = append(io.Beats, m.Sink(fmt.Sprintf("data_%d", i), dma.DataBits(p.Params)))
	}
	io.Packet = m.Source("packet", dma.PacketBits)
	io.Beat = m.Source("data", dma.DataBits(p.Params))
	owner := m.Reg("owner", p.N, 0) // whose data passes, one-hot; 0 between packets
	grant := first(m, io.Packets, owner.IsZero(), io.Packet.Fire())
	join(io.Packet, io.Packets, grant)
	join(io.Beat, io.Beats, owner)
	m.When(io.Packet.Fire(), func() {
		owner.Set(grant)
	}).ElseWhen(io.Beat.Fire().And(dma.UnpackData(io.Beat.Data).Last), func() {
		owner.Set(hw.K(0))
	})
	return io
}
