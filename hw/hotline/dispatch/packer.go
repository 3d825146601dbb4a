package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Packer joins the entries of the hot set to packets of 64 bytes, the last of
// them filled up with ones.
type Packer struct{ arch.Params }

// PackerPorts: Start takes Addr; Finish fills up and sends what is left and
// must stay until Idle.
type PackerPorts struct {
	Start, Addr, Finish hw.Bits
	Entry               hw.Stream[hw.Bits]
	writePorts
	Idle hw.Bits
}

// packetBytes is the size of a hot-set packet.
const packetBytes = arch.HotSetUnit

// ModuleName names the module.
func (Packer) ModuleName() string { return "entry_packer" }

// Build describes the packer.
func (p Packer) Build(m *hw.Module) PackerPorts {
	m.Doc("Packer: joins hot-set entries to packets of 64 bytes.")
	io := PackerPorts{
		Start:      m.In("start", 1),
		Addr:       m.In("addr", 64),
		Finish:     m.In("finish", 1),
		Entry:      m.Sink("entry", entryBits),
		writePorts: hw.Ports[writePorts](m),
		Idle:       m.Out("idle", 1),
	}
	perBeat, beats := p.StreamBits/entryBits, packetBytes/p.StreamBytes()
	beat := m.Data("beat", p.StreamBits)
	have := m.Reg("entries_held", hw.CountWidth(perBeat), 0)
	sent := m.Reg("beats_sent", hw.CountWidth(beats), 0)
	full := have.Eq(hw.K(perBeat)).As("beat_full")
	empty := have.IsZero().And(sent.IsZero()).As("packet_empty")
	io.Idle.Set(empty)

	pad := io.Finish.And(io.Entry.Valid.Not()).And(empty.Not()).And(full.Not()).As("pad")
	io.Entry.Ready.Set(full.Not())
	m.When(io.Entry.Fire().Or(pad), func() {
		entry := hw.Mux(pad, hw.Ones(entryBits), io.Entry.Data)
		beat.Set(hw.Cat(entry, beat.Slice(p.StreamBits-1, entryBits)))
		have.Set(have.Inc())
	})

	last := sent.Eq(hw.K(beats - 1)).As("last_beat")
	announced := p.announce(m, io, full, last)
	io.Data.Valid.Set(full.And(announced))
	hw.Set(io.Data.Data, dma.DataBeat{Last: last, Keep: hw.Ones(p.StreamBytes()), Data: beat})
	m.When(io.Data.Fire(), func() {
		have.Set(hw.K(0))
		sent.Set(hw.Mux(last, hw.K(0), sent.Inc()))
	})
	return io
}

// announce sends the header of a packet when its first beat is there. It gives
// that the header has left.
func (p Packer) announce(m *hw.Module, io PackerPorts, full, last hw.Bits) (announced hw.Bits) {
	addr := m.Data("next_addr", 64)
	announced = m.Reg("announced", 1, 0)
	io.Packet.Valid.Set(full.And(announced.Not()))
	hw.Set(io.Packet.Data, dma.Packet{Addr: addr, Len: hw.Lit(dma.LenBits, packetBytes)})
	m.When(io.Start, func() { addr.Set(io.Addr) }).
		ElseWhen(io.Packet.Fire(), func() {
			announced.Set(hw.K(1))
			addr.Set(addr.Add(hw.K(packetBytes)))
		}).
		ElseWhen(io.Data.Fire().And(last), func() { announced.Set(hw.K(0)) })
	return announced
}
