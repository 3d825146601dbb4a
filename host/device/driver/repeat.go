package driver

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// LostError reports that a command was executed, successfully or not, but its completion was lost
// or damaged.
type LostError struct {
	Command arch.Command
	Cause   error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("driver: the outcome of %v is not known: %v", e.Command, e.Cause)
}

func (e *LostError) Unwrap() error { return e.Cause }

// Idempotent reports whether a command may be executed again: it changes nothing except its output
// and writes the same output again. Update is not idempotent, because it adds. Learn changes the
// tracker. The commands on single rows depend on the commands before them.
func Idempotent(o arch.Opcode) bool {
	switch o {
	case arch.SWrite, arch.Classify, arch.Gather, arch.HotSet, arch.Fence:
		return true
	}
	return false
}

// Transient reports whether a status may differ on the next try. Such a status concerns the
// transfer to or from the device, not the command itself.
func Transient(status arch.Status) bool {
	return status > arch.StatusOK && status < arch.StatusOpcode || status == arch.StatusCRC || status == arch.StatusFetch
}

// Survivable reports whether an error concerns the device or its link, so that the work can be
// restarted after a reset.
func Survivable(err error) bool {
	var lost *LostError
	var status *StatusError
	var written *LostWriteError
	return errors.As(err, &lost) || errors.As(err, &written) || errors.Is(err, ErrReset) || errors.As(err, &status) && Transient(status.Status)
}

// repeats reports whether a command that ended with an error must be repeated.
func (d *Driver) repeats(s submitted, err error) bool {
	return Idempotent(s.cmd.Opcode) && s.tries < d.opts.Retries && Survivable(err)
}

// repeat appends a command to the ring again.
func (d *Driver) repeat(s submitted) error {
	d.recovery.counts.Repeated++
	d.report("command repeated")
	s.tries++
	return d.push(s)
}

// Repeat executes a command again and waits for it. The caller has found that data written by the
// command is missing, and that the command may be repeated.
func (d *Driver) Repeat(c arch.Command) (Completion, error) {
	d.recovery.counts.Repeated++
	d.report("command repeated")
	return d.Do(c)
}
