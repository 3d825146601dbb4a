package foreigncard

import (
	"fmt"
	"time"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// Offsets of the registers, and bits of the first (the comment of axidma.v).
const (
	regControl = 0x00
	regSource  = 0x08
	regTarget  = 0x10
	regLength  = 0x18

	controlStart     = 1 << 0
	controlClear     = 1 << 1 // the interrupt
	controlInterrupt = 1 << 2 // enable
	controlError     = 1 << 4
)

// timeout is the longest time of a copy.
const timeout = time.Second

// Copy copies n bytes between bus addresses, at any alignment, and waits for the interrupt of vector
// 0, which must be enabled. It returns an error if the device reports one.
func Copy(dev driver.Device, target, source uint64, n int) error {
	for _, w := range []struct {
		register uint64
		value    uint64
	}{{regSource, source}, {regTarget, target}, {regLength, uint64(n)}} {
		for half := range uint64(2) {
			if err := dev.Write32(w.register+4*half, uint32(w.value>>(32*half))); err != nil {
				return err
			}
		}
	}
	if err := dev.Write32(regControl, controlStart|controlInterrupt); err != nil {
		return err
	}
	if err := dev.Wait(timeout); err != nil {
		return fmt.Errorf("foreigncard: the copy does not end: %w", err)
	}
	status, err := dev.Read32(regControl) // also pushes the data ahead of the answer
	if err != nil {
		return err
	}
	if status&controlError != 0 {
		return fmt.Errorf("foreigncard: the device reports an error: status %#x", status)
	}
	return dev.Write32(regControl, controlClear)
}
