package driver

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// LostError says that a command has been carried out, well or not, but its
// completion was lost or damaged on its way.
type LostError struct {
	Command arch.Command
	Cause   error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("driver: the outcome of %v is not known: %v", e.Command, e.Cause)
}

func (e *LostError) Unwrap() error { return e.Cause }

// Idempotent tells that a command may be carried out again, even if it was before:
// it changes nothing but what it writes, and writes the same again. An update adds;
// learn changes the tracker; the commands on single rows work on what those before
// them have left.
func Idempotent(o arch.Opcode) bool {
	switch o {
	case arch.SWrite, arch.Classify, arch.Gather, arch.HotSet, arch.Fence:
		return true
	}
	return false
}

// Transient tells that a status may be another the next time: it is about the way
// to or from the device, not about what was asked for.
func Transient(status arch.Status) bool {
	return status > arch.StatusOK && status < arch.StatusOpcode || status == arch.StatusCRC || status == arch.StatusFetch
}

// Survivable tells that an error is about the device or the way to it, so that what
// was to be done can be begun again, after a reset.
func Survivable(err error) bool {
	var lost *LostError
	var status *StatusError
	var written *LostWriteError
	return errors.As(err, &lost) || errors.As(err, &written) || errors.Is(err, ErrReset) || errors.As(err, &status) && Transient(status.Status)
}

// repeats tells whether a command that has ended with an error is to be repeated.
func (d *Driver) repeats(s submitted, err error) bool {
	return Idempotent(s.cmd.Opcode) && s.tries < d.opts.Retries && Survivable(err)
}

// repeat puts a command behind those that are in the ring.
func (d *Driver) repeat(s submitted) error {
	d.recovery.counts.Repeated++
	d.told("command repeated")
	s.tries++
	return d.push(s)
}

// Repeat carries a command out again of which the caller has found that what it has
// written is not there, and that it may be. It waits for it.
func (d *Driver) Repeat(c arch.Command) (Completion, error) {
	d.recovery.counts.Repeated++
	d.told("command repeated")
	return d.Do(c)
}
