package vfiouser

import "errors"

// Device is a PCI function that a server presents to clients. The server calls its methods one at a
// time.
type Device interface {
	// BARs returns the sizes in bytes of the memory BARs 0 to 5, 0 for a missing BAR.
	BARs() [6]uint64
	// Vectors returns the number of MSI-X vectors.
	Vectors() int
	// Config returns the configuration space.
	Config() ConfigSpace
	// ReadBAR fills p from an offset in a BAR, and WriteBAR stores p there. Accesses stay inside
	// the BAR. p has any length; processors use 1, 2, 4 and 8. The methods must not wait for the
	// end of DMA, because its answers arrive after the access. DMA and interrupts that a device
	// starts before the access ends precede the answer to the access. A read that fails returns all
	// ones.
	ReadBAR(bar int, offset uint64, p []byte)
	WriteBAR(bar int, offset uint64, p []byte)
	// Reset resets the function and its configuration space. The server calls it on request of the
	// client, and after each client. DMA and interrupts from before the reset must not start after
	// it.
	Reset()
}

// ConfigSize is the size in bytes of the configuration space of a PCI Express function.
const ConfigSize = 4096

// ConfigSpace is the configuration space of a function, [ConfigSize] bytes. Accesses stay inside it
// and have any length. The device implements the semantics of writes, including read-only bits and
// bits that trigger actions.
type ConfigSpace interface {
	Read(offset int, p []byte)
	Write(offset int, p []byte)
}

// Host gives a device access to the client's memory and interrupts. A device must make all calls
// from one goroutine. The client observes their effects in call order. The server does not check
// that the function is bus master.
//
// The methods do not wait for the client. They call done exactly once, before or after they return,
// from any goroutine; done must not block. The error is [ErrNoClient], a syscall.Errno from the
// client, or an error for an unmapped address.
type Host interface {
	// WriteDMA stores p in the client's memory. When it returns, the data is in shared memory or in
	// a message that the client receives before any later answer.
	WriteDMA(addr uint64, p []byte, done func(error))
	// ReadDMA fills p from the client's memory, after all earlier writes. A register write that the
	// client sent before its answer is executed before done is called.
	ReadDMA(addr uint64, p []byte, done func(error))
	// Interrupt fires an MSI-X vector when all earlier writes are in the client's memory, or leaves
	// the vector pending. It returns an error if the vector does not exist.
	Interrupt(vector int) error
}

// ErrNoClient is the error of DMA while no client is connected.
var ErrNoClient = errors.New("vfiouser: no client is connected")
