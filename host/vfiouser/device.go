package vfiouser

import "errors"

// Device is the PCI function that a server shows. The server calls its methods one
// at a time, but for DMA and interrupts that the device has begun before.
type Device interface {
	// BARs are the sizes in bytes of the memory BARs 0 to 5, 0 for one that there
	// is not.
	BARs() [6]uint64
	// Vectors is the number of MSI-X vectors.
	Vectors() int
	// Config is the configuration space.
	Config() ConfigSpace
	// ReadBAR fills p from an offset in a BAR, WriteBAR stores p there; they stay
	// inside it. p has any length; 1, 2, 4 and 8 are what processors do. They must
	// not wait for the Host. A read that fails gives all ones.
	ReadBAR(bar int, offset uint64, p []byte)
	WriteBAR(bar int, offset uint64, p []byte)
	// Reset is a reset of the function with its configuration space. DMA that is
	// under way may end later; no other follows.
	Reset()
}

// ConfigSize is the size of the configuration space of a PCI Express function.
const ConfigSize = 4096

// ConfigSpace is the configuration space of a function, [ConfigSize] bytes.
// Accesses stay inside it and have any length. What a write means, to read-only
// bits and to those that start something, is the device's business.
type ConfigSpace interface {
	Read(offset int, p []byte)
	Write(offset int, p []byte)
}

// Host is what a device reaches. Its methods may be called by any goroutine but
// one that carries out an access to the device: they may wait until the client has
// got the answer to that. The errors are [ErrNoClient], [ErrNoBusMaster], a
// syscall.Errno of the client, or that an address is not mapped.
type Host interface {
	// ReadDMA fills p from the client's memory, WriteDMA stores p there; it returns
	// when the data is in place.
	ReadDMA(addr uint64, p []byte) error
	WriteDMA(addr uint64, p []byte) error
	// Interrupt fires an MSI-X vector, or leaves it pending.
	Interrupt(vector int) error
}

// Errors of a [Host].
var (
	ErrNoClient    = errors.New("vfiouser: no client is connected")
	ErrNoBusMaster = errors.New("vfiouser: the client has not made the function bus master")
)
