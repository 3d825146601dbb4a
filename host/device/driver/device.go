package driver

import "time"

// Device is a PCIe function as a driver sees it.
type Device interface {
	// Read32 and Write32 access a register of BAR 0 at a byte offset. A read of
	// a device that is gone gives all ones or an error.
	Read32(offset uint64) (uint32, error)
	Write32(offset uint64, v uint32) error
	// AllocDMA gives n bytes of memory that the device can reach.
	AllocDMA(n int) (DMA, error)
	// EnableVector routes interrupts of MSI-X vector i to this driver.
	EnableVector(i int) error
	// Wait returns when a vector that was enabled has fired since a Wait last
	// returned without error. The error is os.ErrDeadlineExceeded, perhaps
	// wrapped, when the time is up, and any other when the device has failed.
	Wait(timeout time.Duration) error
}

// ResetKind is a reset from outside of a device.
type ResetKind uint8

// The kinds, from the mildest on.
const (
	FunctionReset ResetKind = iota // function-level reset
	BusReset                       // of the link
)

func (k ResetKind) String() string {
	if k == FunctionReset {
		return "function-level reset"
	}
	return "bus reset"
}

// Resetter is a Device that can be reset from outside, when its own reset does not
// end or its registers do not answer.
type Resetter interface {
	// Reset ends whatever the device does on the bus and lets it be a master there.
	// Interrupts are disabled. The error is that it could not be done.
	Reset(kind ResetKind) error
}

// DMA is a piece of host memory that the device can reach.
type DMA interface {
	Address() uint64 // as the device sees it
	Size() int
	Read(offset int, p []byte) error
	Write(offset int, p []byte) error
}
