//go:build linux

// Command device is the first program of the guest that scripts/guest boots: it binds
// vfio-pci to the card, tests what a driver is promised of it, drives it, trains as many
// mini-batches as its argument says, says PASS or FAIL, and powers off.
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
	modules, err := filepath.Glob("/modules/*.ko") // in order of their names
	if err != nil {
		return err
	}
	for _, file := range modules {
		if err := load(file); err != nil {
			return fmt.Errorf("module %s: %w", file, err)
		}
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

// conform runs the tests of host/device/vfio on the card.
func conform(address string) error {
	c := exec.Command("/bin/conformance", "-test.v", "-test.run", "Conformance")
	c.Env = append(os.Environ(), "HOTLINE_VFIO="+address)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("conformance: %w", err)
	}
	return nil
}

// drive opens the card, before and after a reset, and lets it add two rows.
func drive(dev *vfio.Device, address string) error {
	for range 2 {
		d, err := driver.Open(dev, driver.DefaultOptions())
		if err != nil {
			return err
		}
		fmt.Printf("the card has %+v\n", d.Geometry())
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
