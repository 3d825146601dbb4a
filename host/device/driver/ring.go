package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Batch is the number of commands that the device is not told of at most: one
// doorbell is for as many.
const Batch = 16

// Submit puts a command into the ring; done is called with its outcome from
// within Poll, and may submit others. Submit waits for room if the ring is full.
// The device is told of the command with Batch others, or by Ring, Poll, Do or Drain.
// The error may be ErrClosed.
func (d *Driver) Submit(c arch.Command, done func(Completion, error)) error {
	if d.closed {
		return ErrClosed
	}
	for len(d.waiting) == 1<<d.opts.RingLog2 {
		if err := d.wait(); err != nil {
			return err
		}
	}
	return d.push(submitted{cmd: c, done: done})
}

// push puts a command into the ring, which has room.
func (d *Driver) push(s submitted) error {
	d.nextID++
	s.id = d.nextID
	if err := d.sq.Write(d.slot(d.tail)*arch.CommandBytes, s.cmd.Encode(s.id)); err != nil {
		return err
	}
	d.tail++
	d.waiting = append(d.waiting, s)
	if d.tail-d.rung < Batch {
		return nil
	}
	return d.Ring()
}

// Ring rings the doorbell if there are commands that the device was not told of:
// for a caller that has something else to do before it waits.
func (d *Driver) Ring() error {
	if d.rung == d.tail {
		return nil
	}
	d.rung = d.tail
	return d.dev.Write32(arch.CSRSQTail, uint32(d.tail))
}

// slot is the place in its ring of an entry that a free-running index names.
func (d *Driver) slot(index uint16) int { return int(index) & (1<<d.opts.RingLog2 - 1) }

// Pending is the number of commands without completion.
func (d *Driver) Pending() int { return len(d.waiting) }

// Do submits a command and waits for its completion. A status other than 0 is
// a *StatusError.
func (d *Driver) Do(c arch.Command) (Completion, error) {
	var out Completion
	var failed error
	finished := false
	err := d.Submit(c, func(got Completion, err error) { out, failed, finished = got, err, true })
	for err == nil && !finished {
		err = d.wait()
	}
	if err == nil {
		err = failed
	}
	return out, err
}

// Drain waits for all commands.
func (d *Driver) Drain() error {
	for len(d.waiting) > 0 {
		if err := d.wait(); err != nil {
			return err
		}
	}
	return nil
}

// wait sleeps until there are completions, unless there are some already, and
// takes them. A command is waiting.
func (d *Driver) wait() error {
	if n, err := d.Poll(); n > 0 || err != nil {
		return err
	}
	partial := 0 // polls in a row that found a part of the next completion
	for left := d.opts.Deadline; ; left -= PollInterval {
		slept := d.dev.Wait(min(left, PollInterval))
		late := errors.Is(slept, os.ErrDeadlineExceeded)
		if slept != nil && !late {
			return d.diagnose(slept)
		}
		n, err := d.Poll()
		if partial++; !d.partial {
			partial = 0
		}
		switch {
		case err != nil:
			return err
		case !late:
			return d.woken(n)
		case n > 0:
			d.lost++
			d.told("found by polling")
			return nil
		case partial == partialPolls || partial > 0 && left <= PollInterval:
			return d.damaged(d.wrongCRC())
		case left <= PollInterval:
			return d.fault(d.diagnose(slept))
		}
		if found, err := d.inspect(); found || err != nil {
			return err
		}
	}
}

// woken counts the interrupts in a row that brought nothing. One may come after
// its completion was taken, but not more of them than the ring had completions.
func (d *Driver) woken(completions int) error {
	if completions > 0 {
		return nil
	}
	if d.empty++; d.empty > 1<<d.opts.RingLog2 {
		return d.fault(fmt.Errorf("driver: %d interrupts in a row without a completion; %v is not answered", d.empty, d.waiting[0].cmd))
	}
	return nil
}

// diagnose adds to a failed wait what the device says about itself.
func (d *Driver) diagnose(cause error) error {
	head, err := d.register(arch.CSRSQHead)
	if err != nil {
		return fmt.Errorf("%w, after %w", err, cause)
	}
	status, err := d.register(arch.CSRStatus)
	if err != nil {
		return fmt.Errorf("%w, after %w", err, cause)
	}
	if status>>arch.StatusHaltedBit&1 != 0 {
		code, err := d.register(arch.CSRError)
		if err != nil {
			return fmt.Errorf("%w, after %w", err, cause)
		}
		return fmt.Errorf("driver: %v is not answered: the device has halted, as it could not write a completion: %s (error %d); open it again: %w",
			d.waiting[0].cmd, arch.Status(code), code, cause)
	}
	return fmt.Errorf("driver: %v is not answered (command ring: device at %d, driver at %d; device status %#x): %w", d.waiting[0].cmd, uint16(head), d.tail, status, cause)
}

// Poll takes the completions that have arrived and calls what Submit was given; then
// it rings the doorbell. It returns the number of completions.
func (d *Driver) Poll() (int, error) {
	for n := 0; ; n++ {
		arrived, err := d.arrived()
		if arrived && err == nil {
			err = d.take()
		}
		if err != nil {
			return n, err
		}
		if !arrived {
			return n, errors.Join(d.release(), d.Ring())
		}
	}
}

// release gives the entries that were taken back to the device.
func (d *Driver) release() error {
	if d.head == d.released {
		return nil
	}
	d.released = d.head
	return d.dev.Write32(arch.CSRCQHead, uint32(d.head))
}

// partialPolls is how many polls in a row find a part of a completion before it counts
// as damaged. Between the first and the last of them there is a PollInterval.
const partialPolls = 2

// arrived reads the next entry of the completion ring and reports whether a completion
// is there: its phase is that of this pass through the ring, 1 on the first, and its
// CRC matches. A part of a completion may have the phase without the CRC.
func (d *Driver) arrived() (bool, error) {
	d.partial = false
	if err := d.cq.Read(d.slot(d.head)*arch.CompletionBytes, d.entry[:]); err != nil {
		return false, err
	}
	if d.entry[arch.CompletionPhase]&1 != 0 != d.phase() {
		return false, nil
	}
	var intact bool
	d.next, intact = arch.DecodeCompletion(d.entry[:])
	d.partial = !intact
	return intact, nil
}

// wrongCRC describes the completion in entry.
func (d *Driver) wrongCRC() error {
	crc, body := binary.LittleEndian.Uint32(d.entry[arch.CompletionCRC:]), d.entry[:arch.CompletionCRC]
	return fmt.Errorf("driver: completion %d has CRC %08x, expected %08x: % x", d.head, crc, arch.Checksum(body), d.entry)
}

// phase is that of the next completion.
func (d *Driver) phase() bool { return d.head>>d.opts.RingLog2&1 == 0 }

// take checks the completion that has arrived and hands it out.
func (d *Driver) take() error {
	told := d.next
	if len(d.waiting) == 0 {
		return d.fault(fmt.Errorf("driver: completion %d is for command %d, but none is outstanding", d.head, told.ID))
	}
	s := d.waiting[0]
	unread := told.Status == arch.StatusFetch && told.ID == 0
	if told.ID != s.id && !unread {
		return d.fault(fmt.Errorf("driver: completion %d is for command %d, expected %d: %v", d.head, told.ID, s.id, s.cmd))
	}
	if want := d.tail - uint16(len(d.waiting)-1); told.Head != want {
		return d.fault(fmt.Errorf("driver: completion %d says that command %d is the next, expected %d: %v", d.head, told.Head, want, s.cmd))
	}
	c := Completion{Command: s.cmd, Status: told.Status, Value0: told.Value0, Value1: told.Value1, Sum: told.Sum}
	var err error
	if c.Status != arch.StatusOK {
		err = &StatusError{s.cmd, c.Status}
	}
	d.recovery.row = 0
	return d.finish(c, err)
}

// finish ends the oldest command, or lets it be repeated.
func (d *Driver) finish(c Completion, err error) error {
	s := d.waiting[0]
	d.waiting, d.empty = d.waiting[1:], 0
	d.recovery.polls, d.recovery.missing = 0, false
	d.head++
	if err != nil && d.repeats(s, err) {
		return d.repeat(s)
	}
	s.done(c, err) // may call Poll, which uses entry
	return nil
}
