package axil

import "github.com/hotline-rtl/hotline/hw"

// Access is the interface between a Slave and its registers. Addresses are byte addresses of
// AddrWidth bits, with the low two bits as on the bus.
//
// In a cycle with Write, the bytes of WriteData that WriteStrb marks are written to WriteAddr.
// WriteError, in the same cycle, reports that the write is not possible. In a cycle with Read,
// ReadAddr is valid; the registers return ReadData and ReadError in the next cycle. The slave
// converts an error to SLVERR; a read with an error returns 0.
type Access struct {
	Write      hw.Bits
	WriteAddr  hw.Bits `hw:"AddrWidth"`
	WriteData  hw.Bits `hw:"32"`
	WriteStrb  hw.Bits `hw:"4"`
	WriteError hw.Bits `hw:"back"`
	Read       hw.Bits
	ReadAddr   hw.Bits `hw:"AddrWidth"`
	ReadData   hw.Bits `hw:"back,32"`
	ReadError  hw.Bits `hw:"back"`
}
