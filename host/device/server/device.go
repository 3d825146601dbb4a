package server

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Device is the card in the slot as seen by its driver. It implements driver.Device.
type Device struct {
	server *Server
	card   Card
	bar    uint64 // address of BAR 0; the function may have lost it since
	fired  bool
}

var (
	_ driver.Device   = (*Device)(nil)
	_ driver.Resetter = (*Device)(nil)
)

// Endpoint returns the card's PCIe function.
func (d *Device) Endpoint() *link.Endpoint { return d.card.Endpoint() }

// Read32 reads a register of BAR 0. It runs the kernel until the completion arrives.
func (d *Device) Read32(offset uint64) (uint32, error) {
	return d.server.Root.Read32(d.bar + offset)
}

// Write32 sends a posted write to a register of BAR 0.
func (d *Device) Write32(offset uint64, v uint32) error {
	return d.server.Root.Write32(d.bar+offset, v)
}

// AllocDMA allocates n bytes of host memory. It returns the error of Server.Fits.
func (d *Device) AllocDMA(n int) (driver.DMA, error) {
	return d.server.Host.Alloc("DMA buffers", n), d.server.Fits()
}

// Fields of an entry of the MSI-X table (PCIe base specification 6.1.4).
const (
	vectorBytes   = 16
	vectorAddrLo  = 0
	vectorAddrHi  = 4
	vectorData    = 8
	vectorControl = 12
)

// EnableVector programs entry i of the MSI-X table with a separate interrupt and unmasks it.
func (d *Device) EnableVector(i int) error {
	if i < 0 || i >= link.Vectors {
		return fmt.Errorf("server: MSI-X vector %d, expected 0 to %d", i, link.Vectors-1)
	}
	s := d.server
	data := uint32(len(s.vectors) + 1)
	s.vectors[data] = func() { d.fired = true }
	window := s.Config.Root.Interrupts.Base
	entry := s.Config.Endpoint.MSIXOffset + uint64(i)*vectorBytes
	for _, w := range []struct {
		offset uint64
		value  uint32
	}{
		{vectorAddrLo, uint32(window)}, {vectorAddrHi, uint32(window >> 32)}, {vectorData, data}, {vectorControl, 0},
	} {
		if err := d.Write32(entry+w.offset, w.value); err != nil {
			return err
		}
	}
	return nil
}

// Reset implements driver.Resetter. It resets the card's function, and the host enumerates it
// again. A bus reset first retrains the link. Reset returns an error if kind requires a link that
// is up, or if the function does not answer after the reset.
func (d *Device) Reset(kind driver.ResetKind) error {
	slot, ep := d.server.slot, d.card.Endpoint()
	if kind == driver.BusReset {
		slot.SetUp(false)
		slot.SetUp(true)
	} else if !slot.Up() {
		return fmt.Errorf("server: there is no %v behind a link that is down", kind)
	}
	ep.FLR()
	return d.enumerate()
}

// enumerate sets up the card's function from the host.
func (d *Device) enumerate() error {
	ep := d.card.Endpoint()
	found, err := d.server.Root.Enumerate(d.server.Config.Endpoint.Straps)
	if err != nil {
		return err
	}
	if !slices.Contains(found, ep.ID()) {
		return fmt.Errorf("server: the device at %v does not answer", ep.ID())
	}
	d.bar = ep.BAR().Base
	return nil
}

// Wait runs the kernel until an enabled vector has fired since the last Wait without error. It
// returns an error if the card stops. After timeout of simulated time it returns an error that is
// os.ErrDeadlineExceeded, and also des.ErrDeadlock if no further event can occur.
func (d *Device) Wait(timeout time.Duration) error {
	k := d.server.Kernel
	start := k.Now()
	err := k.RunUntil(start+des.Time(timeout.Nanoseconds())*des.Nanosecond, func() bool { return d.fired || d.card.Err() != nil })
	switch {
	case d.card.Err() != nil:
		return d.card.Err()
	case d.fired:
		d.fired = false
		return nil
	case err != nil:
		return fmt.Errorf("server: interrupts are disabled: %w: %w", os.ErrDeadlineExceeded, err)
	}
	return fmt.Errorf("server: no interrupt from %v to %v: %w", start, k.Now(), os.ErrDeadlineExceeded)
}
