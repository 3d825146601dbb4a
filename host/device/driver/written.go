package driver

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// LostWriteError reports that data written by a command did not arrive correctly.
type LostWriteError struct {
	Command arch.Command
	Sent    uint32 // according to the device
	There   uint32 // according to the data that arrived
}

func (e *LostWriteError) Error() string {
	return fmt.Sprintf("driver: what %v has written adds up to %08x, but what is there to %08x: a write was lost or damaged on its way", e.Command, e.Sent, e.There)
}

// Verify compares the checksum of a command's writes in its completion with the data that arrived.
// each passes the written data in pieces to add, in any order. A piece consists of whole beats of
// the device's stream. The caller ensures that no write is in flight. Verify returns a
// *LostWriteError or the error of each.
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
