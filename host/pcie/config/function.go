package config

import "fmt"

// The identity of the device. No range of vendor IDs is reserved for experiments; 484C, "HL", is
// unassigned in the public list. A product must use the ID of its manufacturer.
const (
	VendorID  = 0x484c
	DeviceID  = 0x484f
	ClassCode = 0x120000 // processing accelerator
	Revision  = 0x02
)

// Identity is how software recognizes a device.
type Identity struct {
	Vendor, Device uint16 // also of the subsystem
	Class          uint32 // 24 bits
	Revision       uint8
}

// DefaultIdentity returns the identity of this project's device.
func DefaultIdentity() Identity { return Identity{VendorID, DeviceID, ClassCode, Revision} }

// Function contains the vendor-defined properties of the device's only function.
type Function struct {
	Identity
	// BARSize is the size of BAR 0 in bytes, a power of two from 16 to 2 GiB. The BAR has 32 bits
	// and is not prefetchable, because reads of registers may have side effects.
	BARSize uint64
	// Vectors is the number of MSI-X vectors, 1 to 2048. Table and Pending are the offsets of the
	// table and the pending bits in BAR 0, multiples of 8.
	Vectors        int
	Table, Pending uint64
	// Serial is the device serial number, an EUI-64.
	Serial uint64
}

// Vectors is the number of interrupt vectors of this project's device.
const Vectors = 16

// DefaultFunction returns the function of this project's device: 64 KiB of registers, with the
// MSI-X structures in the upper half.
func DefaultFunction() Function {
	return Function{Identity: DefaultIdentity(), BARSize: 0x10000, Vectors: Vectors, Table: 0x8000, Pending: 0x8800, Serial: 0x0200_0000_0000_0001}
}

// Check returns an error for the first field that is out of range.
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
