package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
)

// AXI is the accelerator with an AXI4 master.
type AXI struct{ arch.Params }

// AXIPorts are the register slave, the master, and the interrupt. There are no straps: an AXI bus
// does not drop outstanding transactions. So only rst, applied to both sides, resets immediately.
type AXIPorts struct {
	Bus      axil.Bus `hw:"in,name=s_axil" doc:"registers, AXI4-Lite"`
	Memory   Bus      `hw:"out,name=m_axi" doc:"host and GPU memory, AXI4"`
	IRQReq   hw.Bits  `hw:"out" doc:"requests an interrupt"`
	IRQAck   hw.Bits  `hw:"in" doc:"the interrupt is accepted"`
	IRQLevel hw.Bits  `hw:"out" doc:"completions wait for the driver"`
}

// AddrWidth returns the width of a register's byte address.
func (p AXI) AddrWidth() int { return top.Hotline(p).AddrWidth() }

// ModuleName returns the name of the module.
func (AXI) ModuleName() string { return "hotline_axi" }

// Build connects the accelerator to the engines.
func (p AXI) Build(m *hw.Module) AXIPorts {
	m.Doc("Hotline with an AXI4 master in front of its DMA.")
	if err := p.Validate(); err != nil {
		m.Errorf("%v", err)
		return AXIPorts{}
	}
	io := hw.Ports[AXIPorts](m)
	core := hw.Inst(m, "hotline", top.Hotline(p))
	hw.Connect(core.Bus, io.Bus)
	io.IRQReq.Set(core.IRQReq)
	core.IRQAck.Set(io.IRQAck)
	io.IRQLevel.Set(core.IRQLevel)
	core.Straps.BusMaster.Set(hw.K(1))
	core.Straps.LinkUp.Set(hw.K(1))
	core.Straps.FLR.Set(hw.K(0))

	read := hw.Inst(m, "axi_read", axiRead{p.Link()})
	read.Desc.Connect(core.ReadDesc)
	hw.Connect(core.ReadData, read.Data)
	hw.Set(core.ReadStatus, read.Status)
	io.Memory.AR.Connect(read.AR)
	read.R.Connect(io.Memory.R)

	write := hw.Inst(m, "axi_write", axiWrite{p.Link()})
	write.Desc.Connect(core.WriteDesc)
	hw.Connect(write.Data, core.WriteData)
	hw.Set(core.WriteStatus, write.Status)
	io.Memory.AW.Connect(write.AW)
	io.Memory.W.Connect(write.W)
	write.B.Connect(io.Memory.B)
	return io
}
