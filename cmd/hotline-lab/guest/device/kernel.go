//go:build linux

package main

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// driverFile is the kernel module of examples/kernel-driver.
const driverFile = "/driver/hotline.ko"

// selftest contains the lines that the driver writes to the kernel log during a self-test.
//
//go:embed selftest.log
var selftest string

// aboutErrors matches the kernel's own messages about errors that a device has reported.
var aboutErrors = regexp.MustCompile("^(AER:|PCIe Bus Error:| )")

// kernelDriver tests the driver on a device. want contains the log lines that the driver must
// write.
type kernelDriver struct {
	address string
	want    []string
}

// tryKernelDriver loads the driver repeatedly and runs its self-test after each event that can
// happen to a device and a module. Then it compares the driver's log lines.
func tryKernelDriver() error {
	address, err := find("0x484c", "0x484f")
	if err != nil {
		return err
	}
	needs, err := filepath.Glob("/driver/needs/*.ko") // Glob sorts by name, which is the load order.
	if err != nil {
		return err
	}
	for _, file := range needs {
		if err := load(file); err != nil {
			return fmt.Errorf("module %s: %w", file, err)
		}
	}
	k := kernelDriver{address: address}
	for _, step := range []func() error{k.insert, k.test, k.insertAgain, k.mute, k.reset, k.test, k.lose, k.reset, k.test, k.report, k.test, k.unload, k.insert, k.test, k.unplug, k.test, k.unload} {
		if err := step(); err != nil {
			return errors.Join(err, k.compare())
		}
	}
	return k.compare()
}

func (k *kernelDriver) expect(lines ...string) { k.want = append(k.want, lines...) }

// write writes to a sysfs file of the device.
func (k *kernelDriver) write(file, text string) error {
	return os.WriteFile(filepath.Join("/sys/bus/pci/devices", k.address, file), []byte(text), 0)
}

func (k *kernelDriver) insert() error {
	k.expect("8 engines, 4096 blocks", "started")
	return load(driverFile)
}

// insertAgain checks that the kernel refuses to load the module twice.
func (k *kernelDriver) insertAgain() error {
	if err := load(driverFile); !errors.Is(err, syscall.EEXIST) {
		return fmt.Errorf("module loaded twice: %v, expected %w", err, syscall.EEXIST)
	}
	return nil
}

// unload unloads the module, so that the driver releases the device.
func (k *kernelDriver) unload() error {
	const deleteModule = 176 // system call number on amd64
	k.expect("stopped")
	name, err := syscall.BytePtrFromString("hotline")
	if err != nil {
		return err
	}
	if _, _, e := syscall.Syscall(deleteModule, uintptr(unsafe.Pointer(name)), 0, 0); e != 0 {
		return fmt.Errorf("unloading the driver: %w", e)
	}
	return nil
}

func (k *kernelDriver) test() error {
	k.expect(strings.Split(strings.TrimSpace(selftest), "\n")...)
	return k.write("selftest", "1")
}

// reset performs a function-level reset.
func (k *kernelDriver) reset() error {
	k.expect("started after a reset")
	return k.write("reset", "1")
}

// mute masks all interrupts during a self-test, so that every interrupt is lost.
func (k *kernelDriver) mute() error {
	const pointer, msix, functionMask = 0x34, 0x11, 0x40 // the offset of the pointer to the first capability; the MSI-X capability ID; a bit in the high byte of its control word
	file, err := os.OpenFile(filepath.Join("/sys/bus/pci/devices", k.address, "config"), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	var space [256]byte
	if _, err := file.ReadAt(space[:], 0); err != nil {
		return err
	}
	at := space[pointer]
	for at != 0 && space[at] != msix {
		at = space[at+1]
	}
	if at == 0 {
		return errors.New("the device has no MSI-X capability")
	}
	control := space[at+3]
	if _, err := file.WriteAt([]byte{control | functionMask}, int64(at)+3); err != nil {
		return err
	}
	before, err := interrupts()
	if err != nil {
		return err
	}
	if err := k.test(); err != nil {
		return err
	}
	after, err := interrupts()
	if err != nil {
		return err
	}
	if before == 0 || after != before {
		return fmt.Errorf("%d interrupts before they were masked and %d afterwards, expected some, and as many", before, after)
	}
	_, err = file.WriteAt([]byte{control}, int64(at)+3)
	return err
}

// interrupts returns the number of interrupts that the driver has received.
func interrupts() (n int, err error) {
	table, err := os.ReadFile("/proc/interrupts")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); fields[len(fields)-1] == "hotline" {
			return strconv.Atoi(fields[1]) // the guest has one processor
		}
	}
	return 0, errors.New("the driver has no interrupt")
}

// lose disables the device's memory space while the driver uses it. The device does not respond
// until it is reset.
func (k *kernelDriver) lose() error {
	const command = 4 // offset in the configuration space
	file, err := os.OpenFile(filepath.Join("/sys/bus/pci/devices", k.address, "config"), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	var was [2]byte
	if _, err := file.ReadAt(was[:], command); err != nil {
		return err
	}
	if _, err := file.WriteAt([]byte{was[0] &^ 2, was[1]}, command); err != nil {
		return err
	}
	k.expect("command 91 is not answered: -19", "the card cannot be started again")
	for range 2 { // the driver fails the second self-test without an access
		if err := k.write("selftest", "1"); !errors.Is(err, syscall.ENODEV) {
			return fmt.Errorf("self-test without a device: %v, expected %w", err, syscall.ENODEV)
		}
	}
	_, err = file.WriteAt(was[:], command)
	return err
}

// report injects a completion timeout into the kernel's error reporting and waits until the driver
// has recovered.
func (k *kernelDriver) report() error {
	const completionTimeout = 1 << 14 // bit of the uncorrectable error status
	var domain, bus, device, function byte
	if _, err := fmt.Sscanf(k.address, "%x:%x:%x.%x", &domain, &bus, &device, &function); err != nil {
		return err
	}
	// The request consists of bus, device, function, padding, uncorrectable and correctable status,
	// the header log and the domain.
	request := []byte{bus, device, function, 0}
	for _, word := range []uint32{completionTimeout, 0, 0, 0, 0, 0, uint32(domain)} {
		request = binary.LittleEndian.AppendUint32(request, word)
	}
	before := len(k.want)
	k.expect("recovered")
	if err := os.WriteFile("/dev/aer_inject", request, 0); err != nil {
		return err
	}
	for range 1000 { // the kernel recovers in another thread
		lines, err := k.lines()
		if err != nil || len(lines) > before {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("the kernel has not recovered")
}

// unplug removes the device and finds it again by a rescan.
func (k *kernelDriver) unplug() error {
	k.expect("stopped", "8 engines, 4096 blocks", "started")
	if err := k.write("remove", "1"); err != nil {
		return err
	}
	if err := k.write("selftest", "1"); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("self-test of a device that was removed: %v, expected %w", err, os.ErrNotExist)
	}
	return os.WriteFile("/sys/bus/pci/rescan", []byte("1"), 0)
}

// lines returns the lines that the driver has written to the kernel log. It returns an error if the
// kernel reports a bug in a driver.
func (k *kernelDriver) lines() (logged []string, err error) {
	const readAll = 3
	log := make([]byte, 1<<20)
	n, err := syscall.Klogctl(readAll, log)
	if err != nil {
		return nil, fmt.Errorf("kernel log: %w", err)
	}
	for line := range strings.Lines(string(log[:n])) {
		for _, mistake := range []string{"WARNING", "BUG", "Oops", "DMAR: [", "Call Trace"} {
			if strings.Contains(line, mistake) {
				return nil, fmt.Errorf("the kernel logged a mistake: %s", log[:n])
			}
		}
		_, text, ok := strings.Cut(line, "hotline "+k.address+": ")
		if ok && !aboutErrors.MatchString(text) {
			logged = append(logged, strings.TrimSpace(text))
		}
	}
	return logged, nil
}

// compare compares the driver's log lines with the expected lines.
func (k *kernelDriver) compare() error {
	got, err := k.lines()
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(got, "\n"))
	for i, line := range got {
		if i >= len(k.want) || line != k.want[i] {
			return fmt.Errorf("line %d of the driver is %q, expected %q", i+1, line, slices.Concat(k.want, []string{"nothing"})[min(i, len(k.want))])
		}
	}
	if len(got) < len(k.want) {
		return fmt.Errorf("the driver logged %d lines, expected another one, %q", len(got), k.want[len(got)])
	}
	return nil
}
