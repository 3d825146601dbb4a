package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Write is the write engine: packets leave in order, each with its data behind
// its descriptor, without waiting for earlier ones to finish.
type Write struct{ arch.Params }

// WritePorts are the ports of Write.
type WritePorts struct {
	Pkt  hw.Stream[hw.Bits] // of Packet
	Data hw.Stream[hw.Bits] // of DataBeat, packet after packet

	Desc   Desc
	Out    axis.Bundle
	Status Status

	Sent    hw.Bits // pulse: a descriptor was taken a cycle ago
	Hold    hw.Bits // takes no more packets, so that Pending ends
	Pending hw.Bits // a packet is on its way or has no status yet
	Error   hw.Bits // first error, in packet order, since Clear
	Clear   hw.Bits
}

// ModuleName is the name of the engine.
func (Write) ModuleName() string { return "dma_write" }

// Build describes the engine.
func (p Write) Build(m *hw.Module) WritePorts {
	m.Doc("DMA write engine: tags in a ring, data behind its descriptor, statuses in any order.")
	io := WritePorts{
		Pkt:     m.Sink("pkt", PacketBits),
		Data:    m.Sink("data", DataBits(p.Params)),
		Desc:    WriteDescPorts(m, p.Params),
		Out:     WriteDataPorts(m, p.Params),
		Status:  WriteStatusPorts(m, p.Params),
		Sent:    m.Out("sent", 1),
		Hold:    m.In("hold", 1),
		Pending: m.Out("pending", 1),
		Error:   m.Out("error", ErrorBits),
		Clear:   m.In("clear", 1),
	}
	w := &writer{
		m: m, p: p.Params, io: io,
		tags: hw.Inst(m, "tags", tagRing{p.Tags}),
		out:  hw.Inst(m, "out", skid.Stage[hw.Bits]{Of: hw.Width(writeStream(p.Params).PackedWidth())}),
	}
	issued := w.issue()
	complete := w.send(issued)
	w.retire(complete)
	return io
}

// writer is the engine being described.
type writer struct {
	m    *hw.Module
	p    arch.Params
	io   WritePorts
	tags tagRingPorts
	out  skid.Ports[hw.Bits]
}

// issue gives each packet a tag and sends its descriptor; it returns that a
// descriptor was taken.
func (w *writer) issue() (issued hw.Bits) {
	desc := hw.Inst(w.m, "desc", skid.Stage[hw.Bits]{Of: hw.Width(PacketBits + tagBits(w.p))})
	room := w.tags.Full.Or(w.io.Hold).Not().As("room")
	w.io.Pkt.Ready.Set(room.And(desc.Push.Ready))
	w.tags.Take.Set(w.io.Pkt.Fire())
	desc.Push.Valid.Set(w.io.Pkt.Valid.And(room))
	desc.Push.Data.Set(hw.Cat(w.io.Pkt.Data, w.tags.Next))
	w.io.Desc.send(desc)

	issued = w.io.Desc.Fire().As("issued")
	w.tags.Send.Set(issued)
	w.tags.SendTag.Set(w.io.Desc.Tag)
	sent := w.m.Reg("sent_pulse", 1, 0)
	sent.Set(issued)
	w.io.Sent.Set(sent)
	return issued
}

// send moves the data of packets whose descriptors were taken; it returns that
// a packet is complete.
func (w *writer) send(issued hw.Bits) (complete hw.Bits) {
	beat := UnpackData(w.io.Data.Data)
	tag := w.m.Reg("data_tag", tagBits(w.p), 0)
	move := w.io.Data.Fire().As("move")
	complete = move.And(beat.Last).As("complete")
	open := w.counter("owed", issued, complete)
	w.m.When(complete, func() { tag.Set(tag.Inc()) })

	w.io.Data.Ready.Set(open.And(w.out.Push.Ready))
	w.out.Push.Valid.Set(open.And(w.io.Data.Valid))
	keep := hw.Mux(beat.Last, beat.Keep, hw.Ones(w.p.StreamBytes()))
	w.out.Push.Data.Set(hw.Cat(tag, beat.Last, keep, beat.Data))
	w.io.Out.TValid.Set(w.out.Pop.Valid)
	w.io.Out.Unpack(w.out.Pop.Data)
	w.out.Pop.Ready.Set(w.io.Out.TReady)
	return complete
}

// retire returns the oldest tag once its data has left and its status come.
func (w *writer) retire(complete hw.Bits) {
	status := w.io.Status.registered(w.m)
	w.tags.Finish.Set(status.Valid.And(pick(w.tags.Open, status.Tag)))
	w.tags.FinishTag.Set(status.Tag)
	w.tags.FinishOf.Set(status.Error)

	release := w.m.Wire("finished", 1)
	left := w.counter("left", complete, release)
	release.Set(w.tags.Done.And(left))
	w.tags.Return.Set(release)
	w.io.Error.Set(sticky(w.m, release, w.tags.Error, w.io.Clear))
	w.io.Pending.Set(w.tags.Empty.Not().Or(w.out.Pop.Valid))
}

// counter counts packets between two events; it returns that there are any.
func (w *writer) counter(name string, enters, leaves hw.Bits) hw.Bits {
	n := w.m.Reg(name, hw.CountWidth(w.p.Tags), 0)
	w.m.When(enters.And(leaves.Not()), func() {
		n.Set(n.Inc())
	}).ElseWhen(leaves.And(enters.Not()), func() {
		n.Set(n.Dec())
	})
	return n.Any()
}
