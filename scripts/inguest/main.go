//go:build linux

// Command inguest is the first and only program of the guest that scripts/guest
// boots: it binds vfio-pci to the card, drives it with the project's driver, says
// PASS or FAIL, and powers off.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/vfio"
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

func run() error {
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
	modules, err := filepath.Glob("/modules/*.ko") // in order of their names
	if err != nil {
		return err
	}
	for _, file := range modules {
		if err := load(file); err != nil {
			return fmt.Errorf("module %s: %w", file, err)
		}
	}
	address, err := find("0x1234", "0x484c")
	if err != nil {
		return err
	}
	if err := bind(address); err != nil {
		return err
	}
	dev, err := vfio.Open(address)
	if err != nil {
		return err
	}
	return errors.Join(drive(dev), dev.Close())
}

// load loads a kernel module.
func load(file string) error {
	const finitModule = 313 // on amd64
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

// find finds the function with a vendor and a device.
func find(vendor, device string) (string, error) {
	all, err := filepath.Glob("/sys/bus/pci/devices/*")
	if err != nil {
		return "", err
	}
	for _, dir := range all {
		v, _ := os.ReadFile(filepath.Join(dir, "vendor")) // of one that is gone there is none
		d, _ := os.ReadFile(filepath.Join(dir, "device"))
		if strings.TrimSpace(string(v)) == vendor && strings.TrimSpace(string(d)) == device {
			fmt.Println("the card is", filepath.Base(dir))
			return filepath.Base(dir), nil
		}
	}
	return "", fmt.Errorf("no card %s:%s among %d functions", vendor, device, len(all))
}

// bind gives a function to vfio-pci.
func bind(address string) error {
	if err := os.WriteFile(filepath.Join("/sys/bus/pci/devices", address, "driver_override"), []byte("vfio-pci"), 0); err != nil {
		return err
	}
	return os.WriteFile("/sys/bus/pci/drivers_probe", []byte(address), 0)
}

// drive opens the card, before and after a reset, and lets it add two rows.
func drive(dev *vfio.Device) error {
	for range 2 {
		d, err := driver.Open(dev, driver.DefaultOptions())
		if err != nil {
			return err
		}
		fmt.Printf("the card has %+v\n", d.Geometry())
		if err := add(dev, d); err != nil {
			return err
		}
		fmt.Println(d.LostInterrupts(), "interrupts lost")
		if err := dev.Reset(); err != nil {
			return err
		}
	}
	return nil
}
