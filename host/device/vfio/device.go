//go:build linux

package vfio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
	"unsafe"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// Device is a PCIe function opened with VFIO.
type Device struct {
	container, group, fd int
	bar                  int64 // offset of BAR 0 in fd
	next                 uint64
	memories             [][]byte
	events               []*os.File
}

var (
	_ driver.Device   = (*Device)(nil)
	_ driver.Resetter = (*Device)(nil)
)

// Range of bus addresses for buffers: from 1 GiB to the x86 interrupt window. Addresses above 4 GiB
// are available to [Device.Map].
const (
	firstAddress = 1 << 30
	endAddress   = 0xfee00000
)

// Open opens the function at an address in lspci format, such as 0000:01:00.0, and enables bus
// mastering. It returns an error if the function or another function of its group is not bound to
// vfio-pci, or if there is no IOMMU.
func Open(address string) (_ *Device, err error) {
	d := &Device{container: -1, group: -1, fd: -1, next: firstAddress}
	defer func() {
		if err != nil {
			_ = d.Close()
		}
	}()
	if err := d.attach(address); err != nil {
		return nil, err
	}
	info := regionInfo{argsz: uint32(unsafe.Sizeof(regionInfo{})), index: regionBAR0}
	if err := pass(d.fd, "BAR 0", deviceRegionInfo, &info); err != nil {
		return nil, err
	}
	d.bar = int64(info.offset)
	return d, d.enable()
}

// attach opens the group and the function.
func (d *Device) attach(address string) error {
	link, err := os.Readlink(filepath.Join("/sys/bus/pci/devices", address, "iommu_group"))
	if err != nil {
		return fmt.Errorf("vfio: %s has no IOMMU group: %w", address, err)
	}
	if d.container, err = open("/dev/vfio/vfio"); err != nil {
		return err
	}
	if d.group, err = open(filepath.Join("/dev/vfio", filepath.Base(link))); err != nil {
		return err
	}
	status := [2]uint32{8}
	if err := pass(d.group, "status of the group", groupGetStatus, &status); err != nil {
		return err
	}
	if status[1]&groupViable == 0 {
		return fmt.Errorf("vfio: not every function in the group of %s is bound to vfio-pci", address)
	}
	container := int32(d.container)
	if err := pass(d.group, "container of the group", groupSetContainer, &container); err != nil {
		return err
	}
	if _, err := ioctl(d.container, "IOMMU of type 1", setIOMMU, type1); err != nil {
		return err
	}
	name, err := syscall.BytePtrFromString(address)
	if err != nil {
		return err
	}
	n, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(d.group), groupGetDevice, uintptr(unsafe.Pointer(name)))
	if e != 0 {
		return fmt.Errorf("vfio: function %s: %w", address, e)
	}
	d.fd = int(n)
	return nil
}

func open(path string) (int, error) {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("vfio: %s: %w", path, err)
	}
	return fd, nil
}

// enable enables memory space and bus mastering in the command register, which VFIO leaves
// disabled.
func (d *Device) enable() error {
	info := regionInfo{argsz: uint32(unsafe.Sizeof(regionInfo{})), index: regionSpace}
	if err := pass(d.fd, "configuration space", deviceRegionInfo, &info); err != nil {
		return err
	}
	const command, memoryAndMaster = 4, 6
	var b [2]byte
	if _, err := syscall.Pread(d.fd, b[:], int64(info.offset)+command); err != nil {
		return fmt.Errorf("vfio: command register: %w", err)
	}
	b[0] |= memoryAndMaster
	if _, err := syscall.Pwrite(d.fd, b[:], int64(info.offset)+command); err != nil {
		return fmt.Errorf("vfio: command register: %w", err)
	}
	return nil
}

// Reset implements driver.Resetter. It supports function-level resets, after which the kernel
// restores its settings in the configuration space. For a bus reset it returns
// errors.ErrUnsupported. Behind QEMU's root port, Linux does not see the link become active again,
// so that a bus reset could not be tested.
func (d *Device) Reset(kind driver.ResetKind) error {
	if kind != driver.FunctionReset {
		return fmt.Errorf("vfio: %v: %w", kind, errors.ErrUnsupported)
	}
	if _, err := ioctl(d.fd, kind.String(), deviceReset, 0); err != nil {
		return err
	}
	return d.enable()
}

// Close releases all resources.
func (d *Device) Close() error {
	var failed []error
	for _, fd := range []int{d.fd, d.group, d.container} {
		if fd >= 0 {
			failed = append(failed, syscall.Close(fd))
		}
	}
	for _, m := range d.memories {
		failed = append(failed, syscall.Munmap(m))
	}
	for _, f := range d.events {
		failed = append(failed, f.Close())
	}
	return errors.Join(failed...)
}

// Read32 implements driver.Device.
func (d *Device) Read32(offset uint64) (uint32, error) {
	var b [4]byte
	if _, err := syscall.Pread(d.fd, b[:], d.bar+int64(offset)); err != nil {
		return 0, fmt.Errorf("vfio: read of register %#x: %w", offset, err)
	}
	return binary.NativeEndian.Uint32(b[:]), nil
}

// Write32 implements driver.Device.
func (d *Device) Write32(offset uint64, v uint32) error {
	if _, err := syscall.Pwrite(d.fd, binary.NativeEndian.AppendUint32(nil, v), d.bar+int64(offset)); err != nil {
		return fmt.Errorf("vfio: write of register %#x: %w", offset, err)
	}
	return nil
}

// EnableVector implements driver.Device.
func (d *Device) EnableVector(i int) error {
	fd, _, e := syscall.Syscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if e != 0 {
		return fmt.Errorf("vfio: eventfd: %w", e)
	}
	d.events = append(d.events, os.NewFile(fd, "eventfd"))
	s := irqSet{uint32(unsafe.Sizeof(irqSet{})), useEventfd, indexMSIX, uint32(i), 1, int32(fd)}
	return pass(d.fd, fmt.Sprintf("MSI-X vector %d", i), deviceSetIRQs, &s)
}

// Wait implements driver.Device, for a driver that uses one vector.
func (d *Device) Wait(timeout time.Duration) error {
	if len(d.events) == 0 {
		time.Sleep(timeout)
		return fmt.Errorf("vfio: no vector is enabled: %w", os.ErrDeadlineExceeded)
	}
	f := d.events[len(d.events)-1]
	if err := f.SetReadDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	var b [8]byte
	_, err := f.Read(b[:])
	return err
}
