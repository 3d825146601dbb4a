package driver

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Options of Open.
type Options struct {
	// RingLog2 is log2 of the entries of both rings, 1 to arch.MaxRingLog2.
	RingLog2 int
	// Deadline, above 0, is how long a command may take once those before it are
	// done, on the device's clock.
	Deadline time.Duration
	// Retries is how often a command that may be repeated is, and how often in a row
	// the device is reset, before a fault is an error. With 0 the first one is, and
	// if the device does not answer or answers nonsense it ends all.
	Retries int
}

// PollInterval is how long the driver sleeps at most, on the device's clock,
// before it looks into the completion ring without an interrupt: what a lost
// interrupt costs.
const PollInterval = time.Millisecond

// DefaultOptions are rings of 256 entries, a deadline of a second and two retries.
func DefaultOptions() Options { return Options{RingLog2: 8, Deadline: time.Second, Retries: 2} }

// ErrGone says that the device does not answer any more: it cannot be read, or
// reads as all ones, as a device does that lost its power or link.
var ErrGone = errors.New("driver: the device is gone")

// Driver drives one accelerator.
type Driver struct {
	dev      Device
	opts     Options
	geometry arch.Geometry
	sq, cq   DMA
	tail     uint16 // command ring: next entry to write
	rung     uint16 // command ring: as the device was told
	head     uint16 // completion ring: next entry to read
	released uint16 // completion ring: entries before this one are the device's again
	nextID   uint32
	waiting  []submitted // in ring order
	empty    int         // interrupts in a row that came without a completion
	lost     int         // interrupts
	recovery recovery
	closed   bool
	entry    [arch.CompletionBytes]byte
	next     arch.Completion // in entry, if it has arrived
	partial  bool            // entry has the phase of a new completion, but not its CRC
}

// submitted is a command without completion.
type submitted struct {
	id    uint32
	cmd   arch.Command
	done  func(Completion, error)
	tries int // before this one
}

// Open finds the device's sizes, resets it, whatever a driver before has left,
// programmes its rings and enables it.
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

// reset resets the device, which first lets what is under way come to an end.
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

// Geometry are the device's sizes.
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

// register reads a register that never holds all ones.
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

// allocate takes memory for the rings.
func (d *Driver) allocate() (err error) {
	n := 1 << d.opts.RingLog2
	if d.sq, err = d.dev.AllocDMA(n * arch.CommandBytes); err != nil {
		return err
	}
	d.cq, err = d.dev.AllocDMA(n * arch.CompletionBytes)
	return err
}

// rings programmes the empty rings into the device and enables it.
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

// LostInterrupts counts the sleeps that ended with a completion in the ring, but
// without its interrupt.
func (d *Driver) LostInterrupts() int { return d.lost }

// Counters are the device's performance counters, modulo 2^32 but for the bytes. What
// they count stands in package arch.
type Counters struct {
	Lookups, CacheHits, HotLookups, LookupCycles, LearnCycles uint32

	Conflicts, WindowStalls, QueueStalls                    uint32
	RowsRead, RowsWritten, LateRows, TagStalls, WriteStalls uint32

	MostReads               uint32 // in flight at once
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
		if err != nil || v == math.MaxUint32 { // which a counter may well hold
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
