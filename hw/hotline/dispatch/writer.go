package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Packer turns the entries of the hot set into packets of 64 bytes, padded with
// ones at the end.
type Packer struct{ arch.Params }

// PackerPorts: Start takes Addr; Finish pads and sends what is left and must
// stay until Idle.
type PackerPorts struct {
	Start, Addr, Finish hw.Bits
	Entry               hw.Stream
	Packet, Data        hw.Stream
	Idle                hw.Bits
}

const packetBytes = 64

// ModuleName names the module.
func (Packer) ModuleName() string { return "entry_packer" }

// Build describes the packer.
func (p Packer) Build(m *hw.Module) PackerPorts {
	m.Doc("Packer: joins hot-set entries to packets of 64 bytes.")
	io := PackerPorts{Start: m.In("start", 1), Addr: m.In("addr", 64), Finish: m.In("finish", 1),
		Entry: m.Sink("entry", entryBits), Packet: m.Source("packet", dma.PacketBits), Data: m.Source("data", dma.DataBits(p.Params)), Idle: m.Out("idle", 1)}
	perBeat := p.StreamBits / entryBits
	beats := packetBytes * 8 / p.StreamBits
	addr := m.Data("next_addr", 64)
	beat := m.Data("beat", p.StreamBits)
	have := m.Reg("have", hw.CountWidth(perBeat), 0)
	sent := m.Reg("beats_sent", hw.CountWidth(beats), 0)
	announced := m.Reg("announced", 1, 0)

	full := have.Eq(hw.K(perBeat)).As("beat_full")
	empty := have.Eq(hw.K(0)).And(sent.Eq(hw.K(0))).As("packet_empty")
	pad := io.Finish.And(io.Entry.Valid.Not()).And(empty.Not()).And(full.Not()).As("pad")
	push := io.Entry.Fire().Or(pad).As("push")
	entry := hw.Mux(pad, hw.Ones(entryBits), io.Entry.Data)

	io.Entry.Ready.Set(full.Not())
	io.Packet.Valid.Set(full.And(announced.Not()))
	io.Packet.Data.Set(dma.Packet{Addr: addr, Len: hw.Lit(dma.LenBits, packetBytes)}.Pack())
	last := sent.Eq(hw.K(beats - 1)).As("last_beat")
	io.Data.Valid.Set(full.And(announced))
	io.Data.Data.Set(dma.DataBeat{Last: last, Keep: hw.Ones(p.StreamBytes()), Data: beat}.Pack())
	io.Idle.Set(empty)
	m.When(push, func() {
		beat.Set(hw.Cat(entry, beat.Slice(p.StreamBits-1, entryBits)))
		have.Set(have.Inc())
	})
	m.When(io.Packet.Fire(), func() { announced.Set(hw.K(1)) })
	m.When(io.Data.Fire(), func() {
		have.Set(hw.K(0))
		sent.Set(hw.Mux(last, hw.K(0), sent.Inc()))
		m.When(last, func() {
			announced.Set(hw.K(0))
			addr.Set(addr.Add(hw.K(packetBytes)))
		})
	})
	m.When(io.Start, func() { addr.Set(io.Addr) })
	return io
}

// BitmapWriter sends a half's popularity bitmap to host memory and to each
// GPU's mailbox.
type BitmapWriter struct{ arch.Params }

// BitmapWriterPorts: Start begins; Busy until the last beat is sent.
type BitmapWriterPorts struct {
	Start, Half, Addr, Inputs, GPUs hw.Bits
	Mailbox                         hw.Vec
	LineEnable, LineRow, Line       hw.Bits
	Packet, Data                    hw.Stream
	Busy                            hw.Bits
}

// ModuleName names the module.
func (BitmapWriter) ModuleName() string { return "bitmap_writer" }

// Build describes the writer.
func (p BitmapWriter) Build(m *hw.Module) BitmapWriterPorts {
	m.Doc("Bitmap writer: sends the popularity bitmap to host memory and to the GPUs.")
	a := p.Params
	io := BitmapWriterPorts{Start: m.In("start", 1), Half: m.In("half", 1), Addr: m.In("addr", 64), Inputs: m.In("inputs", inputsBits(a)), GPUs: m.In("gpus", gpusBits(a)),
		Mailbox: m.InVec("mailboxes", p.GPUs, 64), LineEnable: m.Out("line_enable", 1), LineRow: m.Out("line_row", lineBits(a)), Line: m.In("line", p.StreamBits),
		Packet: m.Source("packet", dma.PacketBits), Data: m.Source("data", dma.DataBits(a)), Busy: m.Out("busy", 1)}
	lw := lineBits(a)
	row, left := m.Data("row", lw), m.Data("lines_left", lw+1)
	target := m.Data("target", gpusBits(a)) // 0: host, else GPU target-1
	addr := m.Data("addr_q", 64)
	_, st := m.FSM("state", "Idle", "Announce", "Read", "Send")
	idle, announce, read, send := st[0], st[1], st[2], st[3]
	first := hw.Mux(io.Half, hw.Lit(lw, uint64(bitmapLines(a))), hw.K(0))
	// Whole lines: what follows the last input is zero.
	lines := io.Inputs.Ext(32).Add(hw.K(p.StreamBits - 1)).Shr(hw.Lit(5, uint64(arch.Log2(p.StreamBits)))).Trunc(lw + 1).As("lines")
	last := left.Eq(hw.K(1)).As("last_line")

	io.Busy.Set(idle.Is().Not())
	io.LineEnable.Set(read.Is())
	io.LineRow.Set(row)
	io.Packet.Valid.Set(announce.Is())
	io.Packet.Data.Set(dma.Packet{Addr: addr, Len: lines.Ext(dma.LenBits).Shl(hw.Lit(4, uint64(arch.Log2(p.StreamBytes()))))}.Pack())
	io.Data.Valid.Set(send.Is())
	io.Data.Data.Set(dma.DataBeat{Last: last, Keep: hw.Ones(p.StreamBytes()), Data: io.Line}.Pack())
	begin := func() {
		row.Set(first)
		left.Set(lines)
		announce.Next()
	}
	idle.Do(func() {
		m.When(io.Start, func() {
			addr.Set(io.Addr)
			target.Set(hw.K(0))
			begin()
		})
	})
	announce.Do(func() { m.When(io.Packet.Ready, read.Next) })
	read.Do(func() {
		row.Set(row.Inc())
		send.Next()
	})
	send.Do(func() {
		m.When(io.Data.Ready, func() {
			left.Set(left.Dec())
			m.When(last.Not(), read.Next).ElseWhen(target.Eq(io.GPUs), idle.Next).Else(func() {
				target.Set(target.Inc())
				addr.Set(io.Mailbox.Index(target.Trunc(gpuBits(a))))
				begin()
			})
		})
	})
	return io
}
