package input

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// BitmapWriter sends a half's popularity bitmap to host memory and to the mailboxes of the GPUs, in
// packets of up to dma.MaxBytes.
type BitmapWriter struct {
	sizes.Beats
	sizes.GPUNumbers
}

// BitmapWriterPorts are the ports of a BitmapWriter. All operands but Addr must be stable from
// Start to the end.
type BitmapWriterPorts struct {
	Start     hw.Bits `hw:"in" doc:"begins a copy; ignored while busy"`
	Half      hw.Bits `hw:"in" doc:"half of the eDRAM"`
	Addr      hw.Bits `hw:"in,64" doc:"of the bitmap in host memory"`
	Inputs    hw.Bits `hw:"in,InputsBits" doc:"of the mini-batch"`
	GPUs      hw.Bits `hw:"in,GPUCountBits" doc:"GPUs in use"`
	Mailboxes hw.Vec  `hw:"in,64,len=GPUs" doc:"address of the copy for each GPU"`

	Line   LineRead                `hw:"out" doc:"reads of the bitmap"`
	Packet hw.Stream[dma.Packet]   `hw:"out" doc:"copies of the bitmap"`
	Data   hw.Stream[dma.DataBeat] `hw:"out" doc:"copies of the bitmap"`
	Busy   hw.Bits                 `hw:"out" doc:"the last beat is to be sent"`
}

// copying describes a BitmapWriter.
type copying struct {
	m  *hw.Module
	p  BitmapWriter
	io BitmapWriterPorts

	lines        hw.Bits // of the bitmap, including a partial last line
	line         hw.Bits // number of the next line
	left         hw.Bits // lines that are still to be sent
	target, addr hw.Bits // target: 0 is the host, g+1 GPU g; addr: destination of the packet
}

// Build describes the writer.
func (p BitmapWriter) Build(m *hw.Module) BitmapWriterPorts {
	m.Doc("Bitmap writer: sends the popularity bitmap to host memory and to the GPUs.")
	io := hw.Ports[BitmapWriterPorts](m)
	count := hw.CountWidth(p.Lines())
	width := max(p.InputsBits(), hw.CountWidth(p.StreamBits)) + 1
	up := io.Inputs.Ext(width).Add(hw.K(p.StreamBits - 1))
	c := &copying{m: m, p: p, io: io,
		lines: up.Shr(hw.K(arch.Log2(p.StreamBits))).Resize(count).As("lines"),
		line:  m.Data("next_line", p.LineBits()), left: m.Data("lines_left", count),
		target: m.Data("target", p.GPUCountBits()), addr: m.Data("next_addr", 64)}
	c.sequence()
	return io
}

// packetLines returns the maximum number of lines of a packet.
func (p BitmapWriter) packetLines() int { return dma.MaxBytes / p.StreamBytes() }

// several reports whether a bitmap may need more than one packet.
func (p BitmapWriter) several() bool { return p.Lines() > p.packetLines() }

// packet returns the number of lines of the packet that begins, and whether the current line is the
// last of its packet, and of the copy.
func (c *copying) packet() (size, last, final hw.Bits) {
	final = c.left.Eq(hw.K(1)).As("final_line")
	if !c.p.several() {
		return c.left, final, final
	}
	most := c.p.packetLines()
	full := c.lines.Trunc(arch.Log2(most)).Sub(c.left.Trunc(arch.Log2(most))).All().As("packet_full")
	lines := hw.Named("packet_lines", most)
	return hw.Mux(c.left.Ge(lines), lines, c.left).As("packet_lines"), final.Or(full).As("last_line"), final
}

// sequence sends the packets. It reads each line after the previous line has left.
func (c *copying) sequence() {
	m, io := c.m, c.io
	st := hw.FSM[struct{ Idle, Announce, Read, Send hw.State }](m, "state")
	size, last, final := c.packet()
	bytes := size.Resize(dma.LenBits).Shl(hw.K(arch.Log2(c.p.StreamBytes())))

	io.Busy.Set(st.Idle.Is().Not())
	io.Line.Enable.Set(st.Read.Is())
	io.Line.Number.Set(c.line)
	io.Packet.Valid.Set(st.Announce.Is())
	hw.Set(io.Packet.Data, dma.Packet{Addr: c.addr, Len: bytes})
	io.Data.Valid.Set(st.Send.Is())
	hw.Set(io.Data.Data, dma.DataBeat{Last: last, Keep: hw.Ones(c.p.StreamBytes()), Data: io.Line.Bits})

	st.Idle.Do(func() {
		m.When(io.Start, func() {
			c.begin(hw.Lit(c.p.GPUCountBits(), 0), io.Addr)
			st.Announce.Next()
		})
	})
	st.Announce.Do(func() { m.When(io.Packet.Ready, st.Read.Next) })
	st.Read.Do(func() {
		c.line.Set(c.line.Inc())
		st.Send.Next()
	})
	st.Send.Do(func() {
		m.When(io.Data.Ready, func() {
			c.left.Set(c.left.Dec())
			sent := m.When(last.Not(), st.Read.Next)
			if c.p.several() {
				sent = sent.ElseWhen(final.Not(), func() {
					c.addr.Set(c.addr.Add(hw.Named("max_bytes", dma.MaxBytes)))
					st.Announce.Next()
				})
			}
			sent.Else(func() {
				c.begin(c.target.Inc(), io.Mailboxes.Index(c.target.Trunc(c.p.GPUBits())))
				m.When(c.target.Eq(io.GPUs), st.Idle.Next).Else(st.Announce.Next)
			})
		})
	})
}

// begin starts the copy to a target.
func (c *copying) begin(target, addr hw.Bits) {
	c.target.Set(target)
	c.addr.Set(addr)
	c.line.Set(c.p.FirstLine(c.io.Half))
	c.left.Set(c.lines)
}
