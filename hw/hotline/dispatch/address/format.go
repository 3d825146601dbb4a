package address

import "github.com/hotline-rtl/hotline/hw"

// IndexBits is the width of the index of a register.
const IndexBits = 10

// Write is an s_wr. In a cycle with Enable, it writes Value to register Index if Legal.
type Write struct {
	Enable hw.Bits `doc:"writes value if it is legal"`
	Index  hw.Bits `hw:"10" doc:"number of the register"`
	Value  hw.Bits `hw:"64" doc:"operand 2 of s_wr"`
	Legal  hw.Bits `hw:"back" doc:"the register exists, and value is in its range"`
}

// Rows holds the registers from which the addresses of rows and vectors are computed. The vectors
// are indexed by GPU.
type Rows struct {
	Tables  hw.Bits `hw:"TableCountBits" doc:"tables in use, T"`
	RowLog2 hw.Bits `hw:"4" doc:"log2 of the bytes of a row"`
	GPUs    hw.Bits `hw:"GPUCountBits" doc:"GPUs in use, G"`
	Scale   hw.Bits `hw:"32" doc:"of gradients, FP32"`
	Hot     hw.Vec  `hw:"64,len=GPUs" doc:"base of the hot table"`
	Pooled  hw.Vec  `hw:"64,len=GPUs" doc:"base of the pooled vectors"`
	Grad    hw.Vec  `hw:"64,len=GPUs" doc:"base of the gradients"`
}

// Given reports which addresses have been written since the reset.
type Given struct {
	Slots      hw.Bits `doc:"all slots in use, 0 to L-1"`
	SlotTables hw.Bits `doc:"every table that a slot register has named"`
	Hot        hw.Bits `doc:"the hot tables of all GPUs in use"`
	Pooled     hw.Bits `doc:"the pooled vectors of all GPUs in use"`
	Grad       hw.Bits `doc:"the gradients of all GPUs in use"`
	Mailboxes  hw.Bits `doc:"the mailboxes of all GPUs in use"`
	HotOf      hw.Bits `hw:"GPUs" doc:"the hot table, by GPU"`
	Tables     hw.Bits `hw:"Tables" doc:"by table"`
}

// TableRead reads the register of a table.
type TableRead struct {
	Enable hw.Bits `doc:"reads a base address"`
	Number hw.Bits `hw:"TableBits" doc:"of the table"`
	Base   hw.Bits `hw:"back,64" doc:"address of row 0, a cycle after enable, until the next"`
}

// Slot is the content of the register of a lookup slot.
type Slot struct {
	Last  hw.Bits `doc:"last of the slots of its table"`
	First hw.Bits `doc:"first of the slots of its table"`
	Table hw.Bits `hw:"TableBits"`
	Base  hw.Bits `hw:"IDBits" doc:"id of row 0 of its table"`
}

// SlotRead reads the register of a lookup slot. The content is valid from the cycle after Enable
// until the next read.
type SlotRead struct {
	Enable hw.Bits `doc:"reads a slot register"`
	Number hw.Bits `hw:"SlotBits" doc:"of the lookup slot"`
	Slot   `hw:"back"`
}

// IsAligned reports whether an address is the address of a word.
func IsAligned(address hw.Bits) hw.Bits { return address.Trunc(2).IsZero() }
