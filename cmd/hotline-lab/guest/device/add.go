//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/vfio"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// rowBytes is the size of a row of 16 values.
const rowBytes = 64

// add computes a*3 + b on two rows in guest memory with the accelerator and checks each value. The
// rows cross a page boundary.
func add(dev *vfio.Device, d *driver.Driver) error {
	const at = 4096 - rowBytes
	memory, err := dev.AllocDMA(2 * 4096)
	if err != nil {
		return err
	}
	var rows [2 * rowBytes]byte
	for i := range 2 * rowBytes / 4 {
		binary.LittleEndian.PutUint32(rows[4*i:], math.Float32bits(float32(i)+0.5))
	}
	if err := memory.Write(at, rows[:]); err != nil {
		return err
	}
	base := memory.Address()
	for _, c := range []arch.Command{
		driver.SWrite(arch.RegRowLog2, 6),
		driver.DMARead(base+at, rowBytes), driver.DMARead(base+at+rowBytes, rowBytes),
		driver.VMul(3), driver.VAdd(false), driver.DMAWrite(base, rowBytes), driver.Fence(),
	} {
		if _, err := d.Do(c); err != nil {
			return err
		}
	}
	var got [rowBytes]byte
	if err := memory.Read(0, got[:]); err != nil {
		return err
	}
	for i := range rowBytes / 4 {
		want := (float32(i)+0.5)*3 + float32(i+rowBytes/4) + 0.5
		if v := math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])); v != want {
			return fmt.Errorf("value %d is %v, expected %v", i, v, want)
		}
	}
	return nil
}
