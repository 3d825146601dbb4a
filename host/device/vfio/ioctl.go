//go:build linux

package vfio

import (
	"fmt"
	"syscall"
	"unsafe"
)

// Requests and constants of linux/vfio.h.
const (
	setIOMMU          = 0x3b66
	groupGetStatus    = 0x3b67
	groupSetContainer = 0x3b68
	groupGetDevice    = 0x3b6a
	deviceRegionInfo  = 0x3b6c
	deviceSetIRQs     = 0x3b6e
	deviceReset       = 0x3b6f
	iommuMap          = 0x3b71

	type1       = 1 // of the IOMMU
	groupViable = 1
	readWrite   = 3
	regionBAR0  = 0
	regionSpace = 7
	indexMSIX   = 2
	useEventfd  = 0x24
)

// regionInfo is struct vfio_region_info.
type regionInfo struct {
	argsz, _, index, _ uint32
	_, offset          uint64 // the unnamed field is the size
}

// mapping is struct vfio_iommu_type1_dma_map.
type mapping struct {
	argsz, flags        uint32
	vaddr, iova, length uint64
}

// irqSet is struct vfio_irq_set with an eventfd.
type irqSet struct {
	argsz, flags, index, start, count uint32
	eventfd                           int32
}

// ioctl performs a request with an integer argument.
func ioctl(fd int, what string, request, arg uintptr) (int, error) {
	n, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, arg)
	if e != 0 {
		return 0, fmt.Errorf("vfio: %s: %w", what, e)
	}
	return int(n), nil
}

// pass performs a request with a structure. Taking its address in the call keeps it in place.
func pass[T any](fd int, what string, request uintptr, arg *T) error {
	_, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(arg)))
	if e != 0 {
		return fmt.Errorf("vfio: %s: %w", what, e)
	}
	return nil
}
