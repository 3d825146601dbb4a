package address

import "github.com/hotline-rtl/hotline/hw"

// IndexBits is the width of the index of a register.
const IndexBits = 10

// Write is an s_wr: in a cycle with Enable it writes Value to register Index, if
// Legal.
type Write struct {
	Enable hw.Bits
	Index  hw.Bits `hw:"10"`
	Value  hw.Bits `hw:"64"`
	Legal  hw.Bits `hw:"back" doc:"register index exists, and can hold value"`
}

// Rows are the registers that say where rows and vectors lie. Vectors are by GPU.
type Rows struct {
	Tables  hw.Bits `hw:"TableCountBits" doc:"tables in use, T"`
	RowLog2 hw.Bits `hw:"4" doc:"log2 of the bytes of a row"`
	GPUs    hw.Bits `hw:"GPUCountBits" doc:"GPUs in use, G"`
	Scale   hw.Bits `hw:"32" doc:"of gradients, FP32"`
	Hot     hw.Vec  `hw:"64,len=GPUs" doc:"base of the hot table"`
	Pooled  hw.Vec  `hw:"64,len=GPUs" doc:"base of the pooled vectors"`
	Grad    hw.Vec  `hw:"64,len=GPUs" doc:"base of the gradients"`
}

// TableRead reads the register of a table.
type TableRead struct {
	Enable hw.Bits
	Number hw.Bits `hw:"TableBits"`
	Base   hw.Bits `hw:"back,64" doc:"address of row 0, a cycle after enable, until the next"`
}

// Slot is the register of a lookup slot.
type Slot struct {
	Last  hw.Bits `doc:"of the slots of its table"`
	First hw.Bits `doc:"likewise"`
	Table hw.Bits `hw:"TableBits"`
	Base  hw.Bits `hw:"IDBits" doc:"id of row 0 of its table"`
}

// SlotRead reads the register of a lookup slot: its word comes a cycle after Enable
// and stays until the next.
type SlotRead struct {
	Enable hw.Bits
	Number hw.Bits `hw:"SlotBits"`
	Slot   `hw:"back"`
}

// IsAligned tells whether an address is that of a word.
func IsAligned(address hw.Bits) hw.Bits { return address.Trunc(2).IsZero() }
