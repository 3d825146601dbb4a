//go:build linux

// Command device is the init program of the guest that scripts/guest boots. It binds vfio-pci to
// the device, checks the guarantees that drivers depend on, runs commands and trains on the number
// of mini-batches in its last argument. It prints PASS or FAIL and powers off. If the guest
// contains the kernel driver of examples/kernel-driver or of examples/owncard, the program tests that
// driver instead.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/vfio"
)

func main() {
	begun := time.Now()
	if err := run(); err != nil {
		fmt.Println("FAIL", err)
	} else {
		fmt.Printf("PASS in %.1f s\n", time.Since(begun).Seconds())
	}
	_ = syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF)
}

func run() (err error) {
	for _, m := range [][2]string{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}} {
		if err := os.MkdirAll(m[1], 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(m[0], m[1], m[0], 0, ""); err != nil {
			return fmt.Errorf("mount of %s: %w", m[1], err)
		}
	}
	if _, err := os.Stat(driverFile); err == nil {
		return tryKernelDriver()
	}
	modules, err := filepath.Glob("/modules/*.ko") // Glob sorts by name, which is the load order.
	if err != nil {
		return err
	}
	for _, file := range modules {
		if err := load(file); err != nil {
			return fmt.Errorf("module %s: %w", file, err)
		}
	}
	if _, err := os.Stat(ownDriverFile); err == nil {
		return tryOwnCard()
	}
	address, err := find("0x484c", "0x484f")
	if err != nil {
		return err
	}
	if err := bind(address); err != nil {
		return err
	}
	if err := conform(address); err != nil {
		return err
	}
	dev, err := vfio.Open(address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	if err := drive(dev, address); err != nil {
		return err
	}
	miniBatches, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		return fmt.Errorf("arguments %q, expected a number of mini-batches behind -- of the kernel's command line", os.Args[1:])
	}
	return trainModel(dev, miniBatches)
}

func load(file string) error {
	const finitModule = 313 // system call number on amd64
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	none, err := syscall.BytePtrFromString("")
	if err != nil {
		return err
	}
	if _, _, e := syscall.Syscall(finitModule, f.Fd(), uintptr(unsafe.Pointer(none)), 0); e != 0 {
		return e
	}
	return nil
}

// find returns the address of the PCI function with these vendor and device IDs.
func find(vendor, device string) (string, error) {
	all, err := filepath.Glob("/sys/bus/pci/devices/*")
	if err != nil {
		return "", err
	}
	for _, dir := range all {
		v, _ := os.ReadFile(filepath.Join(dir, "vendor")) // a function that has been removed has no files
		d, _ := os.ReadFile(filepath.Join(dir, "device"))
		if strings.TrimSpace(string(v)) == vendor && strings.TrimSpace(string(d)) == device {
			fmt.Println("the card is", filepath.Base(dir))
			return filepath.Base(dir), nil
		}
	}
	return "", fmt.Errorf("no device %s:%s among %d functions", vendor, device, len(all))
}

// bind binds vfio-pci to a function.
func bind(address string) error {
	if err := os.WriteFile(filepath.Join("/sys/bus/pci/devices", address, "driver_override"), []byte("vfio-pci"), 0); err != nil {
		return err
	}
	return os.WriteFile("/sys/bus/pci/drivers_probe", []byte(address), 0)
}

// conform runs the conformance tests of host/device/vfio on the device.
func conform(address string) error {
	c := exec.Command("/bin/conformance", "-test.v", "-test.run", "Conformance")
	c.Env = append(os.Environ(), "HOTLINE_VFIO="+address)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("run the conformance tests: %w", err)
	}
	return nil
}

// drive opens the device, before and after a reset, and adds two rows.
func drive(dev *vfio.Device, address string) error {
	for range 2 {
		d, err := driver.Open(dev, driver.DefaultOptions())
		if err != nil {
			return err
		}
		fmt.Printf("the device has %+v\n", d.Geometry())
		if err := add(dev, d); err != nil {
			return err
		}
		if err := inspect(address); err != nil {
			return err
		}
		if err := dev.Reset(driver.FunctionReset); err != nil {
			return err
		}
	}
	return nil
}
