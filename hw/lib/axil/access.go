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
	Write      hw.Bits `doc:"a write of write_data to write_addr"`
	WriteAddr  hw.Bits `hw:"AddrWidth" doc:"byte address"`
	WriteData  hw.Bits `hw:"32" doc:"the word"`
	WriteStrb  hw.Bits `hw:"4" doc:"bytes of it to write"`
	WriteError hw.Bits `hw:"back" doc:"the write is not possible; in the same cycle"`
	Read       hw.Bits `doc:"a read at read_addr"`
	ReadAddr   hw.Bits `hw:"AddrWidth" doc:"byte address"`
	ReadData   hw.Bits `hw:"back,32" doc:"the word, a cycle after read"`
	ReadError  hw.Bits `hw:"back" doc:"the read is not possible; a cycle after read"`
}
