package top

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// first grants the first of the streams that offer a word, one-hot, and stays
// with it until the word is taken.
func first[T any](m *hw.Module, streams []hw.Stream[T], enable, taken hw.Bits) hw.Bits {
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
func join[T any](to hw.Stream[T], streams []hw.Stream[T], grant hw.Bits) {
	valids, words := make([]hw.Bits, len(streams)), make([]T, len(streams))
	for i, s := range streams {
		valids[i], words[i] = s.Valid, s.Data
		s.Ready.Set(grant.Bit(i).And(to.Ready))
	}
	to.Valid.Set(hw.Select(grant, valids...))
	hw.Set(to.Data, hw.Select(grant, words...))
}

// ReadMerge joins the read requests of N blocks, the first one first.
type ReadMerge struct{ N int }

// ReadMergePorts are the requests of the blocks and the joined ones.
type ReadMergePorts struct {
	Requests []hw.Stream[dma.Request] `hw:"in,len=N,name=request"`
	Request  hw.Stream[dma.Request]   `hw:"out"`
}

// Build describes the merger.
func (p ReadMerge) Build(m *hw.Module) ReadMergePorts {
	m.Doc("Joins the read requests of several blocks.")
	io := hw.Ports[ReadMergePorts](m)
	grant := first(m, io.Requests, hw.Lit(1, 1), io.Request.Fire())
	join(io.Request, io.Requests, grant)
	return io
}

// WriteMerge joins the writes of N blocks, the first one first: a packet and
// then its data.
type WriteMerge struct {
	arch.Stream
	N int
}

// WriteMergePorts are the packets and data of the blocks and the joined ones.
type WriteMergePorts struct {
	Packets []hw.Stream[dma.Packet]   `hw:"in,len=N,name=packet"`
	Beats   []hw.Stream[dma.DataBeat] `hw:"in,len=N,name=data"`
	Packet  hw.Stream[dma.Packet]     `hw:"out"`
	Beat    hw.Stream[dma.DataBeat]   `hw:"out,name=data"`
}

// Build describes the merger.
func (p WriteMerge) Build(m *hw.Module) WriteMergePorts {
	m.Doc("Joins the write packets of several blocks.")
	io := hw.Ports[WriteMergePorts](m)
	owner := m.Reg("owner", p.N, 0) // whose data passes, one-hot; 0 between packets
	grant := first(m, io.Packets, owner.IsZero(), io.Packet.Fire())
	join(io.Packet, io.Packets, grant)
	join(io.Beat, io.Beats, owner)
	m.When(io.Packet.Fire(), func() {
		owner.Set(grant)
	}).ElseWhen(io.Beat.Fire().And(io.Beat.Data.Last), func() {
		owner.Set(hw.K(0))
	})
	return io
}
