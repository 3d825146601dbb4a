package axil

import "github.com/hotline-rtl/hotline/hw"

// Access is what a Slave and the registers behind it tell each other, with byte
// addresses of AddrWidth bits.
//
// In a cycle with Write, the bytes of WriteData that WriteStrb marks go to
// WriteAddr, and WriteError, in the same cycle, tells that they cannot. In a
// cycle with Read the registers see ReadAddr and give, in the next cycle,
// ReadData and ReadError. Addresses are byte addresses with the low two bits as
// on the bus. An error becomes SLVERR; a read with an error gives 0.
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
