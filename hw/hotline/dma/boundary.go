package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// ReadDesc is a read descriptor. Class is 1 for an address of a GPU.
type ReadDesc struct {
	Addr  hw.Bits `hw:"64,name=dma_addr"`
	Len   hw.Bits `hw:"13"`
	Tag   hw.Bits `hw:"ReadTagBits"`
	Class hw.Bits `hw:"name=cls"`
}

// WriteDesc is a write descriptor.
type WriteDesc struct {
	Addr hw.Bits `hw:"64,name=dma_addr"`
	Len  hw.Bits `hw:"13"`
	Tag  hw.Bits `hw:"WriteTagBits"`
}

// ReadStatus reports the end of a read.
type ReadStatus struct {
	Tag   hw.Bits `hw:"ReadTagBits"`
	Error hw.Enum[arch.DMAError]
}

// WriteStatus reports the end of a write.
type WriteStatus struct {
	Tag   hw.Bits `hw:"WriteTagBits"`
	Error hw.Enum[arch.DMAError]
}

// ReadData is a beat of read data. Poisoned marks data that must not be used.
type ReadData struct {
	Data     hw.Bits `hw:"StreamBits,name=tdata"`
	Keep     hw.Bits `hw:"StreamBytes,name=tkeep"`
	Tag      hw.Bits `hw:"ReadTagBits,name=tid"`
	Poisoned hw.Bits `hw:"name=tuser"`
	Last     hw.Bits `hw:"name=tlast"`
}

// WriteData is a beat of write data.
type WriteData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata"`
	Keep hw.Bits `hw:"StreamBytes,name=tkeep"`
	Tag  hw.Bits `hw:"WriteTagBits,name=tid"`
	Last hw.Bits `hw:"name=tlast"`
}
