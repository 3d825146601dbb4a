//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/examples/owncard"
	"github.com/hotline-rtl/hotline/host/device/vfio"
)

// ownDriverFile is the kernel module of examples/owncard.
const ownDriverFile = "/driver/copy.ko"

// ownCopies is the number of copies by each driver.
const ownCopies = 100

// tryOwnCard copies data with the card of examples/owncard, first by the driver in user space, over
// VFIO, then by the kernel driver.
func tryOwnCard() error {
	address, err := find("0x1234", "0xc0de")
	if err != nil {
		return err
	}
	if err := bind(address); err != nil {
		return err
	}
	if err := copyOverVFIO(address); err != nil {
		return fmt.Errorf("over VFIO: %w", err)
	}
	for _, step := range []struct{ file, text string }{
		{filepath.Join("/sys/bus/pci/drivers/vfio-pci/unbind"), address},
		{filepath.Join("/sys/bus/pci/devices", address, "driver_override"), "\n"},
	} {
		if err := os.WriteFile(step.file, []byte(step.text), 0); err != nil {
			return err
		}
	}
	if err := load(ownDriverFile); err != nil {
		return err
	}
	return copyByKernel()
}

// copyOverVFIO makes copies by the driver in user space.
func copyOverVFIO(address string) (err error) {
	dev, err := vfio.Open(address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	c, err := owncard.Open(dev)
	if err != nil {
		return err
	}
	memory, err := dev.AllocDMA(2 * owncard.MaxBytes)
	if err != nil {
		return err
	}
	moved := 0
	for i := range ownCopies {
		data, sum := ownData(i)
		if err := memory.Write(0, data); err != nil {
			return err
		}
		got, err := c.Copy(memory.Address()+owncard.MaxBytes, memory.Address(), len(data))
		if err != nil {
			return err
		}
		target := make([]byte, len(data))
		if err := memory.Read(owncard.MaxBytes, target); err != nil {
			return err
		}
		if got != sum || !bytes.Equal(target, data) {
			return fmt.Errorf("copy %d of %d bytes differs", i, len(data))
		}
		moved += len(data)
	}
	fmt.Printf("user space: %d copies, %d bytes\n", ownCopies, moved)
	return nil
}

// copyByKernel makes copies by the kernel driver, which compares the sums itself.
func copyByKernel() error {
	file, err := os.OpenFile("/dev/copy", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	moved := 0
	for i := range ownCopies {
		data, _ := ownData(i)
		if _, err := file.Write(data); err != nil {
			return err
		}
		got := make([]byte, owncard.MaxBytes)
		n, err := file.Read(got)
		if err != nil {
			return err
		}
		if !bytes.Equal(got[:n], data) {
			return fmt.Errorf("copy %d of %d bytes by the kernel differs", i, len(data))
		}
		moved += n
	}
	fmt.Printf("kernel: %d copies, %d bytes\n", ownCopies, moved)
	return nil
}

// ownData returns the data of copy i and the sum of its words.
func ownData(i int) (data []byte, sum uint32) {
	rng := rand.New(rand.NewPCG(7, uint64(i)))
	for range 4 * (1 + rng.IntN(owncard.MaxBytes/16)) {
		word := rng.Uint32()
		data = binary.LittleEndian.AppendUint32(data, word)
		sum += word
	}
	return data, sum
}
