package driver

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// LostWriteError says that what a command has written is not where it should be.
type LostWriteError struct {
	Command arch.Command
	Sent    uint32 // what the device says
	There   uint32 // what has arrived
}

func (e *LostWriteError) Error() string {
	return fmt.Sprintf("driver: what %v has written adds up to %08x, but what is there to %08x: a write was lost or damaged on its way", e.Command, e.Sent, e.There)
}

// Verify compares what a command has written, as its completion tells, with what is
// there: each gives the pieces of it, in any order, each of whole beats of the
// device's stream. Whoever calls it has seen to it that nothing is still on its way.
// Errors: a *LostWriteError; that of each.
func (d *Driver) Verify(c Completion, each func(add func(p []byte)) error) error {
	var sum uint32
	err := each(func(p []byte) {
		sum += arch.BeatSum(d.geometry.StreamBytes, p)
	})
	if err == nil && sum != c.Sum {
		err = &LostWriteError{Command: c.Command, Sent: c.Sum, There: sum}
	}
	return err
}
