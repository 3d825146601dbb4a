package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// ReadDesc is a read descriptor. Class is 1 for an address of a GPU.
type ReadDesc struct {
	Addr  hw.Bits `hw:"64,name=dma_addr" doc:"of the first byte"`
	Len   hw.Bits `hw:"13" doc:"bytes, 4 to 4096"`
	Tag   hw.Bits `hw:"ReadTagBits" doc:"of the read"`
	Class hw.Bits `hw:"name=cls" doc:"1: the address is of a GPU"`
}

// WriteDesc is a write descriptor.
type WriteDesc struct {
	Addr hw.Bits `hw:"64,name=dma_addr" doc:"of the first byte"`
	Len  hw.Bits `hw:"13" doc:"bytes, 4 to 4096"`
	Tag  hw.Bits `hw:"WriteTagBits" doc:"of the write"`
}

// ReadStatus reports the end of a read.
type ReadStatus struct {
	Tag   hw.Bits                `hw:"ReadTagBits" doc:"of the read"`
	Error hw.Enum[arch.DMAError] `doc:"0 if the read succeeded"`
}

// WriteStatus reports the end of a write.
type WriteStatus struct {
	Tag   hw.Bits                `hw:"WriteTagBits" doc:"of the write"`
	Error hw.Enum[arch.DMAError] `doc:"0 if the write succeeded"`
}

// ReadData is a beat of read data. Poisoned marks data that must not be used.
type ReadData struct {
	Data     hw.Bits `hw:"StreamBits,name=tdata" doc:"the beat"`
	Keep     hw.Bits `hw:"StreamBytes,name=tkeep" doc:"valid bytes; not used"`
	Tag      hw.Bits `hw:"ReadTagBits,name=tid" doc:"of the read"`
	Poisoned hw.Bits `hw:"name=tuser" doc:"1: the data are poisoned"`
	Last     hw.Bits `hw:"name=tlast" doc:"of the read; not used"`
}

// WriteData is a beat of write data.
type WriteData struct {
	Data hw.Bits `hw:"StreamBits,name=tdata" doc:"the beat"`
	Keep hw.Bits `hw:"StreamBytes,name=tkeep" doc:"bytes to write"`
	Tag  hw.Bits `hw:"WriteTagBits,name=tid" doc:"of the write"`
	Last hw.Bits `hw:"name=tlast" doc:"of the write"`
}
