package driver

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Options are the parameters of Open.
type Options struct {
	// RingLog2 is log2 of the number of entries of both rings, from 1 to arch.MaxRingLog2.
	RingLog2 int
	// Deadline is the maximum duration of a command after the commands before it have completed, on
	// the device's clock. It must be above 0.
	Deadline time.Duration
	// Retries is how many times an idempotent command is repeated before a fault is an error. It
	// also limits consecutive resets, to Retries plus the number of recovery levels. With 0, the
	// first fault is an error, and a device that does not answer or answers nonsense fails
	// permanently.
	Retries int
}

// PollInterval is the maximum time, on the device's clock, that the driver sleeps before it checks
// the completion ring without an interrupt. It bounds the cost of a lost interrupt.
const PollInterval = time.Millisecond

// DefaultOptions returns rings of 256 entries, a deadline of one second and two retries.
func DefaultOptions() Options { return Options{RingLog2: 8, Deadline: time.Second, Retries: 2} }

// ErrGone reports that the device no longer responds: reads fail or return all ones, as after a
// loss of power or of the link.
var ErrGone = errors.New("driver: the device is gone")

// Driver drives one accelerator.
type Driver struct {
	dev      Device
	opts     Options
	geometry arch.Geometry
	sq, cq   DMA
	tail     uint16 // command ring: next entry to write
	rung     uint16 // command ring: value of the last doorbell
	head     uint16 // completion ring: next entry to read
	released uint16 // completion ring: first entry not yet returned to the device
	nextID   uint32
	waiting  []submitted // in ring order
	empty    int         // number of consecutive interrupts without a completion
	lost     int         // number of lost interrupts
	recovery recovery
	closed   bool
	entry    [arch.CompletionBytes]byte
	next     arch.Completion // decoded entry, if it has arrived
	partial  bool            // entry has the phase of a new completion, but not its CRC
}

// submitted is a command without completion.
type submitted struct {
	id    uint32
	cmd   arch.Command
	done  func(Completion, error)
	tries int // number of earlier tries
}

// Open reads the device's sizes, resets the device from any state that an earlier driver left,
// programs its rings and enables it.
func Open(dev Device, opts Options) (*Driver, error) {
	if opts.RingLog2 < 1 || opts.RingLog2 > arch.MaxRingLog2 {
		return nil, fmt.Errorf("driver: ring of 2^%d entries, expected 2^1 to 2^%d", opts.RingLog2, arch.MaxRingLog2)
	}
	if opts.Deadline <= 0 {
		return nil, fmt.Errorf("driver: deadline %v, expected above 0", opts.Deadline)
	}
	if opts.Retries < 0 {
		return nil, fmt.Errorf("driver: %d retries, expected 0 or more", opts.Retries)
	}
	d := &Driver{dev: dev, opts: opts}
	if err := d.identify(); err != nil {
		return nil, err
	}
	if err := d.reset(); err != nil {
		return nil, err
	}
	if err := d.allocate(); err != nil {
		return nil, err
	}
	if err := d.rings(); err != nil {
		return nil, err
	}
	return d, nil
}

// reset resets the device. The device first finishes its commands in flight.
func (d *Driver) reset() error {
	if err := d.dev.Write32(arch.CSRControl, 1<<arch.ControlResetBit); err != nil {
		return err
	}
	for left := d.opts.Deadline; ; left -= PollInterval {
		v, err := d.register(arch.CSRControl)
		if err != nil || v == 0 {
			return err
		}
		if left <= 0 {
			return fmt.Errorf("driver: the device has not finished its reset after %v", d.opts.Deadline)
		}
		if err := d.dev.Wait(min(left, PollInterval)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("driver: reset: %w", err)
		}
	}
}

// Geometry returns the sizes that the device reports.
func (d *Driver) Geometry() arch.Geometry { return d.geometry }

func (d *Driver) identify() error {
	var words [7]uint32
	for i, at := range []uint64{arch.CSRID, arch.CSRVersion, arch.CSRCaps0, arch.CSRCaps1, arch.CSRCaps2, arch.CSRCaps3, arch.CSRCaps4} {
		v, err := d.register(at)
		if err != nil {
			return err
		}
		words[i] = v
	}
	if words[0] != arch.ID || words[1]>>16 != arch.Version>>16 {
		return fmt.Errorf("driver: device has id %#x version %#x, expected %#x and %#x", words[0], words[1], uint32(arch.ID), uint32(arch.Version))
	}
	d.geometry = arch.GeometryOf([5]uint32(words[2:]))
	return nil
}

// register reads a register whose valid values exclude all ones.
func (d *Driver) register(offset uint64) (uint32, error) {
	v, err := d.dev.Read32(offset)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrGone, err)
	case v == math.MaxUint32:
		return 0, fmt.Errorf("%w: register %#02x reads all ones", ErrGone, offset)
	}
	return v, nil
}

// allocate allocates memory for the rings.
func (d *Driver) allocate() (err error) {
	n := 1 << d.opts.RingLog2
	if d.sq, err = d.dev.AllocDMA(n * arch.CommandBytes); err != nil {
		return err
	}
	d.cq, err = d.dev.AllocDMA(n * arch.CompletionBytes)
	return err
}

// rings programs empty rings into the device and enables it.
func (d *Driver) rings() error {
	if err := d.dev.EnableVector(0); err != nil {
		return err
	}
	for _, w := range []struct {
		offset uint64
		value  uint32
	}{
		{arch.CSRSQBaseLo, uint32(d.sq.Address())}, {arch.CSRSQBaseHi, uint32(d.sq.Address() >> 32)}, {arch.CSRSQLog2, uint32(d.opts.RingLog2)},
		{arch.CSRCQBaseLo, uint32(d.cq.Address())}, {arch.CSRCQBaseHi, uint32(d.cq.Address() >> 32)}, {arch.CSRCQLog2, uint32(d.opts.RingLog2)},
		{arch.CSRSQTail, 0}, {arch.CSRCQHead, 0}, {arch.CSRControl, 1},
	} {
		if err := d.dev.Write32(w.offset, w.value); err != nil {
			return err
		}
	}
	return nil
}

// LostInterrupts returns the number of sleeps that timed out although a completion was in the ring.
func (d *Driver) LostInterrupts() int { return d.lost }

// Counters contains the device's performance counters, modulo 2^32 except for the byte counters.
// Package arch defines them.
type Counters struct {
	Lookups, CacheHits, HotLookups, LookupCycles, LearnCycles uint32

	Conflicts, WindowStalls, QueueStalls                    uint32
	RowsRead, RowsWritten, LateRows, TagStalls, WriteStalls uint32

	MostReads               uint32 // maximum number in flight
	BytesRead, BytesWritten uint64
}

// Counters reads the performance counters.
func (d *Driver) Counters() (c Counters, err error) {
	word := func(offset uint64) (v uint32) {
		if err != nil {
			return 0
		}
		if v, err = d.dev.Read32(offset); err != nil {
			err = fmt.Errorf("driver: register %#02x: %w", offset, err)
		}
		if err != nil || v == math.MaxUint32 { // a counter may contain all ones
			if _, gone := d.register(arch.CSRID); gone != nil {
				err = gone
			}
		}
		return v
	}
	for _, r := range []struct {
		offset uint64
		to     *uint32
	}{
		{arch.CSRLookups, &c.Lookups}, {arch.CSRCacheHits, &c.CacheHits}, {arch.CSRHotLookups, &c.HotLookups},
		{arch.CSRLookupCycles, &c.LookupCycles}, {arch.CSRLearnCycles, &c.LearnCycles},
		{arch.CSRConflicts, &c.Conflicts}, {arch.CSRWindowStalls, &c.WindowStalls}, {arch.CSRQueueStalls, &c.QueueStalls},
		{arch.CSRRowsRead, &c.RowsRead}, {arch.CSRRowsWritten, &c.RowsWritten}, {arch.CSRLateRows, &c.LateRows},
		{arch.CSRTagStalls, &c.TagStalls}, {arch.CSRWriteStalls, &c.WriteStalls}, {arch.CSRReadsInFlight, &c.MostReads},
	} {
		*r.to = word(r.offset)
	}
	c.MostReads >>= arch.ReadsInFlightMostLow
	c.BytesRead = uint64(word(arch.CSRBytesReadLo)) | uint64(word(arch.CSRBytesReadHi))<<32
	c.BytesWritten = uint64(word(arch.CSRBytesWrittenLo)) | uint64(word(arch.CSRBytesWrittenHi))<<32
	if err != nil {
		return Counters{}, err
	}
	return c, nil
}
