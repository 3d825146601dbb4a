package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
)

// Options of Open.
type Options struct {
	// RingLog2 is log2 of the entries of both rings, 1 to 15.
	RingLog2 int
	// Deadline is how long a command may take before the driver gives up on it,
	// on the device's clock.
	Deadline time.Duration
}

// DefaultOptions are rings of 256 entries and a deadline of a second.
func DefaultOptions() Options { return Options{RingLog2: 8, Deadline: time.Second} }

// ErrGone says that the device does not answer any more.
var ErrGone = errors.New("driver: the device is gone: its registers read all ones")

// Geometry is what the device says about its sizes.
type Geometry struct {
	Engines, Banks, Blocks, Ways int
	StreamBytes, Tags            int
	HalfWords                    int // words of a mini-batch, inputs times lookups
	Slots, Tables, GPUs          int
	IDBits, VectorValues         int
}

// Driver drives one accelerator.
type Driver struct {
	dev      Device
	opts     Options
	geometry Geometry
	sq, cq   DMA
	tail     uint16 // command ring: next entry to write
	free     uint16 // command ring: entries before this one are consumed
	head     uint16 // completion ring: next entry to read
	nextID   uint32
	waiting  []submitted // in ring order
}

// submitted is a command without completion.
type submitted struct {
	id   uint32
	cmd  Command
	done func(Completion, error)
}

// Open finds the device's sizes, programmes its rings and enables it.
func Open(dev Device, opts Options) (*Driver, error) {
	if opts.RingLog2 < 1 || opts.RingLog2 > 15 {
		return nil, fmt.Errorf("driver: ring of 2^%d entries, expected 2^1 to 2^15", opts.RingLog2)
	}
	d := &Driver{dev: dev, opts: opts}
	if err := d.identify(); err != nil {
		return nil, err
	}
	if err := d.rings(); err != nil {
		return nil, err
	}
	return d, nil
}

// Geometry are the device's sizes.
func (d *Driver) Geometry() Geometry { return d.geometry }

func (d *Driver) identify() error {
	var words [7]uint32
	for i, at := range []uint64{CSRID, CSRVersion, CSRCaps0, CSRCaps1, CSRCaps2, CSRCaps3, CSRCaps4} {
		v, err := d.dev.Read32(at)
		if err != nil {
			return err
		}
		words[i] = v
	}
	if words[0] == 0xffffffff {
		return ErrGone
	}
	if words[0] != ID || words[1]>>16 != Version>>16 {
		return fmt.Errorf("driver: device has id %#x version %#x, expected %#x and %#x", words[0], words[1], uint32(ID), uint32(Version))
	}
	log := func(w uint32, shift int) int { return 1 << (w >> shift & 0xff) }
	d.geometry = Geometry{
		Engines: log(words[2], 0), Banks: log(words[2], 8), Blocks: log(words[2], 16), Ways: log(words[2], 24),
		StreamBytes: int(words[3] & 0xffff), Tags: int(words[3] >> 16), HalfWords: int(words[4]),
		Slots: int(words[5] & 0xffff), Tables: int(words[5] >> 16),
		IDBits: int(words[6] & 0xff), GPUs: int(words[6] >> 8 & 0xff), VectorValues: int(words[6] >> 16),
	}
	return nil
}

func (d *Driver) rings() (err error) {
	n := 1 << d.opts.RingLog2
	if d.sq, err = d.dev.AllocDMA(n * CommandBytes); err != nil {
		return err
	}
	if d.cq, err = d.dev.AllocDMA(n * CompletionBytes); err != nil {
		return err
	}
	if err := d.dev.EnableVector(0); err != nil {
		return err
	}
	for _, w := range []struct {
		offset uint64
		value  uint32
	}{
		{CSRSQBaseLo, uint32(d.sq.Address())}, {CSRSQBaseHi, uint32(d.sq.Address() >> 32)}, {CSRSQLog2, uint32(d.opts.RingLog2)},
		{CSRCQBaseLo, uint32(d.cq.Address())}, {CSRCQBaseHi, uint32(d.cq.Address() >> 32)}, {CSRCQLog2, uint32(d.opts.RingLog2)},
		{CSRSQTail, 0}, {CSRCQHead, 0}, {CSRControl, 1},
	} {
		if err := d.dev.Write32(w.offset, w.value); err != nil {
			return err
		}
	}
	return nil
}

// Submit puts a command into the ring; done is called with its outcome from
// within Poll. It waits for room if the ring is full.
func (d *Driver) Submit(c Command, done func(Completion, error)) error {
	for d.tail-d.free == 1<<d.opts.RingLog2 {
		if err := d.wait(); err != nil {
			return err
		}
	}
	d.nextID++
	slot := int(d.tail) & (1<<d.opts.RingLog2 - 1)
	if err := d.sq.Write(slot*CommandBytes, c.encode(d.nextID)); err != nil {
		return err
	}
	d.tail++
	d.waiting = append(d.waiting, submitted{d.nextID, c, done})
	return d.dev.Write32(CSRSQTail, uint32(d.tail))
}

// Pending is the number of commands without completion.
func (d *Driver) Pending() int { return len(d.waiting) }

// Do submits a command and waits for its completion. A status other than 0 is
// a *StatusError.
func (d *Driver) Do(c Command) (Completion, error) {
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

// wait sleeps until an interrupt and takes the completions that are there.
func (d *Driver) wait() error {
	if n, err := d.Poll(); n > 0 || err != nil {
		return err
	}
	if err := d.dev.Wait(d.opts.Deadline); err != nil {
		return d.diagnose(err)
	}
	_, err := d.Poll()
	return err
}

// diagnose adds to a failed wait what the device says about itself.
func (d *Driver) diagnose(cause error) error {
	id, err := d.dev.Read32(CSRID)
	if err == nil && id != 0xffffffff {
		status, _ := d.dev.Read32(CSRStatus)
		head, _ := d.dev.Read32(CSRSQHead)
		oldest := "no command"
		if len(d.waiting) > 0 {
			oldest = d.waiting[0].cmd.String()
		}
		return fmt.Errorf("driver: %s is not answered (command ring: device at %d, driver at %d, device status %#x): %w", oldest, uint16(head), d.tail, status, cause)
	}
	return errors.Join(ErrGone, cause)
}

// Poll takes the completions that have arrived and calls what Submit was given.
// It returns their number.
func (d *Driver) Poll() (int, error) {
	n := 0
	for {
		entry := make([]byte, CompletionBytes)
		slot := int(d.head) & (1<<d.opts.RingLog2 - 1)
		if err := d.cq.Read(slot*CompletionBytes, entry); err != nil {
			return n, err
		}
		phase := d.head>>d.opts.RingLog2&1 == 0 // 1 on the first pass
		if entry[6]&1 != 0 != phase {
			break
		}
		if err := d.take(entry); err != nil {
			return n, err
		}
		n++
	}
	if n > 0 {
		return n, d.dev.Write32(CSRCQHead, uint32(d.head))
	}
	return 0, nil
}

// take checks a completion and hands it out.
func (d *Driver) take(entry []byte) error {
	le := binary.LittleEndian
	if got, want := le.Uint32(entry[28:]), crc32.Checksum(entry[:28], castagnoli); got != want {
		return fmt.Errorf("driver: completion %d has CRC %08x, expected %08x: % x", d.head, got, want, entry)
	}
	if len(d.waiting) == 0 {
		return fmt.Errorf("driver: completion %d for command %d, but none is outstanding", d.head, le.Uint32(entry))
	}
	s := d.waiting[0]
	if id := le.Uint32(entry); id != s.id {
		return fmt.Errorf("driver: completion %d is for command %d, expected %d (%v)", d.head, id, s.id, s.cmd)
	}
	d.waiting = d.waiting[1:]
	d.head++
	d.free = uint16(le.Uint32(entry[16:]))
	c := Completion{Command: s.cmd, Status: entry[4], Value0: le.Uint32(entry[8:]), Value1: le.Uint32(entry[12:])}
	var err error
	if c.Status != StatusOK {
		err = &StatusError{s.cmd, c.Status}
	}
	s.done(c, err)
	return nil
}

// Counters are the device's performance counters, modulo 2^32.
type Counters struct {
	Lookups, CacheHits, LookupCycles, RowsRead, RowsWritten uint32
}

// Counters reads the performance counters.
func (d *Driver) Counters() (Counters, error) {
	var c Counters
	for _, r := range []struct {
		offset uint64
		to     *uint32
	}{{CSRLookups, &c.Lookups}, {CSRCacheHits, &c.CacheHits}, {CSRLookupCycles, &c.LookupCycles}, {CSRRowsRead, &c.RowsRead}, {CSRRowsWritten, &c.RowsWritten}} {
		v, err := d.dev.Read32(r.offset)
		if err != nil {
			return c, err
		}
		*r.to = v
	}
	return c, nil
}
