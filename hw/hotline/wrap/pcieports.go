package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// The descriptors of verilog-pcie have its default widths, except for the tags. dma_if_pcie
// transfers between host and memory, dma_client_axis_source and dma_client_axis_sink between memory
// and stream.

// HostRead asks dma_if_pcie to read Len bytes from the host into the read memory.
type HostRead struct {
	Addr    hw.Bits `hw:"64,name=pcie_addr"`
	RAMSel  hw.Bits `hw:"2,name=ram_sel"`
	RAMAddr hw.Bits `hw:"16,name=ram_addr"`
	Len     hw.Bits `hw:"16"`
	Tag     hw.Bits `hw:"ReadTagBits"`
}

// HostWrite asks dma_if_pcie to write Len bytes from the write memory to the host.
type HostWrite struct {
	Addr    hw.Bits `hw:"64,name=pcie_addr"`
	RAMSel  hw.Bits `hw:"2,name=ram_sel"`
	RAMAddr hw.Bits `hw:"16,name=ram_addr"`
	Imm     hw.Bits `hw:"32"`
	ImmEn   hw.Bits `hw:"name=imm_en"`
	Len     hw.Bits `hw:"16"`
	Tag     hw.Bits `hw:"ReadTagBits"`
}

// HostStatus reports the end of a HostRead or HostWrite.
type HostStatus struct {
	Tag   hw.Bits `hw:"ReadTagBits"`
	Error hw.Enum[arch.DMAError]
}

// ClientDesc asks a client to transfer Len bytes between memory and stream.
type ClientDesc struct {
	RAMAddr hw.Bits `hw:"16,name=ram_addr"`
	Len     hw.Bits `hw:"16"`
	Tag     hw.Bits `hw:"ReadTagBits"`
}

// SourceData is a beat from the read memory.
type SourceData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata"`
	Last hw.Bits `hw:"name=tlast"`
}

// SinkData is a beat for the write memory.
type SinkData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata"`
	Keep hw.Bits `hw:"StreamBytes,name=tkeep"`
	Last hw.Bits `hw:"name=tlast"`
}
