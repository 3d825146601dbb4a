package driver_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestManyLaps runs more than 2^16 commands through rings of several sizes, in bursts of random
// length on both sides.
func TestManyLaps(t *testing.T) {
	for _, c := range []struct{ log2, commands int }{{1, 70_000}, {3, 70_000}, {8, 140_000}, {14, 70_000}, {15, 140_000}} {
		t.Run(fmt.Sprintf("2^%d entries", c.log2), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(c.log2), 1))
			f := newFake()
			entries := 1 << c.log2
			f.burst = func() int { return 1 + rng.IntN(2*entries) }
			f.run = func(id uint32, raw []byte) outcome {
				return outcome{value0: binary.LittleEndian.Uint32(raw[8:]), value1: ^id}
			}
			d := open(t, f, c.log2)
			next := 0 // next command to complete
			for i := range c.commands {
				err := d.Submit(driver.SWrite(i, 0), func(got driver.Completion, err error) {
					if err != nil || got.Value0 != uint32(next) || got.Value1 != ^uint32(next+1) || got.Command.Operand1 != uint64(next) {
						t.Fatalf("completion %d: %+v, %v", next, got, err)
					}
					next++
				})
				require.NoError(t, err)
				if d.Pending() > entries {
					t.Fatalf("%d commands in a ring of %d", d.Pending(), entries)
				}
				if rng.IntN(2*entries) == 0 {
					require.NoError(t, d.Drain())
				}
			}
			require.NoError(t, d.Drain())
			require.Equal(t, c.commands, next)
			require.Equal(t, uint16(c.commands), f.tail)
			require.EqualValues(t, f.tail, f.regs[arch.CSRCQHead])
		})
	}
}

// TestFullRing: a command for a full ring waits, and no entry is overwritten before it is read.
func TestFullRing(t *testing.T) {
	f := newFake()
	d := open(t, f, 2)
	done := 0
	submit := func() { require.NoError(t, d.Submit(driver.Fence(), func(driver.Completion, error) { done++ })) }
	for range 4 {
		submit()
	}
	require.Zero(t, f.waits)
	f.burst = func() int { return 1 }
	submit()
	require.Equal(t, 1, f.waits)
	require.Equal(t, 1, done)
	require.Equal(t, 4, d.Pending())
	require.NoError(t, d.Drain())
	require.Equal(t, 5, done)
}

// TestSubmitFromCompletion keeps a full ring full by submitting from completion callbacks.
func TestSubmitFromCompletion(t *testing.T) {
	f := newFake()
	d := open(t, f, 1)
	var order []uint32
	left := 20
	var done func(driver.Completion, error)
	done = func(c driver.Completion, err error) {
		require.NoError(t, err)
		order = append(order, c.Value0)
		for range 2 {
			if left > 0 {
				left--
				require.NoError(t, d.Submit(driver.Fence(), done))
			}
		}
	}
	require.NoError(t, d.Submit(driver.Fence(), done))
	require.NoError(t, d.Drain())
	require.Len(t, order, 21)
	require.IsIncreasing(t, order)
}

func TestPoll(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	n, err := d.Poll()
	require.NoError(t, err)
	require.Zero(t, n)
	var got []uint32
	for range 3 {
		require.NoError(t, d.Submit(driver.Fence(), func(c driver.Completion, _ error) { got = append(got, c.Value0) }))
	}
	require.NoError(t, d.Ring())
	for f.step() {
	}
	before := len(f.written)
	n, err = d.Poll()
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, []uint32{1, 2, 3}, got)
	require.Equal(t, []string{"50=3"}, f.written[before:], "one write gives all entries back")
	require.Zero(t, f.waits)
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = d.Poll() }))
}

// TestBatches: a doorbell covers all pending commands, at most Batch.
func TestBatches(t *testing.T) {
	f := newFake()
	d := open(t, f, 6)
	submit := func(n int) (doorbells []string) {
		before := len(f.written)
		for range n {
			require.NoError(t, d.Submit(driver.Fence(), func(driver.Completion, error) {}))
		}
		return f.written[before:]
	}
	require.Empty(t, submit(driver.Batch-1))
	require.Equal(t, []string{"3c=10"}, submit(1))
	require.Equal(t, []string{"3c=20"}, submit(driver.Batch+3))
	for _, tell := range []func() error{
		d.Ring,
		func() error { _, err := d.Poll(); return err },
		d.Drain,
		func() error { _, err := d.Do(driver.Fence()); return err },
	} {
		before := len(f.written)
		submit(1)
		require.NoError(t, tell())
		doorbells := 0
		for _, w := range f.written[before:] {
			if strings.HasPrefix(w, "3c=") {
				doorbells++
			}
		}
		require.Equal(t, 1, doorbells)
		require.NoError(t, d.Drain())
	}
	before := len(f.written)
	require.NoError(t, d.Ring())
	require.Empty(t, f.written[before:], "the device knows of all")
}

// TestLateInterrupt: an interrupt whose completion was already polled is not an error.
func TestLateInterrupt(t *testing.T) {
	f := newFake()
	d := open(t, f, 1)
	for range 50 {
		require.NoError(t, d.Submit(driver.Fence(), func(driver.Completion, error) {}))
		require.NoError(t, d.Ring())
		require.True(t, f.step())
		f.noise = 1
		require.NoError(t, d.Drain())
		_, err := d.Do(driver.Fence())
		require.NoError(t, err)
	}
}

func TestStatusErrors(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	for status, want := range map[arch.Status]string{
		1:                    "completion timeout",
		2:                    "parity error",
		8:                    "function-level reset",
		9:                    "poisoned data",
		10:                   "unsupported request",
		11:                   "completer abort",
		12:                   "data missing",
		arch.StatusOpcode:    "unknown opcode",
		arch.StatusCRC:       "bad command CRC",
		arch.StatusRange:     "operand out of range",
		arch.StatusFetch:     "the command could not be read",
		arch.StatusRowsFull:  "too many rows are ahead",
		arch.StatusNoRow:     "no row is ahead",
		arch.StatusRowsAhead: "a row is ahead",
		arch.StatusNoVector:  "the vector buffer is empty",
		arch.StatusNoInputs:  "the half does not hold these inputs",
		99:                   "status(99)",
	} {
		f.run = func(uint32, []byte) outcome { return outcome{status: status, value0: 5} }
		c, err := d.Do(driver.Gather(1, 64))
		require.Equal(t, &driver.StatusError{Command: driver.Gather(1, 64), Status: status}, err)
		require.EqualError(t, err, fmt.Sprintf("driver: gather(0x0, 0x40, 0x0) failed: %s (status %d)", want, status))
		require.Equal(t, driver.Completion{Command: driver.Gather(1, 64), Status: status, Value0: 5}, c)
	}
	f.run = nil
	_, err := d.Do(driver.Fence())
	require.NoError(t, err, "the ring goes on")
}

// TestUnreadCommand: the completion of a command that the device could not read has no id.
func TestUnreadCommand(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	f.run = func(id uint32, _ []byte) outcome {
		if id == 2 {
			f.spoil = func(e []byte) { clear(e[:4]); sign(e) }
			return outcome{status: arch.StatusFetch}
		}
		f.spoil = nil
		return outcome{}
	}
	var got []arch.Status
	for range 3 {
		require.NoError(t, d.Submit(driver.Fence(), func(c driver.Completion, _ error) { got = append(got, c.Status) }))
	}
	require.NoError(t, d.Drain())
	require.Equal(t, []arch.Status{0, arch.StatusFetch, 0}, got)
}

func TestCommandDamagedInMemory(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	var got error
	require.NoError(t, d.Submit(driver.Fence(), func(_ driver.Completion, err error) { got = err }))
	f.memory[0x5_0000_0000].data[17] ^= 4
	require.NoError(t, d.Drain())
	require.EqualError(t, got, "driver: fence(0x0, 0x0, 0x0) failed: bad command CRC (status 33)")
}

func TestFullRingThatIsNotAnswered(t *testing.T) {
	f := newFake()
	d := open(t, f, 1)
	f.burst = func() int { return 0 }
	for range 2 {
		require.NoError(t, d.Submit(driver.Fence(), nil))
	}
	require.ErrorIs(t, d.Submit(driver.Fence(), nil), errQuiet)
	require.Equal(t, 2, d.Pending())
}

// TestCompletionInTwoPieces: a partially written completion is not recognized as a completion, for
// every split and on every pass through the ring.
func TestCompletionInTwoPieces(t *testing.T) {
	for _, upperFirst := range []bool{false, true} {
		f := newFake()
		d := open(t, f, 1)
		looks := 0
		f.torn = func(entry, all []byte) {
			cut := 4 * (1 + looks%7)
			pieces := [][2]int{{0, cut}, {cut, len(all)}}
			if upperFirst {
				slices.Reverse(pieces)
			}
			copy(entry[pieces[0][0]:], all[pieces[0][0]:pieces[0][1]])
			n, err := d.Poll()
			require.NoError(t, err)
			require.Zero(t, n, "bytes %d to %d are there", pieces[0][0], pieces[0][1])
			looks++
			copy(entry[pieces[1][0]:], all[pieces[1][0]:pieces[1][1]])
		}
		for i := range 70 {
			got, err := d.Do(driver.Fence())
			require.NoError(t, err)
			require.EqualValues(t, i+1, got.Value0)
		}
		require.Equal(t, 70, looks)
		require.Zero(t, d.Survived())
		require.Zero(t, f.slept)
	}
}

// TestPartOfACompletion: the rest of a completion may arrive up to one PollInterval later. A
// completion that stays partial counts as damaged.
func TestPartOfACompletion(t *testing.T) {
	for _, late := range []struct {
		waits  int
		slept  time.Duration
		counts driver.Survived
	}{
		{0, 0, driver.Survived{}},
		{1, 2 * driver.PollInterval, driver.Survived{}},
		{9, 2 * driver.PollInterval, driver.Survived{Repeated: 1, LostCompletions: 1}},
	} {
		f := newFake()
		d := lasting(t, f)
		n := 0
		f.torn = func(entry, all []byte) {
			if n++; n > 1 {
				copy(entry, all)
				return
			}
			copy(entry[:16], all)
			rest := late.waits
			f.burst = func() int { // called in each Wait
				if rest--; rest <= 0 && n == 1 {
					copy(entry[16:], all[16:])
				}
				return 9
			}
			if late.waits == 0 {
				copy(entry[16:], all[16:])
			}
		}
		f.lost = func() bool { return n == 1 && late.waits > 0 }
		got, err := d.Do(driver.Fence())
		require.NoError(t, err)
		require.NotZero(t, got.Value0)
		require.Equal(t, late.counts, d.Survived())
		require.Equal(t, late.slept, f.slept, "%d waits", late.waits)
	}
}
