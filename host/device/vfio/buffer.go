//go:build linux

package vfio

import (
	"fmt"
	"syscall"
	"unsafe"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// Map allocates n zeroed bytes outside Go's heap and maps them for the function at an address,
// which must be a multiple of 4 KiB. It returns an error if no memory is available. It also returns
// an error if the IOMMU rejects the mapping, for example because the address is in use or has too
// many bits.
func (d *Device) Map(addr uint64, n int) ([]byte, error) {
	whole := (n + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, whole, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANONYMOUS|syscall.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("vfio: %d bytes of memory: %w", n, err)
	}
	d.memories = append(d.memories, memory)
	m := mapping{uint32(unsafe.Sizeof(mapping{})), readWrite, uint64(uintptr(unsafe.Pointer(&memory[0]))), addr, uint64(whole)}
	return memory[:n], pass(d.container, fmt.Sprintf("mapping of %d bytes at %#x", whole, addr), iommuMap, &m)
}

const page = 4096

// buffer is memory allocated by AllocDMA.
type buffer struct {
	memory []byte
	at     uint64
}

// AllocDMA implements driver.Device.
func (d *Device) AllocDMA(n int) (driver.DMA, error) {
	b := &buffer{at: d.next}
	d.next += uint64(n+2*page-1) / page * page // leaves an unmapped gap after each buffer, to catch overruns
	if d.next > endAddress {
		return nil, fmt.Errorf("vfio: a buffer of %d bytes at %#x; buffers have addresses up to %#x", n, b.at, uint64(endAddress))
	}
	var err error
	b.memory, err = d.Map(b.at, n)
	return b, err
}

// Address implements driver.DMA.
func (b *buffer) Address() uint64 { return b.at }

// Size implements driver.DMA.
func (b *buffer) Size() int { return len(b.memory) }

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
	if offset < 0 || n > len(b.memory)-offset {
		return fmt.Errorf("vfio: %d bytes at %d of a buffer with %d", n, offset, len(b.memory))
	}
	return nil
}
