package config

import "fmt"

// The identity of the card. No range of vendor ids is set aside for
// experiments; 484C, "HL", is nobody's in the public list. A product takes the id
// of its maker.
const (
	VendorID  = 0x484c
	DeviceID  = 0x484f
	ClassCode = 0x120000 // processing accelerator
	Revision  = 0x02
)

// Function is what the maker of a card decides about its only function.
type Function struct {
	// BARSize is the size of BAR 0 in bytes, a power of two from 16 to 2 GiB: 32
	// bits, not prefetchable, because reads of registers may have effects.
	BARSize uint64
	// Vectors is the number of MSI-X vectors, 1 to 2048. Table and Pending are
	// where in BAR 0 the table and the pending bits begin, multiples of 8.
	Vectors        int
	Table, Pending uint64
	// Serial is the device serial number, an EUI-64.
	Serial uint64
}

// Vectors is how many interrupts the card of this project has.
const Vectors = 16

// DefaultFunction is the card of this project: 64 KiB of registers, its Vectors in the
// upper half.
func DefaultFunction() Function {
	return Function{BARSize: 0x10000, Vectors: Vectors, Table: 0x8000, Pending: 0x8800, Serial: 0x0200_0000_0000_0001}
}

// Check reports the first field that is out of range.
func (f Function) Check() error {
	end := f.Table + 16*uint64(f.Vectors)
	switch {
	case f.BARSize < 16 || f.BARSize > 1<<31 || f.BARSize&(f.BARSize-1) != 0:
		return fmt.Errorf("config: BAR of %d bytes, expected a power of two from 16 to 2 GiB", f.BARSize)
	case f.Vectors < 1 || f.Vectors > 2048:
		return fmt.Errorf("config: %d MSI-X vectors, expected 1 to 2048", f.Vectors)
	case f.Table%8 != 0 || f.Pending%8 != 0 || end < f.Table || end > f.BARSize || f.Pending >= f.BARSize || f.BARSize-f.Pending < uint64(f.Vectors+63)/64*8:
		return fmt.Errorf("config: MSI-X table at %#x and pending bits at %#x for %d vectors, expected multiples of 8 inside a BAR of %#x bytes",
			f.Table, f.Pending, f.Vectors, f.BARSize)
	}
	return nil
}
