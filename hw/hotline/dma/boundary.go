package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// ReadDesc is a descriptor of a read. Class 1 is for the address of a GPU.
type ReadDesc struct {
	Addr  hw.Bits `hw:"64,name=dma_addr"`
	Len   hw.Bits `hw:"13"`
	Tag   hw.Bits `hw:"ReadTagBits"`
	Class hw.Bits `hw:"name=cls"`
}

// WriteDesc is a descriptor of a write.
type WriteDesc struct {
	Addr hw.Bits `hw:"64,name=dma_addr"`
	Len  hw.Bits `hw:"13"`
	Tag  hw.Bits `hw:"WriteTagBits"`
}

// ReadStatus is how the boundary reports the end of a read.
type ReadStatus struct {
	Tag   hw.Bits `hw:"ReadTagBits"`
	Error hw.Enum[arch.DMAError]
}

// WriteStatus is how the boundary reports the end of a write.
type WriteStatus struct {
	Tag   hw.Bits `hw:"WriteTagBits"`
	Error hw.Enum[arch.DMAError]
}

// ReadData is a beat of what is read; Poisoned marks data that is not to be used.
type ReadData struct {
	Data     hw.Bits `hw:"StreamBits,name=tdata"`
	Keep     hw.Bits `hw:"StreamBytes,name=tkeep"`
	Tag      hw.Bits `hw:"ReadTagBits,name=tid"`
	Poisoned hw.Bits `hw:"name=tuser"`
	Last     hw.Bits `hw:"name=tlast"`
}

// WriteData is a beat of what is written.
type WriteData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata"`
	Keep hw.Bits `hw:"StreamBytes,name=tkeep"`
	Tag  hw.Bits `hw:"WriteTagBits,name=tid"`
	Last hw.Bits `hw:"name=tlast"`
}
