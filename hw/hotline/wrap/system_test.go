package wrap

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim"
)

// card is a wrapped accelerator with what is on its other side, as a driver sees it.
type card struct {
	*bench.Bench
	far interface {
		give(*bench.Bench)
		take() error
	}
	memory    dma.Pages
	allocated uint64
	aw, w, ar *bench.Source
	b, r      *bench.Sink
	req, ack  sim.Pin
}

// small are the sizes of the accelerators of these tests.
func small() arch.Params {
	p := arch.Small()
	p.Engines, p.Banks, p.Blocks, p.Window, p.Tags, p.EDRAMWords, p.Slots = 4, 4, 512, 8, 8, 8192, 4
	return p
}

// newCard is a card in reset; its far side is still to be set.
func newCard(t *testing.T, d *ir.Design) *card {
	b, err := bench.New(d, 1)
	require.NoError(t, err)
	return &card{
		Bench: b, memory: dma.Pages{}, allocated: 1 << 32,
		aw:  b.Source("s_axil_awvalid", "s_axil_awready", "s_axil_awaddr", "s_axil_awprot"),
		w:   b.Source("s_axil_wvalid", "s_axil_wready", "s_axil_wdata", "s_axil_wstrb"),
		ar:  b.Source("s_axil_arvalid", "s_axil_arready", "s_axil_araddr", "s_axil_arprot"),
		b:   b.Sink("s_axil_bvalid", "s_axil_bready", "s_axil_bresp"),
		r:   b.Sink("s_axil_rvalid", "s_axil_rready", "s_axil_rdata", "s_axil_rresp"),
		req: b.Pin("irq_req"), ack: b.Pin("irq_ack"),
	}
}

// until runs cycles until something is done.
func (c *card) until(limit int, done func() bool) error {
	for n := 0; !done(); n++ {
		if n == limit {
			return fmt.Errorf("nothing after %d cycles: %w", limit, os.ErrDeadlineExceeded)
		}
		c.far.give(c.Bench)
		if err := errors.Join(c.Cycle(), c.far.take()); err != nil {
			return err
		}
	}
	return nil
}

// Read32 implements driver.Device.
func (c *card) Read32(offset uint64) (uint32, error) {
	c.ar.Send(0, bench.Item{offset, 0})
	err := c.until(100, func() bool { return len(c.r.Got[0]) > 0 })
	if err != nil {
		return 0, err
	}
	v := uint32(c.r.Got[0][0][0])
	c.r.Got[0] = nil
	return v, nil
}

// Write32 implements driver.Device.
func (c *card) Write32(offset uint64, v uint32) error {
	c.aw.Send(0, bench.Item{offset, 0})
	c.w.Send(0, bench.Item{uint64(v), 0xf})
	err := c.until(100, func() bool { return len(c.b.Got[0]) > 0 })
	c.b.Got[0] = nil
	return err
}

// EnableVector implements driver.Device.
func (c *card) EnableVector(int) error { return nil }

// Wait implements driver.Device; time is cycles.
func (c *card) Wait(time.Duration) error {
	err := c.until(20000, c.req.Bool)
	c.ack.SetBool(err == nil)
	err = errors.Join(err, c.until(1, func() bool { return !c.req.Bool() }))
	c.ack.SetBool(false)
	return err
}

// AllocDMA implements driver.Device.
func (c *card) AllocDMA(n int) (driver.DMA, error) {
	at := c.allocated
	c.allocated += uint64(n+4095) &^ 4095
	return buffer{c.memory, at, n}, nil
}

// buffer is memory of a driver.
type buffer struct {
	memory dma.Pages
	at     uint64
	n      int
}

func (b buffer) Address() uint64 { return b.at }
func (b buffer) Size() int       { return b.n }
func (b buffer) Read(offset int, p []byte) error {
	b.memory.ReadAt(b.at+uint64(offset), p)
	return nil
}
func (b buffer) Write(offset int, p []byte) error {
	b.memory.WriteAt(b.at+uint64(offset), p)
	return nil
}

// The rows of a table, and where they go.
const (
	rowBytes = 64
	rowsAt   = 0x2_0000_0004
	resultAt = 0x3_0000_0ff8 // a row there crosses 4 KiB
	wordsAt  = 0x4_0000_0f0c
	bitmapAt = 0x5_0000_0008
	mailbox  = 0x6_0000_0000
	inputs   = 700
)

// use sends a row through the accelerator, and learns and classifies a mini-batch of rows
// that are all hot then: driver, registers, rings, loads, rows and bitmaps of a card.
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
	c.memory.WriteAt(rowsAt, row)
	do(driver.DMARead(rowsAt, rowBytes))
	do(driver.VAdd(true))
	do(driver.DMAWrite(resultAt, rowBytes))
	c.memory.ReadAt(resultAt, got)
	require.Equal(t, row, got)

	words := make([]byte, 8*inputs)
	for i := range 2 * inputs {
		words[4*i] = byte(i % 5)
	}
	c.memory.WriteAt(wordsAt, words)
	do(driver.Learn(0, wordsAt, inputs))
	done := do(driver.Classify(0, wordsAt, inputs, bitmapAt))
	require.EqualValues(t, inputs, done.Value0)
	for _, at := range []uint64{bitmapAt, mailbox} {
		bitmap := make([]byte, inputs/8)
		c.memory.ReadAt(at, bitmap)
		require.Equal(t, bytes.Repeat([]byte{0xff}, inputs/8), bitmap)
	}
	return d
}

func TestAXICard(t *testing.T) {
	p := AXI{small()}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	c := newCard(t, d)
	far := &bus{slave: NewSlave(c.memory, p.StreamBytes(), 40, 1)}
	far.reads(c.Bench)
	far.writes(c.Bench)
	c.far = far
	drv := use(t, c)

	// What the bus says of reads and writes is the status of their commands.
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
		far.slave.Resp = func(addr uint64) uint {
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
