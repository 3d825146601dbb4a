package driver_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errQuiet   = fmt.Errorf("no interrupt: %w", os.ErrDeadlineExceeded)
	errBroken  = errors.New("broken")
)

// fake is a device in memory. It executes commands while the driver waits.
type fake struct {
	regs    map[uint64]uint32
	written []string // register writes, in order
	next    uint64   // address of the next allocation
	memory  map[uint64]*area

	head, tail uint16 // next command to run, next completion to write
	raised     bool   // an interrupt that Wait has not reported
	resets     int    // number of reads of the control register until a reset is over
	resetting  int    // number of these reads still to come
	waits      int
	slept      time.Duration // in Waits without interrupt

	burst   func() int                          // number of commands to run in a Wait; nil: all
	run     func(id uint32, raw []byte) outcome // nil: ok, with the id as value 0
	spoil   func(entry []byte)                  // changes a completion before it is written; nil: no change
	drop    func() bool                         // reports whether a completion is lost; nil: none
	lost    func() bool                         // reports whether an interrupt is lost; nil: none
	noise   int                                 // number of Waits that return without a cause; -1: unlimited
	failed  error                               // error of every Wait; nil: none
	gone    map[uint64]bool                     // registers that read all ones
	torn    func(entry, all []byte)             // writes a completion to its entry; nil: in one piece
	failing map[string]int                      // by operation: the index of the failing call, from 1
}

type outcome struct {
	status         arch.Status
	value0, value1 uint32
}

// area is DMA memory.
type area struct {
	f    *fake
	at   uint64
	data []byte
}

func newFake() *fake {
	f := &fake{regs: map[uint64]uint32{}, next: 0x5_0000_0000, memory: map[uint64]*area{}, gone: map[uint64]bool{}, failing: map[string]int{}}
	for offset, v := range map[uint64]uint32{
		arch.CSRID: 0x484f544c, arch.CSRVersion: 0x00020003,
		arch.CSRCaps0: 0x030c0304, arch.CSRCaps1: 0x00200010, arch.CSRCaps2: 16384, arch.CSRCaps3: 0x00200040, arch.CSRCaps4: 0x00800416,
	} {
		f.regs[offset] = v
	}
	return f
}

// fails counts a call of an operation and returns its error.
func (f *fake) fails(op string) error {
	if n, ok := f.failing[op]; ok {
		if f.failing[op]--; n == 1 {
			return fmt.Errorf("%s: %w", op, errBroken)
		}
	}
	return nil
}

func (f *fake) Read32(offset uint64) (uint32, error) {
	if err := f.fails("read"); err != nil {
		return math.MaxUint32, err
	}
	if f.gone[offset] {
		return math.MaxUint32, nil
	}
	if offset == arch.CSRSQHead {
		return uint32(f.head), nil
	}
	if offset == arch.CSRCQTail {
		return uint32(f.tail), nil
	}
	if offset == arch.CSRControl && f.resetting > 0 {
		f.resetting--
		return 2, nil
	}
	return f.regs[offset], nil
}

func (f *fake) Write32(offset uint64, v uint32) error {
	if offset == arch.CSRControl && v == 2 {
		f.regs[offset], f.resetting = 0, f.resets
		f.written = append(f.written, "reset")
		return f.fails("write")
	}
	f.regs[offset] = v
	f.written = append(f.written, fmt.Sprintf("%02x=%x", offset, v))
	return f.fails("write")
}

func (f *fake) AllocDMA(n int) (driver.DMA, error) {
	a := &area{f, f.next, make([]byte, n)}
	f.memory[a.at] = a
	f.next += 1 << 32
	return a, f.fails("alloc")
}

func (f *fake) EnableVector(i int) error {
	f.written = append(f.written, fmt.Sprintf("vector %d", i))
	return f.fails("vector")
}

func (f *fake) Wait(timeout time.Duration) error {
	f.waits++
	if f.noise != 0 {
		f.noise--
		return nil
	}
	n := math.MaxInt
	if f.burst != nil {
		n = f.burst()
	}
	for range n {
		if !f.step() {
			break
		}
	}
	if f.failed != nil {
		return f.failed
	}
	arrives := f.raised && (f.lost == nil || !f.lost())
	f.raised = false
	if !arrives {
		f.slept += timeout
		return errQuiet
	}
	return nil
}

func (a *area) Address() uint64 { return a.at }
func (a *area) Size() int       { return len(a.data) }

func (a *area) Read(offset int, p []byte) error {
	copy(p, a.data[offset:][:len(p)])
	return a.f.fails("dma read")
}

func (a *area) Write(offset int, p []byte) error {
	copy(a.data[offset:][:len(p)], p)
	return a.f.fails("dma write")
}

// ring returns the memory of a ring and its number of entries, according to its registers.
func (f *fake) ring(base, log2 uint64) ([]byte, uint16) {
	a := f.memory[uint64(f.regs[base])|uint64(f.regs[base+4])<<32]
	return a.data, 1 << f.regs[log2]
}

// step runs a command. It returns false if there is no command or no free completion entry.
func (f *fake) step() bool {
	if f.regs[arch.CSRControl] != 1 {
		return false
	}
	sq, entries := f.ring(arch.CSRSQBaseLo, arch.CSRSQLog2)
	if f.head == uint16(f.regs[arch.CSRSQTail]) || f.tail-uint16(f.regs[arch.CSRCQHead]) >= entries {
		return false
	}
	raw := sq[int(f.head%entries)*arch.CommandBytes:][:arch.CommandBytes]
	id := binary.LittleEndian.Uint32(raw[4:])
	got := outcome{value0: id}
	if f.run != nil {
		got = f.run(id, raw)
	}
	if crc32.Checksum(raw[:60], castagnoli) != binary.LittleEndian.Uint32(raw[60:]) {
		got.status = arch.StatusCRC
	}
	f.head++
	f.complete(id, got)
	return true
}

// complete writes a completion.
func (f *fake) complete(id uint32, o outcome) {
	cq, entries := f.ring(arch.CSRCQBaseLo, arch.CSRCQLog2)
	phase := uint32(0)
	if f.tail/entries%2 == 0 {
		phase = 1
	}
	le := binary.LittleEndian
	e := make([]byte, 0, arch.CompletionBytes)
	for _, w := range []uint32{id, uint32(o.status) | phase<<16, o.value0, o.value1, uint32(f.head), 0, 0} {
		e = le.AppendUint32(e, w)
	}
	e = le.AppendUint32(e, crc32.Checksum(e, castagnoli))
	if f.spoil != nil {
		f.spoil(e)
	}
	at := cq[int(f.tail%entries)*arch.CompletionBytes:][:arch.CompletionBytes]
	switch {
	case f.drop != nil && f.drop():
	case f.torn != nil:
		f.torn(at, e)
	default:
		copy(at, e)
	}
	f.tail++
	f.raised = true
}

func checksum(p []byte) uint32 { return crc32.Checksum(p, castagnoli) }

// sign sets the CRC of a modified completion.
func sign(e []byte) { binary.LittleEndian.PutUint32(e[28:], crc32.Checksum(e[:28], castagnoli)) }

func open(t *testing.T, f *fake, log2 int) *driver.Driver {
	d, err := driver.Open(f, driver.Options{RingLog2: log2, Deadline: time.Millisecond})
	require.NoError(t, err)
	return d
}
