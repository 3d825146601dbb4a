package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// XDMA is the accelerator for one H2C and one C2H channel of XDMA, with AXI4-Stream and descriptor
// bypass (AMD PG195, PG344).
type XDMA struct{ arch.Params }

// Bypass is a descriptor for a channel; Load transfers it. A descriptor may arrive in the cycle
// after Ready has fallen, so Load is a register.
type Bypass struct {
	Ready hw.Bits `hw:"back"`
	Load  hw.Bits
	Src   hw.Bits `hw:"64,name=src_addr"`
	Dst   hw.Bits `hw:"64,name=dst_addr"`
	Len   hw.Bits `hw:"28"`
	Ctl   hw.Bits `hw:"16" doc:"constant: end of packet"`
}

const (
	endOfPacket    = 1 << 4 // in Bypass.Ctl
	descriptorDone = 3      // bit of a channel's status
	granuleLog2    = 6      // granularity of the length of a C2H descriptor
)

// StreamData is a beat of a channel.
type StreamData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata"`
	Keep hw.Bits `hw:"StreamBytes,name=tkeep"`
	Last hw.Bits `hw:"name=tlast"`
}

// UserIRQ is the user interrupt of XDMA.
type UserIRQ struct {
	Req    hw.Bits
	Ack    hw.Bits `hw:"back"`
	Legacy hw.Bits `hw:"back" doc:"neither MSI nor MSI-X is enabled"`
}

// XDMAPorts are the register slave, the two channels, the interrupt and the straps.
type XDMAPorts struct {
	Bus     axil.Bus                `hw:"in,name=s_axil" doc:"registers, AXI4-Lite"`
	H2C     Bypass                  `hw:"out,name=h2c_dsc_byp" doc:"reads of host memory"`
	H2CData axis.Stream[StreamData] `hw:"in,name=s_axis_h2c" doc:"data of the reads"`
	C2H     Bypass                  `hw:"out,name=c2h_dsc_byp" doc:"writes of host memory"`
	C2HData axis.Stream[StreamData] `hw:"out,name=m_axis_c2h" doc:"data of the writes"`
	C2HSts  hw.Bits                 `hw:"in,8,name=c2h_sts" doc:"bit 3: a write has ended"`
	IRQ     UserIRQ                 `hw:"out,name=usr_irq" doc:"interrupts"`
	Straps  top.Straps              `hw:"in,inline"`
}

// AddrWidth returns the width of a register's byte address.
func (p XDMA) AddrWidth() int { return top.Hotline(p).AddrWidth() }

// ModuleName returns the name of the module.
func (XDMA) ModuleName() string { return "hotline_xdma" }

// Build connects the accelerator to the engine.
func (p XDMA) Build(m *hw.Module) XDMAPorts {
	m.Doc("Hotline for XDMA with descriptor bypass.")
	if err := p.Validate(); err != nil {
		m.Errorf("%v", err)
		return XDMAPorts{}
	}
	io := hw.Ports[XDMAPorts](m)
	core := hw.Inst(m, "hotline", top.Hotline(p))
	hw.Connect(core.Bus, io.Bus)
	hw.Set(core.Straps, io.Straps)
	m.Unused(core.IRQReq)
	core.IRQAck.Set(hw.K(0))
	irq := hw.InstReset(m, "user_irq", userIRQ{}, io.Straps.FLR)
	irq.Level.Set(core.IRQLevel)
	irq.Legacy.Set(io.IRQ.Legacy)
	irq.Ack.Set(io.IRQ.Ack)
	io.IRQ.Req.Set(irq.Req)

	e := hw.InstReset(m, "channels", channels{p.Link()}, io.Straps.FLR)
	e.ReadDesc.Connect(core.ReadDesc)
	hw.Connect(core.ReadData, e.ReadData)
	hw.Set(core.ReadStatus, e.ReadStatus)
	e.WriteDesc.Connect(core.WriteDesc)
	hw.Connect(e.WriteData, core.WriteData)
	hw.Set(core.WriteStatus, e.WriteStatus)
	hw.Connect(io.H2C, e.H2C)
	hw.Connect(e.H2CData, io.H2CData)
	hw.Connect(io.C2H, e.C2H)
	hw.Connect(io.C2HData, e.C2HData)
	e.C2HSts.Set(io.C2HSts)
	return io
}

// channels converts descriptors into descriptors of the two channels, which finish them in order.
type channels struct{ arch.Link }

type channelsPorts struct {
	ReadDesc    hw.Stream[dma.ReadDesc]    `hw:"in" doc:"reads"`
	ReadData    axis.Stream[dma.ReadData]  `hw:"out" doc:"data of the reads"`
	ReadStatus  dma.Event[dma.ReadStatus]  `hw:"out" doc:"ends of the reads"`
	WriteDesc   hw.Stream[dma.WriteDesc]   `hw:"in" doc:"writes"`
	WriteData   axis.Stream[dma.WriteData] `hw:"in" doc:"data of the writes"`
	WriteStatus dma.Event[dma.WriteStatus] `hw:"out" doc:"ends of the writes"`

	H2C     Bypass                  `hw:"out,name=h2c_dsc_byp" doc:"reads of host memory"`
	H2CData axis.Stream[StreamData] `hw:"in,name=s_axis_h2c" doc:"data of the reads"`
	C2H     Bypass                  `hw:"out,name=c2h_dsc_byp" doc:"writes of host memory"`
	C2HData axis.Stream[StreamData] `hw:"out,name=m_axis_c2h" doc:"data of the writes"`
	C2HSts  hw.Bits                 `hw:"in,8,name=c2h_sts" doc:"bit 3: a write has ended"`
}

// ModuleName returns the name of the module.
func (channels) ModuleName() string { return "xdma_channels" }

// Build describes the engine.
func (p channels) Build(m *hw.Module) channelsPorts {
	m.Doc("Descriptors for two channels of XDMA, which finish them in their order.")
	io := hw.Ports[channelsPorts](m)
	p.reads(m, io)
	p.writes(m, io)
	return io
}

// reads describes the H2C channel. A read descriptor ends with its last beat.
func (p channels) reads(m *hw.Module, io channelsPorts) {
	desc, out := io.ReadDesc.Data, io.ReadData
	m.Unused(desc.Class, io.H2CData.Data.Keep)
	tags := p.tags(m, "reads", 2*p.Tags, p.ReadTagBits())
	io.H2C.Src.Set(bypass(m, "h2c", io.H2C, io.ReadDesc.Valid, io.ReadDesc.Ready, desc.Addr, desc.Len))
	io.H2C.Dst.Set(hw.K(0))
	tags.Push.Valid.Set(io.ReadDesc.Fire())
	tags.Push.Data.Set(desc.Tag)

	from, data := io.H2CData, hw.Inst(m, "h2c_data", skid.Skid[SourceData]{Of: hw.Of[SourceData](p)})
	data.Push.Valid.Set(from.Valid)
	from.Ready.Set(data.Push.Ready)
	hw.Set(data.Push.Data, SourceData{Data: from.Data.Data, Last: from.Data.Last})
	m.Unused(tags.Pop.Valid)
	out.Valid.Set(data.Pop.Valid)
	data.Pop.Ready.Set(out.Ready)
	hw.Set(out.Data, dma.ReadData{Data: data.Pop.Data.Data, Keep: hw.Ones(p.StreamBytes()), Tag: tags.Pop.Data, Poisoned: hw.Lit(1, 0), Last: data.Pop.Data.Last})
	over := out.Fire().And(data.Pop.Data.Last).As("read_over")
	tags.Pop.Ready.Set(over)
	io.ReadStatus.Valid.Set(over)
	hw.Set(io.ReadStatus.Data, dma.ReadStatus{Tag: tags.Pop.Data, Error: hw.Value(m, arch.DMAOK)})
}

// writes describes the C2H channel. The channel reports when its oldest descriptor has ended.
func (p channels) writes(m *hw.Module, io channelsPorts) {
	desc, in := io.WriteDesc.Data, io.WriteData
	m.Unused(in.Data.Tag, io.C2HSts)
	tags := p.tags(m, "writes", p.Tags, p.WriteTagBits())
	granules := desc.Len.Add(hw.K(1<<granuleLog2-1)).Slice(desc.Len.Width()-1, granuleLog2)
	io.C2H.Dst.Set(bypass(m, "c2h", io.C2H, io.WriteDesc.Valid, io.WriteDesc.Ready, desc.Addr, hw.Cat(granules, hw.Zeros(granuleLog2))))
	io.C2H.Src.Set(hw.K(0))
	tags.Push.Valid.Set(io.WriteDesc.Fire())
	tags.Push.Data.Set(desc.Tag)

	data := hw.Inst(m, "c2h_data", skid.Stage[StreamData]{Of: hw.Of[StreamData](p)})
	data.Push.Valid.Set(in.Valid)
	in.Ready.Set(data.Push.Ready)
	hw.Set(data.Push.Data, StreamData{Data: in.Data.Data, Keep: in.Data.Keep, Last: in.Data.Last})
	io.C2HData.Channel().Connect(data.Pop)
	over := io.C2HSts.Bit(descriptorDone).And(tags.Pop.Valid).As("write_over")
	tags.Pop.Ready.Set(over)
	io.WriteStatus.Valid.Set(over)
	hw.Set(io.WriteStatus.Data, dma.WriteStatus{Tag: tags.Pop.Data, Error: hw.Value(m, arch.DMAOK)})
}

// tags returns a queue of the tags in flight, oldest first. It has an entry for each tag.
func (p channels) tags(m *hw.Module, name string, depth, bits int) fifo.Ports[hw.Bits] {
	q := hw.Inst(m, name, fifo.FIFO[hw.Bits]{Of: hw.Width(bits), Depth: depth})
	m.Unused(q.Level, q.Push.Ready)
	return q
}

// bypass loads a descriptor in the cycle after it is accepted, which requires that the channel is
// ready. It returns the register of the address.
func bypass(m *hw.Module, name string, to Bypass, valid, ready, addr, length hw.Bits) hw.Bits {
	load, at, size := m.Reg(name+"_load", 1, 0), m.Reg(name+"_addr", 64, 0), m.Reg(name+"_len", length.Width(), 0)
	ready.Set(to.Ready)
	load.Set(valid.And(to.Ready))
	m.When(to.Ready, func() {
		at.Set(addr)
		size.Set(length)
	})
	to.Load.Set(load)
	to.Len.Set(size.Ext(to.Len.Width()))
	to.Ctl.Set(hw.Named("end_of_packet", endOfPacket))
	return at
}
