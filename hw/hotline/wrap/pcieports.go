package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// The descriptors of verilog-pcie, with the widths of its defaults but for tags: those of
// dma_if_pcie between host and memory, and those of dma_client_axis_source and _sink between
// memory and stream.

// HostRead asks dma_if_pcie for Len bytes of the host, into the memory for reads.
type HostRead struct {
	Addr    hw.Bits `hw:"64,name=pcie_addr"`
	RAMSel  hw.Bits `hw:"2,name=ram_sel"`
	RAMAddr hw.Bits `hw:"16,name=ram_addr"`
	Len     hw.Bits `hw:"16"`
	Tag     hw.Bits `hw:"ReadTagBits"`
}

// HostWrite asks it to write Len bytes of the memory for writes.
type HostWrite struct {
	Addr    hw.Bits `hw:"64,name=pcie_addr"`
	RAMSel  hw.Bits `hw:"2,name=ram_sel"`
	RAMAddr hw.Bits `hw:"16,name=ram_addr"`
	Imm     hw.Bits `hw:"32"`
	ImmEn   hw.Bits `hw:"name=imm_en"`
	Len     hw.Bits `hw:"16"`
	Tag     hw.Bits `hw:"ReadTagBits"`
}

// HostStatus is how one of these has ended.
type HostStatus struct {
	Tag   hw.Bits `hw:"ReadTagBits"`
	Error hw.Enum[arch.DMAError]
}

// ClientDesc asks for Len bytes of the stream, from or to the memory.
type ClientDesc struct {
	RAMAddr hw.Bits `hw:"16,name=ram_addr"`
	Len     hw.Bits `hw:"16"`
	Tag     hw.Bits `hw:"ReadTagBits"`
}

// SourceData is a beat from the memory for reads.
type SourceData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata"`
	Last hw.Bits `hw:"name=tlast"`
}

// SinkData is a beat for the memory for writes.
type SinkData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata"`
	Keep hw.Bits `hw:"StreamBytes,name=tkeep"`
	Last hw.Bits `hw:"name=tlast"`
}
