package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Batch is the maximum number of commands per doorbell.
const Batch = 16

// Submit puts a command into the ring. Poll calls done with its outcome; done may submit further
// commands. Submit waits if the ring is full. The doorbell follows after Batch commands, or by
// Ring, Poll, Do or Drain. Submit returns ErrClosed after Close.
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

// push puts a command into the ring, which must not be full.
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

// Ring rings the doorbell if it has not been rung for all commands in the ring. It is for callers
// that do other work before they wait.
func (d *Driver) Ring() error {
	if d.rung == d.tail {
		return nil
	}
	d.rung = d.tail
	return d.dev.Write32(arch.CSRSQTail, uint32(d.tail))
}

// slot returns the ring position of a free-running index.
func (d *Driver) slot(index uint16) int { return int(index) & (1<<d.opts.RingLog2 - 1) }

// Pending returns the number of commands without completion.
func (d *Driver) Pending() int { return len(d.waiting) }

// Do submits a command and waits for its completion. If the status is not 0, it returns a
// *StatusError.
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

// wait processes the completions in the ring, or sleeps until there are some. At least one command
// must be pending.
func (d *Driver) wait() error {
	if n, err := d.Poll(); n > 0 || err != nil {
		return err
	}
	partial := 0 // number of consecutive polls that found a partial completion
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
			d.report("found by polling")
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

// woken counts consecutive interrupts without a completion. An interrupt may arrive after its
// completion was taken. Their number cannot exceed the size of the ring.
func (d *Driver) woken(completions int) error {
	if completions > 0 {
		return nil
	}
	if d.empty++; d.empty > 1<<d.opts.RingLog2 {
		return d.fault(fmt.Errorf("driver: %d interrupts in sequence without a completion; %v is not answered", d.empty, d.waiting[0].cmd))
	}
	return nil
}

// diagnose extends the error of a failed wait by the device's status.
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

// Poll processes the completions that have arrived and calls the functions passed to Submit. Then
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

// release returns processed entries to the device.
func (d *Driver) release() error {
	if d.head == d.released {
		return nil
	}
	d.released = d.head
	return d.dev.Write32(arch.CSRCQHead, uint32(d.head))
}

// partialPolls is the number of consecutive polls that find a partial completion before it counts
// as damaged. At least one PollInterval passes between the first and the last poll.
const partialPolls = 2

// arrived reads the next entry of the completion ring and reports whether it is a new completion. A
// new completion has the phase of this pass through the ring, 1 on the first pass, and a valid CRC.
// A partially written completion may have the phase without the CRC.
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

// phase returns the phase bit of the next completion.
func (d *Driver) phase() bool { return d.head>>d.opts.RingLog2&1 == 0 }

// take validates the completion that has arrived and finishes its command.
func (d *Driver) take() error {
	e := d.next
	if len(d.waiting) == 0 {
		return d.fault(fmt.Errorf("driver: completion %d is for command %d, but none is outstanding", d.head, e.ID))
	}
	s := d.waiting[0]
	unread := e.Status == arch.StatusFetch && e.ID == 0
	if e.ID != s.id && !unread {
		return d.fault(fmt.Errorf("driver: completion %d is for command %d, expected %d: %v", d.head, e.ID, s.id, s.cmd))
	}
	if want := d.tail - uint16(len(d.waiting)-1); e.Head != want {
		return d.fault(fmt.Errorf("driver: completion %d says that command %d is the next, expected %d: %v", d.head, e.Head, want, s.cmd))
	}
	c := Completion{Command: s.cmd, Status: e.Status, Value0: e.Value0, Value1: e.Value1, Sum: e.Sum}
	var err error
	if c.Status != arch.StatusOK {
		err = &StatusError{s.cmd, c.Status}
	}
	d.recovery.row = 0
	return d.finish(c, err)
}

// finish ends the oldest command, or repeats it.
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
