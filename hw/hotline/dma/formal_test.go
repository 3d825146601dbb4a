package dma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// reading is a Read with arbitrary requests, commands and answers, solicited or not.
type reading struct{ Read }

// ModuleName returns the name of the proof.
func (reading) ModuleName() string { return "reading" }

func (p reading) Build(m *hw.Module) ReadPorts {
	io := hw.Ports[ReadPorts](m)
	read := hw.Inst(m, "engine", p.Read)
	hw.Connect(read.Req, io.Req)
	hw.Connect(read.Command, io.Command)
	hw.Connect(io.Desc, read.Desc)
	hw.Connect(read.Data, io.Data)
	hw.Set(read.Status, io.Status)
	hw.Set(io.Load, read.Load)
	hw.Set(io.End, read.End)
	hw.Connect(io.Row, read.Row)
	io.RowDone.Set(read.RowDone)
	read.Hold.Set(io.Hold)
	io.Pending.Set(read.Pending)
	io.Loading.Set(read.Loading)
	io.Error.Set(read.Error)
	read.Clear.Set(io.Clear)
	io.Dropped.Set(read.Dropped)
	io.InFlight.Set(read.InFlight)
	io.Stalled.Set(read.Stalled)
	io.Asked.Set(read.Asked)

	assume(m, "req", io.Req)
	assume(m, "command", io.Command)
	check(m, "desc", io.Desc)
	check(m, "row", io.Row)
	m.Assume(lawful(io.Req.Data.Addr, io.Req.Data.Len), "requests are lawful")
	commands := m.Reg("commands", CommandTags, 0)
	one := func(event, tag hw.Bits) hw.Bits { return hw.Mux(event, tag.Decode(CommandTags), hw.Zeros(CommandTags)) }
	commands.Set(commands.Or(one(io.Command.Fire(), io.Command.Data.Tag)).And(one(io.End.Valid, io.End.Data.Tag).Not()))
	m.Assume(io.Command.Valid.And(pick(commands, io.Command.Data.Tag)).Not(), "commands have a tag of their own")
	m.Assume(io.Command.Data.Addr.Trunc(2).IsZero(), "commands are where words are")
	m.When(io.Desc.Valid, func() {
		m.Assert(lawful(io.Desc.Data.Addr, io.Desc.Data.Len), "descriptors are lawful")
	})
	unique(m, io.Desc.Valid, io.Desc.Ready, io.Desc.Data.Tag, io.Status.Valid, io.Status.Data.Tag)
	return io
}

// lawful reports whether the boundary allows an address and a length.
func lawful(addr, length hw.Bits) hw.Bits {
	return addr.Trunc(2).Or(length.Trunc(2)).IsZero().And(length.Any()).And(length.Le(hw.K(MaxBytes)))
}

func assume[T any](m *hw.Module, name string, s hw.Stream[T]) {
	x := stream.Map(s, hw.Pack[T])
	stream.Assume(m, name, hw.Width(x.Data.Width()), x)
}

func check[T any](m *hw.Module, name string, s hw.Stream[T]) {
	x := stream.Map(s, hw.Pack[T])
	stream.Check(m, name, hw.Width(x.Data.Width()), x)
}

// unique asserts, for an arbitrary tag, that the tag is not offered again before its status has
// arrived. It assumes that no status arrives for a tag while its descriptor is offered.
func unique(m *hw.Module, offered, ready, of, answered, to hw.Bits) (tag, ends hw.Bits) {
	tag = m.Data("tag", of.Width())
	tag.Set(tag)
	under, again := m.Reg("under_way", 1, 0), offered.And(of.Eq(tag)).As("again")
	ends = answered.And(to.Eq(tag)).As("ends")
	under.Set(under.Or(again.And(ready)).And(ends.Not()))
	m.Assert(again.And(under).Not(), "no tag is under way twice")
	m.Assume(ends.And(again).Not(), "an offered descriptor has no status")
	return tag, ends
}

// writing is a Write with arbitrary packets, data and statuses, solicited or not.
type writing struct{ Write }

// ModuleName returns the name of the proof.
func (writing) ModuleName() string { return "writing" }

func (p writing) Build(m *hw.Module) WritePorts {
	io := hw.Ports[WritePorts](m)
	write := hw.Inst(m, "engine", p.Write)
	hw.Connect(write.Pkt, io.Pkt)
	hw.Connect(write.Data, io.Data)
	hw.Connect(io.Desc, write.Desc)
	hw.Connect(io.Out, write.Out)
	hw.Set(write.Status, io.Status)
	io.Sent.Set(write.Sent)
	io.Stalled.Set(write.Stalled)
	write.Hold.Set(io.Hold)
	io.Pending.Set(write.Pending)
	io.Error.Set(write.Error)
	write.Clear.Set(io.Clear)

	assume(m, "packet", io.Pkt)
	assume(m, "beat", io.Data)
	check(m, "desc", io.Desc)
	check(m, "out", io.Out.Channel())
	m.Assume(lawful(io.Pkt.Data.Addr, io.Pkt.Data.Len), "packets are lawful")
	m.When(io.Desc.Valid, func() {
		m.Assert(lawful(io.Desc.Data.Addr, io.Desc.Data.Len), "descriptors are lawful")
	})
	tag, ends := unique(m, io.Desc.Valid, io.Desc.Ready, io.Desc.Data.Tag, io.Status.Valid, io.Status.Data.Tag)
	owed := m.Reg("data_owed", 1, 0)
	ofTag := io.Out.Valid.And(io.Out.Data.Tag.Eq(tag)).As("data_of_tag")
	last := ofTag.And(io.Out.Ready).And(io.Out.Data.Last).As("last_of_tag")
	m.Assert(ofTag.Not().Or(owed), "data has a descriptor before it")
	m.Assume(ends.And(owed).And(last.Not()).Not(), "a status comes after the data")
	m.When(io.Desc.Fire().And(io.Desc.Data.Tag.Eq(tag)), func() {
		owed.Set(hw.K(1))
	}).ElseWhen(last, func() {
		owed.Set(hw.K(0))
	})
	return io
}

var link = arch.Link{Stream: arch.Stream{StreamBits: 64}, Tags: 4}

func TestFormalRead(t *testing.T) {
	d := elaborated(t, reading{Read{Link: link, VectorValues: 4}})
	formal.Holds(t, d)
	bench.Stick(d, "tag_ring", "unfinished")
	formal.Fails(t, d, "no tag is under way twice")
}

func TestFormalWrite(t *testing.T) {
	d := elaborated(t, writing{Write{link}})
	formal.Holds(t, d)
	bench.Stick(d, "tag_ring", "unfinished")
	formal.Fails(t, d, "no tag is under way twice")
}

func elaborated[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}
