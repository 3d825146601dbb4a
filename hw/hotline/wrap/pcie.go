package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
)

// VerilogPCIe is the accelerator for the DMA of verilog-pcie. It uses dma_if_pcie with two
// instances of dma_psdpram: dma_client_axis_source reads one, and dma_client_axis_sink writes the
// other.
type VerilogPCIe struct{ arch.Params }

// VerilogPCIePorts are the register slave, the interfaces to these modules, the interrupt and the
// straps.
type VerilogPCIePorts struct {
	Bus         axil.Bus                `hw:"in,name=s_axil" doc:"registers, AXI4-Lite"`
	Read        hw.Stream[HostRead]     `hw:"out,name=m_axis_dma_read_desc" doc:"reads of host memory into the RAM"`
	ReadStatus  dma.Event[HostStatus]   `hw:"in,name=s_axis_dma_read_desc_status" doc:"ends of the reads"`
	Source      hw.Stream[ClientDesc]   `hw:"out,name=m_axis_source_desc" doc:"reads out of the RAM"`
	SourceData  axis.Stream[SourceData] `hw:"in,name=s_axis_source_data" doc:"data of the reads"`
	Sink        hw.Stream[ClientDesc]   `hw:"out,name=m_axis_sink_desc" doc:"writes into the RAM"`
	SinkData    axis.Stream[SinkData]   `hw:"out,name=m_axis_sink_data" doc:"data of the writes"`
	SinkDone    hw.Bits                 `hw:"in,name=s_axis_sink_desc_status_valid" doc:"pulse: a write into the RAM has ended"`
	Write       hw.Stream[HostWrite]    `hw:"out,name=m_axis_dma_write_desc" doc:"writes of host memory out of the RAM"`
	WriteStatus dma.Event[HostStatus]   `hw:"in,name=s_axis_dma_write_desc_status" doc:"ends of the writes"`
	IRQReq      hw.Bits                 `hw:"out" doc:"requests an interrupt"`
	IRQAck      hw.Bits                 `hw:"in" doc:"the interrupt is accepted"`
	Straps      top.Straps              `hw:"in,inline"`
}

// AddrWidth returns the width of a register's byte address.
func (p VerilogPCIe) AddrWidth() int { return top.Hotline(p).AddrWidth() }

// ModuleName returns the name of the module.
func (VerilogPCIe) ModuleName() string { return "hotline_verilog_pcie" }

// Build connects the accelerator to the engines.
func (p VerilogPCIe) Build(m *hw.Module) VerilogPCIePorts {
	m.Doc("Hotline for the DMA of verilog-pcie.")
	if err := p.Validate(); err != nil {
		m.Errorf("%v", err)
		return VerilogPCIePorts{}
	}
	io := hw.Ports[VerilogPCIePorts](m)
	core := hw.Inst(m, "hotline", top.Hotline(p))
	hw.Connect(core.Bus, io.Bus)
	io.IRQReq.Set(core.IRQReq)
	core.IRQAck.Set(io.IRQAck)
	m.Unused(core.IRQLevel)
	hw.Set(core.Straps, io.Straps)

	read := hw.InstReset(m, "pcie_read", pcieRead{p.Link()}, io.Straps.FLR)
	read.Desc.Connect(core.ReadDesc)
	hw.Connect(core.ReadData, read.Data)
	hw.Set(core.ReadStatus, read.Status)
	io.Read.Connect(read.Host)
	hw.Set(read.HostStatus, io.ReadStatus)
	io.Source.Connect(read.Source)
	hw.Connect(read.SourceData, io.SourceData)

	write := hw.InstReset(m, "pcie_write", pcieWrite{p.Link()}, io.Straps.FLR)
	write.Desc.Connect(core.WriteDesc)
	hw.Connect(write.Data, core.WriteData)
	hw.Set(core.WriteStatus, write.Status)
	io.Sink.Connect(write.Sink)
	hw.Connect(io.SinkData, write.SinkData)
	write.SinkDone.Set(io.SinkDone)
	io.Write.Connect(write.Host)
	hw.Set(write.HostStatus, io.WriteStatus)
	return io
}
