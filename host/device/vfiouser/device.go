package vfiouser

import "errors"

// Device is the PCI function that a server shows. The server calls its methods one at
// a time.
type Device interface {
	// BARs are the sizes in bytes of the memory BARs 0 to 5, 0 for one that there
	// is not.
	BARs() [6]uint64
	// Vectors is the number of MSI-X vectors.
	Vectors() int
	// Config is the configuration space.
	Config() ConfigSpace
	// ReadBAR fills p from an offset in a BAR, WriteBAR stores p there; they stay
	// inside it. p has any length; processors use 1, 2, 4 and 8. They must not wait for
	// the end of DMA, because its answers come behind the access. DMA and interrupts that
	// a device begins before the access ends are ahead of the answer to it. A read that
	// fails gives all ones.
	ReadBAR(bar int, offset uint64, p []byte)
	WriteBAR(bar int, offset uint64, p []byte)
	// Reset resets the function with its configuration space, as the client asks for it,
	// and after each client. DMA and interrupts of the time before must not begin any more.
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

// Host is the client's side of a device: its memory and its interrupts. All calls of a
// device come from one goroutine, and their order is the order in which the client
// sees their effects. The server does not check that the function is bus master.
//
// The methods do not wait for the client. They call done once, at their end or later,
// from any goroutine; done must not block. Errors are [ErrNoClient], a syscall.Errno of
// the client, or that an address is not mapped.
type Host interface {
	// WriteDMA stores p in the client's memory. When it returns, the data is in shared
	// memory or in a message that the client receives before any later answer.
	WriteDMA(addr uint64, p []byte, done func(error))
	// ReadDMA fills p from the client's memory as it is after all earlier writes. A
	// register write that the client has sent before its answer is carried out before
	// done is called.
	ReadDMA(addr uint64, p []byte, done func(error))
	// Interrupt fires an MSI-X vector when all earlier writes are in the client's
	// memory, or leaves it pending. The error is that there is no such vector.
	Interrupt(vector int) error
}

// ErrNoClient is the error of DMA while no client is connected.
var ErrNoClient = errors.New("vfiouser: no client is connected")
