package wrap

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// small returns the sizes of the accelerators of these tests.
func small() arch.Params {
	p := arch.Small()
	p.Engines, p.Banks, p.Blocks, p.Window, p.Tags, p.EDRAMWords, p.Slots = 4, 4, 512, 8, 8, 8192, 4
	return p
}

// Memory map of the tests.
const (
	rowBytes = 64
	rowsAt   = 0x2_0000_0004
	resultAt = 0x3_0000_0ff8 // a row at this address crosses a 4 KiB boundary
	wordsAt  = 0x4_0000_0f0c
	bitmapAt = 0x5_0000_0008
	mailbox  = 0x6_0000_0000
	inputs   = 700
)

// use passes a row through the accelerator, and learns and classifies a mini-batch whose rows are
// then all hot. It exercises driver, registers, rings, loads, rows and bitmaps of a device.
func use(t *testing.T, c *card) *driver.Driver {
	d, err := driver.Open(c, driver.Options{RingLog2: 4, Deadline: time.Hour})
	require.NoError(t, err)
	do := func(cmd arch.Command) driver.Completion {
		done, err := d.Do(cmd)
		require.NoError(t, err, cmd)
		return done
	}
	for _, r := range [][2]uint64{
		{arch.RegRowLog2, 6}, {arch.RegGPUs, 1}, {arch.RegTables, 1}, {arch.RegSlots, 2}, {arch.RegTable, rowsAt},
		{arch.RegMailbox, mailbox}, {arch.RegSlot, 1 << arch.SlotFirstBit}, {arch.RegSlot + 1, 1 << arch.SlotLastBit},
	} {
		do(driver.SWrite(int(r[0]), r[1]))
	}
	row, got := make([]byte, rowBytes), make([]byte, rowBytes)
	for i := range row {
		row[i] = byte(i + 1)
	}
	c.Memory.WriteAt(rowsAt, row)
	do(driver.DMARead(rowsAt, rowBytes))
	do(driver.VAdd(true))
	do(driver.DMAWrite(resultAt, rowBytes))
	c.Memory.ReadAt(resultAt, got)
	require.Equal(t, row, got)

	words := make([]byte, 8*inputs)
	for i := range 2 * inputs {
		words[4*i] = byte(i % 5)
	}
	c.Memory.WriteAt(wordsAt, words)
	do(driver.Learn(0, wordsAt, inputs))
	done := do(driver.Classify(0, wordsAt, inputs, bitmapAt))
	require.EqualValues(t, inputs, done.Value0)
	for _, at := range []uint64{bitmapAt, mailbox} {
		bitmap := make([]byte, inputs/8)
		c.Memory.ReadAt(at, bitmap)
		require.Equal(t, bytes.Repeat([]byte{0xff}, inputs/8), bitmap)
	}
	return d
}

func TestAXICard(t *testing.T) {
	p := AXI{small()}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	c, err := newCard(d, 1)
	require.NoError(t, err)
	far := newBusModel(c.Bench, newSlave(c.Memory, p.StreamBytes(), 40, 1))
	c.Far = far
	drv := use(t, c)

	// Errors of the bus become the statuses of the commands.
	for _, fault := range []struct {
		at      uint64
		resp    uint
		command arch.Command
		status  arch.Status
	}{
		{rowsAt, 2, driver.VAdd(true), 4},
		{rowsAt, 3, driver.VAdd(true), 5},
		{resultAt, 2, driver.DMAWrite(resultAt, rowBytes), 6},
		{resultAt, 3, driver.DMAWrite(resultAt, rowBytes), 7},
		{0, 0, driver.VAdd(true), 0},
	} {
		far.Resp = func(addr uint64) uint {
			if addr>>pageBits == fault.at>>pageBits {
				return fault.resp
			}
			return 0
		}
		_, err := drv.Do(driver.DMARead(rowsAt, rowBytes))
		require.NoError(t, err)
		if fault.at == resultAt {
			_, err = drv.Do(driver.VAdd(true))
			require.NoError(t, err)
		}
		_, err = drv.Do(fault.command)
		var status *driver.StatusError
		if fault.status == 0 {
			require.NoError(t, err)
		} else {
			require.ErrorAs(t, err, &status)
			require.Equal(t, fault.status, status.Status)
		}
	}
}
