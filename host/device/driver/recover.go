package driver

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// ErrReset reports that a command was in the ring when the device was reset. Its effect is unknown.
// The device has lost its state, including the address registers and the tracker.
var ErrReset = errors.New("driver: the device was reset")

// InspectInterval is the time, on the device's clock, after which a driver that waits for a
// completion compares its state with the device's registers. It repeats at this interval.
const InspectInterval = 16 * PollInterval

// Survived counts the recovery actions of the driver.
type Survived struct {
	Repeated        int // commands
	LostCompletions int // lost or damaged
	LostDoorbells   int
	Resets          int
}

// recovery is the recovery state of a driver.
type recovery struct {
	counts  Survived
	notify  func(what string) // listener for recovery actions, or nil
	polls   int               // polls since the latest completion
	row     int               // resets since the latest good completion
	missing bool              // a completion that the device has written was not in the ring
}

// Survived returns the counts of recovery actions so far.
func (d *Driver) Survived() Survived { return d.recovery.counts }

// OnRecovery registers f as the listener for recovery actions.
func (d *Driver) OnRecovery(f func(what string)) { d.recovery.notify = f }

func (d *Driver) report(what string) {
	if d.recovery.notify != nil {
		d.recovery.notify(what)
	}
}

// fault resets the device, which ends all commands in the ring. It returns cause if retries are
// disabled.
func (d *Driver) fault(cause error) error {
	if d.opts.Retries == 0 {
		return cause
	}
	if d.recovery.row >= d.opts.Retries+len(levels) {
		return fmt.Errorf("driver: %d resets in sequence failed: %w", d.recovery.row, cause)
	}
	return d.resetBecause(cause)
}

// Reset resets the device after a fault that the caller detected. All pending commands end with
// ErrReset. Reset returns an error if no reset helps.
func (d *Driver) Reset(cause error) error { return d.resetBecause(cause) }

// levels lists the recovery levels, from the mildest on.
var levels = []struct {
	name  string
	reset func(d *Driver) error
}{
	{"engine reset", func(*Driver) error { return nil }},
	{FunctionReset.String(), func(d *Driver) error { return d.outside(FunctionReset) }},
	{BusReset.String(), func(d *Driver) error { return d.outside(BusReset) }},
}

// resetBecause resets the device and starts with empty rings. It uses the mildest recovery level
// that works. Each consecutive reset without a completion in between starts one level higher.
func (d *Driver) resetBecause(cause error) error {
	var errs []error
	for _, r := range levels[min(d.recovery.row, len(levels)-1):] {
		err := r.reset(d)
		if err == nil {
			err = d.restart()
		}
		if err == nil {
			d.recovery.row++
			d.recovery.counts.Resets++
			d.report(r.name)
			d.abandon(cause)
			return nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", r.name, err))
	}
	return fmt.Errorf("driver: the device cannot be reset: %w; after %w", errors.Join(errs...), cause)
}

// outside performs an external reset of the device, if supported.
func (d *Driver) outside(kind ResetKind) error {
	r, ok := d.dev.(Resetter)
	if !ok {
		return errors.New("there is no such reset")
	}
	return r.Reset(kind)
}

// restart initializes the device with empty rings.
func (d *Driver) restart() error {
	before := d.geometry
	if err := d.identify(); err != nil {
		return err
	}
	if d.geometry != before {
		return fmt.Errorf("driver: the device has other sizes than before: %+v, expected %+v", d.geometry, before)
	}
	if err := d.reset(); err != nil {
		return err
	}
	if err := d.cq.Write(0, make([]byte, d.cq.Size())); err != nil { // clears the phase bits
		return err
	}
	d.tail, d.rung, d.head, d.released = 0, 0, 0, 0
	return d.rings()
}

// abandon ends all pending commands with an error.
func (d *Driver) abandon(cause error) {
	all := d.waiting
	d.waiting, d.empty, d.recovery.polls, d.recovery.missing = nil, 0, 0, false
	for _, s := range all {
		s.done(Completion{Command: s.cmd}, fmt.Errorf("%w: %v has no outcome: %w", ErrReset, s.cmd, cause))
	}
}

// damaged ends the command whose completion is invalid.
func (d *Driver) damaged(cause error) error {
	if d.opts.Retries == 0 || len(d.waiting) == 0 {
		return d.fault(cause)
	}
	d.recovery.counts.LostCompletions++
	d.report("completion given up")
	if err := d.skip(); err != nil {
		return err
	}
	cmd := d.waiting[0].cmd
	return d.finish(Completion{Command: cmd}, &LostError{cmd, cause})
}

// skip fills the next entry of the completion ring as if it had arrived. Otherwise the old contents
// would have the phase of the next pass and be taken for a new completion.
func (d *Driver) skip() error {
	clear(d.entry[:])
	if d.phase() {
		d.entry[arch.CompletionPhase] = 1
	}
	return d.cq.Write(d.slot(d.head)*arch.CompletionBytes, d.entry[:])
}

// inspect compares, every few polls, the device's state with the driver's state. It repeats a lost
// doorbell. It gives up a completion that the device has written but that is not in the ring. It
// reports whether a command has ended.
func (d *Driver) inspect() (bool, error) {
	if d.recovery.polls++; d.recovery.polls%int(InspectInterval/PollInterval) != 0 || d.opts.Retries == 0 {
		return false, nil
	}
	seen, err := d.register(arch.CSRSQTail)
	if err != nil {
		return true, d.fault(err)
	}
	if uint16(seen) != d.rung {
		d.recovery.counts.LostDoorbells++
		d.report("doorbell rung again")
		return false, d.dev.Write32(arch.CSRSQTail, uint32(d.rung))
	}
	if err := d.dev.Write32(arch.CSRCQHead, uint32(d.head)); err != nil { // in case the write was lost
		return true, d.fault(err)
	}
	written, err := d.register(arch.CSRCQTail) // index after the last completion that the device has written
	if err != nil {
		return true, d.fault(err)
	}
	n, err := d.Poll()
	switch ahead := int16(uint16(written) - d.head); {
	case n > 0 || err != nil:
		return n > 0, err
	case ahead < 0:
		return true, d.fault(fmt.Errorf("driver: the device has written completions up to %d, and %d was taken", written, d.head))
	case ahead == 0:
		return false, nil
	}
	// The device may count a completion slightly before the completion leaves.
	if !d.recovery.missing {
		d.recovery.missing = true
		return false, nil
	}
	return true, d.damaged(fmt.Errorf("driver: completion %d was written by the device and has not arrived", d.head))
}
