package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Write is the write engine. Packets leave in order, each with its data after its descriptor. A
// packet does not wait until earlier packets have finished.
type Write struct{ arch.Link }

// WritePorts are the ports of Write.
type WritePorts struct {
	Pkt  hw.Stream[Packet]   `hw:"in" doc:"packets"`
	Data hw.Stream[DataBeat] `hw:"in" doc:"packet after packet"`

	Desc   hw.Stream[WriteDesc]   `hw:"out,name=m_axis_write_desc" doc:"writes"`
	Out    axis.Stream[WriteData] `hw:"out,name=m_axis_write_data" doc:"data of the writes"`
	Status Event[WriteStatus]     `hw:"in,name=s_axis_write_desc_status" doc:"ends of the writes"`

	Sent    hw.Bits                `hw:"out,13" doc:"bytes of the descriptor taken a cycle ago, or 0"`
	Stalled hw.Bits                `hw:"out" doc:"pulse: a descriptor is delayed"`
	Hold    hw.Bits                `hw:"in" doc:"takes no more packets"`
	Pending hw.Bits                `hw:"out" doc:"a packet has no status yet"`
	Error   hw.Enum[arch.DMAError] `hw:"out" doc:"of the first packet that failed since clear"`
	Clear   hw.Bits                `hw:"in" doc:"clears error"`
}

// ModuleName returns the name of the module.
func (Write) ModuleName() string { return "dma_write" }

// Build describes the engine.
func (p Write) Build(m *hw.Module) WritePorts {
	m.Doc("DMA write engine: tags in a ring, data behind its descriptor, statuses in any order.")
	io := hw.Ports[WritePorts](m)
	w := &writer{m: m, p: p, io: io, tags: hw.Inst(m, "tags", tagRing{p.Tags})}
	m.Unused(w.tags.Oldest, w.tags.Used)
	issued := w.issue()
	complete, busy := w.send(issued)
	w.retire(complete, busy)
	return io
}

// writer describes the engine.
type writer struct {
	m    *hw.Module
	p    Write
	io   WritePorts
	tags tagRingPorts
}

// issue assigns a tag to each packet and sends its descriptor. It reports whether a descriptor was
// accepted.
func (w *writer) issue() (issued hw.Bits) {
	desc := hw.Inst(w.m, "desc", skid.Stage[WriteDesc]{Of: hw.Of[WriteDesc](w.p)})
	room := w.tags.Full.Or(w.io.Hold).Not().As("room")
	w.io.Pkt.Ready.Set(room.And(desc.Push.Ready))
	w.tags.Take.Set(w.io.Pkt.Fire())
	desc.Push.Valid.Set(w.io.Pkt.Valid.And(room))
	hw.Set(desc.Push.Data, WriteDesc{Addr: w.io.Pkt.Data.Addr, Len: w.io.Pkt.Data.Len, Tag: w.tags.Next})
	w.io.Desc.Connect(desc.Pop)

	issued = w.io.Desc.Fire().As("issued")
	w.tags.Send.Set(issued)
	w.tags.SendTag.Set(w.io.Desc.Data.Tag)
	w.io.Sent.Set(lengths(w.m, issued, w.io.Desc.Data.Len))
	w.io.Stalled.Set(rises(w.m, "waiting_for_link", w.io.Desc.Valid.And(w.io.Desc.Ready.Not())))
	return issued
}

// send forwards the data of packets whose descriptors were accepted. It reports whether a packet is
// complete, and whether data waits to leave.
func (w *writer) send(issued hw.Bits) (complete, busy hw.Bits) {
	from, beat := w.io.Data, w.io.Data.Data
	out := hw.Inst(w.m, "out", skid.Stage[WriteData]{Of: hw.Of[WriteData](w.p)})
	tag := w.m.Reg("data_tag", w.p.WriteTagBits(), 0)
	complete = from.Fire().And(beat.Last).As("complete")
	open := w.counter("owed", issued, complete)
	w.m.When(complete, func() { tag.Set(tag.Inc()) })

	from.Ready.Set(open.And(out.Push.Ready))
	out.Push.Valid.Set(open.And(from.Valid))
	keep := hw.Mux(beat.Last, beat.Keep, hw.Ones(w.p.StreamBytes()))
	hw.Set(out.Push.Data, WriteData{Data: beat.Data, Keep: keep, Tag: tag, Last: beat.Last})
	w.io.Out.Channel().Connect(out.Pop)
	return complete, out.Pop.Valid
}

// retire frees the oldest tag once its data has left and its status has arrived.
func (w *writer) retire(complete, busy hw.Bits) {
	status := w.io.Status.Registered(w.m, "status")
	w.tags.Finish.Valid.Set(status.Valid.And(pick(w.tags.Open, status.Data.Tag)))
	hw.Set(w.tags.Finish.Data, finished(status.Data))

	release := w.m.Wire("finished", 1)
	left := w.counter("left", complete, release)
	release.Set(w.tags.Done.And(left))
	w.tags.Return.Set(release)
	w.io.Error.Set(sticky(w.m, release, w.tags.Error, w.io.Clear))
	w.io.Pending.Set(w.tags.Empty.Not().Or(busy))
}

// counter counts the packets between two events. It reports whether there are any.
func (w *writer) counter(name string, enters, leaves hw.Bits) hw.Bits {
	n := w.m.Reg(name, hw.CountWidth(w.p.Tags), 0)
	w.m.When(enters.And(leaves.Not()), func() {
		n.Set(n.Inc())
	}).ElseWhen(leaves.And(enters.Not()), func() {
		n.Set(n.Dec())
	})
	return n.Any()
}
