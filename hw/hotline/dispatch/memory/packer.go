package memory

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// HotSetPacker joins the entries of the hot set to packets of PacketBytes. It pads the last packet
// with one bits.
type HotSetPacker struct{ arch.Stream }

// HotSetPackerPorts are the ports of a HotSetPacker.
type HotSetPackerPorts struct {
	Start  hw.Bits                 `hw:"in" doc:"takes addr"`
	Addr   hw.Bits                 `hw:"in,64" doc:"of the list in host memory"`
	Finish hw.Bits                 `hw:"in" doc:"fills up and sends what is left; must stay until idle"`
	Entry  hw.Stream[HotEntry]     `hw:"in" doc:"hot rows"`
	Packet hw.Stream[dma.Packet]   `hw:"out" doc:"the list"`
	Data   hw.Stream[dma.DataBeat] `hw:"out" doc:"the list"`
	Idle   hw.Bits                 `hw:"out" doc:"nothing is left"`
}

// PacketBytes is the size of a packet of the hot set.
const PacketBytes = arch.HotSetUnit

// Build describes the packer. It fills a beat while the previous beat leaves.
func (p HotSetPacker) Build(m *hw.Module) HotSetPackerPorts {
	m.Doc("Packer: joins hot-set entries to packets of 64 bytes.")
	io := hw.Ports[HotSetPackerPorts](m)
	perBeat, beats := p.StreamBits/entryBits, PacketBytes/p.StreamBytes()
	beat := m.Data("beat", p.StreamBits)
	have := m.Reg("entries_held", hw.CountWidth(perBeat), 0)
	packed := m.Reg("beats_packed", hw.CountWidth(beats), 0) // beats of the packet that are complete
	leaving, out, last := m.Reg("leaving", 1, 0), m.Data("leaving_beat", p.StreamBits), m.Data("leaving_last", 1)
	full := have.Eq(hw.Named("entries_per_beat", perBeat)).As("beat_full")
	leave := full.And(leaving.Not()).As("beat_leaves")
	begun := have.Any().Or(packed.Any()).As("packet_begun")
	io.Idle.Set(begun.Or(leaving).Not())

	pad := io.Finish.And(io.Entry.Valid.Not()).And(begun).And(full.Not()).As("pad")
	io.Entry.Ready.Set(full.Not().Or(leave))
	take := io.Entry.Fire().Or(pad).As("take")
	m.When(take, func() {
		entry := hw.Mux(pad, hw.Ones(entryBits), hw.Pack(io.Entry.Data))
		beat.Set(hw.Cat(entry, beat.Slice(p.StreamBits-1, entryBits)))
	})
	have.Set(hw.Mux(leave, hw.K(0), have).Add(take.Ext(have.Width())))
	m.When(leave, func() {
		final := packed.Eq(hw.K(beats - 1)).As("last_beat")
		packed.Set(hw.Mux(final, hw.K(0), packed.Inc()))
		out.Set(beat)
		last.Set(final)
		leaving.Set(hw.K(1))
	}).ElseWhen(io.Data.Fire(), func() { leaving.Set(hw.K(0)) })

	announced := p.announce(m, io, leaving, last)
	io.Data.Valid.Set(leaving.And(announced))
	hw.Set(io.Data.Data, dma.DataBeat{Last: last, Keep: hw.Ones(p.StreamBytes()), Data: out})
	return io
}

// announce sends the header of a packet when its first beat is complete. It reports whether the
// header has left.
func (p HotSetPacker) announce(m *hw.Module, io HotSetPackerPorts, leaving, last hw.Bits) (announced hw.Bits) {
	addr := m.Data("next_addr", 64)
	announced = m.Reg("announced", 1, 0)
	io.Packet.Valid.Set(leaving.And(announced.Not()))
	hw.Set(io.Packet.Data, dma.Packet{Addr: addr, Len: hw.Named("packet_bytes", PacketBytes)})
	m.When(io.Start, func() { addr.Set(io.Addr) }).
		ElseWhen(io.Packet.Fire(), func() {
			announced.Set(hw.K(1))
			addr.Set(addr.Add(hw.Named("packet_bytes", PacketBytes)))
		}).
		ElseWhen(io.Data.Fire().And(last), func() { announced.Set(hw.K(0)) })
	return announced
}
