package top

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// first grants the first valid stream, one-hot, if may permits it. The grant remains until the word
// is taken.
func first[T any](m *hw.Module, streams []hw.Stream[T], may, taken hw.Bits) hw.Bits {
	offers := make([]hw.Bits, len(streams))
	for i, s := range streams {
		offers[i] = s.Valid
	}
	waiting := m.Reg("waiting", len(streams), 0)
	grant := hw.Mux(waiting.Any(), waiting, hw.VecOf(offers...).Pack().Lowest().And(may)).As("grant")
	m.When(taken, func() { waiting.Set(hw.K(0)) }).Else(func() { waiting.Set(grant) })
	return grant
}

// join forwards the granted stream.
func join[T any](to hw.Stream[T], streams []hw.Stream[T], grant hw.Bits) {
	valids, words := make([]hw.Bits, len(streams)), make([]T, len(streams))
	for i, s := range streams {
		valids[i], words[i] = s.Valid, s.Data
		s.Ready.Set(grant.Bit(i).And(to.Ready))
	}
	to.Valid.Set(hw.Select(grant, valids...))
	hw.Set(to.Data, hw.Select(grant, words...))
}

// ReadMerge merges the read requests of N blocks. Blocks with lower numbers take precedence.
type ReadMerge struct {
	N int `doc:"clients"`
}

// ReadMergePorts are the requests of the blocks and the merged requests.
type ReadMergePorts struct {
	Requests []hw.Stream[dma.Request] `hw:"in,len=N,name=request" doc:"requests of the sources"`
	Request  hw.Stream[dma.Request]   `hw:"out" doc:"merged"`
}

// Build describes the merger.
func (p ReadMerge) Build(m *hw.Module) ReadMergePorts {
	m.Doc("Joins the read requests of several blocks.")
	io := hw.Ports[ReadMergePorts](m)
	grant := first(m, io.Requests, hw.Ones(p.N), io.Request.Fire())
	join(io.Request, io.Requests, grant)
	return io
}

// WriteMerge merges the writes of N blocks: packets and, in the same order, their data. Blocks with
// lower numbers take precedence. While a block owes data, it can send more packets, so that short
// packets follow each other without a gap.
type WriteMerge struct {
	arch.Stream
	N int `doc:"clients"`
}

// packetsAhead is the maximum number of packets of a block that pass before their data.
const packetsAhead = 8

// WriteMergePorts are the packets and data of the blocks and the merged packets and data.
type WriteMergePorts struct {
	Packets []hw.Stream[dma.Packet]   `hw:"in,len=N,name=packet" doc:"packets of the sources"`
	Beats   []hw.Stream[dma.DataBeat] `hw:"in,len=N,name=data" doc:"data of the packets"`
	Packet  hw.Stream[dma.Packet]     `hw:"out" doc:"merged"`
	Beat    hw.Stream[dma.DataBeat]   `hw:"out,name=data" doc:"merged"`
}

// Build describes the merger.
func (p WriteMerge) Build(m *hw.Module) WriteMergePorts {
	m.Doc("Joins the write packets of several blocks.")
	io := hw.Ports[WriteMergePorts](m)
	owner := m.Data("owner", p.N) // one-hot block of the latest packet
	owed := m.Reg("owed", hw.CountWidth(packetsAhead), 0)
	more := hw.Mux(owed.Eq(hw.Named("packets_ahead", packetsAhead)), hw.Zeros(p.N), owner)
	grant := first(m, io.Packets, hw.Mux(owed.IsZero(), hw.Ones(p.N), more), io.Packet.Fire())
	join(io.Packet, io.Packets, grant)
	join(io.Beat, io.Beats, hw.Mux(owed.IsZero(), hw.Zeros(p.N), owner))
	begins, ends := io.Packet.Fire().As("begins"), io.Beat.Fire().And(io.Beat.Data.Last).As("ends")
	m.When(begins, func() { owner.Set(grant) })
	m.When(begins.And(ends.Not()), func() { owed.Set(owed.Inc()) }).
		ElseWhen(ends.And(begins.Not()), func() { owed.Set(owed.Dec()) })
	return io
}
