package driver

import "time"

// Device is a PCIe function as seen by a driver.
type Device interface {
	// Read32 and Write32 access a register of BAR 0 at a byte offset. A read of a device that is
	// gone returns all ones or an error.
	Read32(offset uint64) (uint32, error)
	Write32(offset uint64, v uint32) error
	// AllocDMA allocates n bytes of memory that the device can access.
	AllocDMA(n int) (DMA, error)
	// EnableVector routes interrupts of MSI-X vector i to this driver.
	EnableVector(i int) error
	// Wait returns when an enabled vector has fired since the last Wait without error. On timeout
	// the error wraps os.ErrDeadlineExceeded. Any other error means that the device has failed.
	Wait(timeout time.Duration) error
}

// ResetKind is a kind of external reset of a device.
type ResetKind uint8

// The kinds of reset, from the mildest on.
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

// Resetter is a Device that supports an external reset, for use when its own reset does not
// complete or its registers do not respond.
type Resetter interface {
	// Reset ends all bus activity of the device and then enables bus mastering. It disables
	// interrupts. It returns an error if the reset is not possible.
	Reset(kind ResetKind) error
}

// DMA is a buffer in host memory that the device can access.
type DMA interface {
	Address() uint64 // bus address
	Size() int
	Read(offset int, p []byte) error
	Write(offset int, p []byte) error
}
