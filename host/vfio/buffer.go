//go:build linux

package vfio

import (
	"fmt"
	"syscall"
	"unsafe"

	"github.com/hotline-rtl/hotline/host/driver"
)

// buffer is memory outside of Go's heap.
type buffer struct {
	memory []byte // whole pages
	size   int
	at     uint64
}

// AllocDMA implements driver.Device.
func (d *Device) AllocDMA(n int) (driver.DMA, error) {
	const page = 4096
	whole := (n + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, whole, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANONYMOUS|syscall.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("vfio: %d bytes of memory: %w", n, err)
	}
	b := &buffer{memory, n, d.next}
	d.buffers = append(d.buffers, b)
	m := mapping{uint32(unsafe.Sizeof(mapping{})), readWrite, uint64(uintptr(unsafe.Pointer(&memory[0]))), b.at, uint64(whole)}
	if err := pass(d.container, fmt.Sprintf("mapping of %d bytes", whole), iommuMap, &m); err != nil {
		return nil, err
	}
	d.next += uint64(whole) + page // what runs over the end of a buffer is in none
	return b, nil
}

// Address implements driver.DMA.
func (b *buffer) Address() uint64 { return b.at }

// Size implements driver.DMA.
func (b *buffer) Size() int { return b.size }

// Read implements driver.DMA.
func (b *buffer) Read(offset int, p []byte) error {
	if err := b.check(offset, len(p)); err != nil {
		return err
	}
	copy(p, b.memory[offset:])
	return nil
}

// Write implements driver.DMA.
func (b *buffer) Write(offset int, p []byte) error {
	if err := b.check(offset, len(p)); err != nil {
		return err
	}
	copy(b.memory[offset:], p)
	return nil
}

func (b *buffer) check(offset, n int) error {
	if offset < 0 || n > b.size-offset {
		return fmt.Errorf("vfio: %d bytes at %d of a buffer with %d", n, offset, b.size)
	}
	return nil
}
