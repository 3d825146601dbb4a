package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// BitmapWriter sends a half's popularity bitmap to host memory and to the
// mailboxes of the GPUs, in packets of up to dma.MaxBytes.
type BitmapWriter struct{ arch.Params }

// BitmapWriterPorts: Start begins; Busy until the last beat is sent. The line
// port reads the classifier's bitmap.
type BitmapWriterPorts struct {
	Start, Half, Addr, Inputs, GPUs hw.Bits
	Mailbox                         hw.Vec
	LineEnable, LineRow, Line       hw.Bits
	writePorts
	Busy hw.Bits
}

// ModuleName names the module.
func (BitmapWriter) ModuleName() string { return "bitmap_writer" }

// copying is a BitmapWriter being described.
type copying struct {
	m  *hw.Module
	p  arch.Params
	io BitmapWriterPorts

	lines             hw.Bits // of the bitmap, the last one filled up with zeros
	row, left, packet hw.Bits // next line; lines to come, in all and of the packet
	target, addr      hw.Bits // 0 is the host, g+1 GPU g; where the packet goes
}

// Build describes the writer.
func (p BitmapWriter) Build(m *hw.Module) BitmapWriterPorts {
	m.Doc("Bitmap writer: sends the popularity bitmap to host memory and to the GPUs.")
	a := p.Params
	io := BitmapWriterPorts{
		Start:      m.In("start", 1),
		Half:       m.In("half", 1),
		Addr:       m.In("addr", 64),
		Inputs:     m.In("inputs", inputsBits(a)),
		GPUs:       m.In("gpus", gpusBits(a)),
		Mailbox:    m.InVec("mailboxes", p.GPUs, 64),
		LineEnable: m.Out("line_enable", 1),
		LineRow:    m.Out("line_row", lineBits(a)),
		Line:       m.In("line", p.StreamBits),
		writePorts: hw.Ports[writePorts](m),
		Busy:       m.Out("busy", 1),
	}
	count := hw.CountWidth(bitmapLines(a))
	width := max(inputsBits(a), hw.CountWidth(p.StreamBits)) + 1
	up := io.Inputs.Ext(width).Add(hw.K(p.StreamBits - 1))
	c := &copying{m: m, p: a, io: io,
		lines: up.Shr(hw.Lit(4, uint64(arch.Log2(p.StreamBits)))).Resize(count).As("lines"),
		row:   m.Data("row", lineBits(a)), left: m.Data("lines_left", count), packet: m.Data("packet_left", count),
		target: m.Data("target", gpusBits(a)), addr: m.Data("next_addr", 64)}
	c.sequence()
	return io
}

// sequence sends the packets, each line read when the one before has left.
func (c *copying) sequence() {
	m, io := c.m, c.io
	st := hw.FSM[struct{ Idle, Announce, Read, Send hw.State }](m, "state")
	most := min(bitmapLines(c.p), dma.MaxBytes/c.p.StreamBytes()) // lines of a packet
	size := hw.Mux(c.left.Ge(hw.K(most)), hw.K(most), c.left).As("packet_lines")
	last := c.packet.Eq(hw.K(1)).As("last_line")
	bytes := size.Resize(dma.LenBits).Shl(hw.Lit(3, uint64(arch.Log2(c.p.StreamBytes()))))

	io.Busy.Set(st.Idle.Is().Not())
	io.LineEnable.Set(st.Read.Is())
	io.LineRow.Set(c.row)
	io.Packet.Valid.Set(st.Announce.Is())
	hw.Set(io.Packet.Data, dma.Packet{Addr: c.addr, Len: bytes})
	io.Data.Valid.Set(st.Send.Is())
	hw.Set(io.Data.Data, dma.DataBeat{Last: last, Keep: hw.Ones(c.p.StreamBytes()), Data: io.Line})

	st.Idle.Do(func() {
		m.When(io.Start, func() {
			c.begin(hw.Lit(gpusBits(c.p), 0), io.Addr)
			st.Announce.Next()
		})
	})
	st.Announce.Do(func() {
		c.packet.Set(size)
		m.When(io.Packet.Ready, st.Read.Next)
	})
	st.Read.Do(func() {
		c.row.Set(c.row.Inc())
		c.left.Set(c.left.Dec())
		st.Send.Next()
	})
	st.Send.Do(func() {
		m.When(io.Data.Ready, func() {
			c.packet.Set(c.packet.Dec())
			m.When(last.Not(), st.Read.Next).ElseWhen(c.left.Any(), func() {
				c.addr.Set(c.addr.Add(hw.K(dma.MaxBytes)))
				st.Announce.Next()
			}).ElseWhen(c.target.Eq(io.GPUs), st.Idle.Next).Else(func() {
				c.begin(c.target.Inc(), io.Mailbox.Index(c.target.Trunc(gpuBits(c.p))))
				st.Announce.Next()
			})
		})
	})
}

// begin starts the copy to a target.
func (c *copying) begin(target, addr hw.Bits) {
	c.target.Set(target)
	c.addr.Set(addr)
	c.row.Set(firstLine(c.p, c.io.Half))
	c.left.Set(c.lines)
}
