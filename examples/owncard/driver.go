package owncard

import (
	"fmt"
	"time"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// Offsets of the registers.
const (
	regID     = 0x00
	regBytes  = 0x04
	regSource = 0x08
	regTarget = 0x10
	regStart  = 0x18
	regStatus = 0x1c
	regSum    = 0x20
)

// Copier is a driver of the card.
type Copier struct{ dev driver.Device }

// timeout is the longest time of a copy.
const timeout = time.Second

// Open checks the identity of a device, and enables its interrupt.
func Open(dev driver.Device) (*Copier, error) {
	switch id, err := dev.Read32(regID); {
	case err != nil:
		return nil, err
	case id != ID:
		return nil, fmt.Errorf("owncard: the device has ID %#08x; expected %#08x", id, ID)
	}
	return &Copier{dev}, dev.EnableVector(0)
}

// Copy copies n bytes between bus addresses, and returns the sum of their 32-bit words. n is a
// multiple of 16 up to [MaxBytes]. It returns an error if the device reports a DMA error.
func (c *Copier) Copy(target, source uint64, n int) (sum uint32, err error) {
	for _, w := range []struct {
		register uint64
		value    uint32
	}{
		{regBytes, uint32(n)}, {regSource, uint32(source)}, {regSource + 4, uint32(source >> 32)},
		{regTarget, uint32(target)}, {regTarget + 4, uint32(target >> 32)}, {regStart, 1},
	} {
		if err := c.dev.Write32(w.register, w.value); err != nil {
			return 0, err
		}
	}
	if err := c.dev.Wait(timeout); err != nil {
		return 0, fmt.Errorf("owncard: the copy does not end: %w", err)
	}
	status, err := c.dev.Read32(regStatus) // also pushes the data ahead of the answer
	if err != nil {
		return 0, err
	}
	if code := status >> 4; code != 0 {
		return 0, fmt.Errorf("owncard: DMA error %d", code)
	}
	return c.dev.Read32(regSum)
}
