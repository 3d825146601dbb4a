package driver_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// lasting returns a driver with retries.
func lasting(t *testing.T, dev driver.Device) *driver.Driver {
	d, err := driver.Open(dev, driver.Options{RingLog2: 3, Deadline: 100 * time.Millisecond, Retries: 2})
	require.NoError(t, err)
	return d
}

// resettable is a fake that supports external resets.
type resettable struct {
	*fake
	kinds []driver.ResetKind
	heal  driver.ResetKind // the reset that repairs the device
}

func (r *resettable) Reset(k driver.ResetKind) error {
	r.kinds = append(r.kinds, k)
	if k == r.heal {
		clear(r.gone)
		r.burst = nil
		return nil
	}
	return errors.New("no effect")
}

// TestRepeatedCommands: idempotent commands are repeated up to the limit. Other commands, and
// errors of the command itself, are reported immediately.
func TestRepeatedCommands(t *testing.T) {
	for _, c := range []struct {
		cmd    arch.Command
		status arch.Status
		fails  int
		runs   int
	}{
		{driver.Gather(0, 7), 1, 2, 3},
		{driver.Gather(0, 7), arch.StatusFetch, 1, 2},
		{driver.Gather(0, 7), 10, 5, 3},
		{driver.Gather(0, 7), arch.StatusNoInputs, 5, 1},
		{driver.Update(0, 64, 7), 1, 5, 1},
		{driver.Learn(0, 64, 7), arch.StatusCRC, 5, 1},
		{driver.DMARead(64, 64), 9, 5, 1},
	} {
		f := newFake()
		d := lasting(t, f)
		runs := 0
		f.run = func(id uint32, _ []byte) outcome {
			if runs++; runs <= c.fails {
				return outcome{status: c.status}
			}
			return outcome{value0: id}
		}
		_, err := d.Do(c.cmd)
		require.Equal(t, c.runs, runs)
		require.Equal(t, c.runs-1, d.Survived().Repeated)
		if c.fails < c.runs {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, &driver.StatusError{Command: c.cmd, Status: c.status}, err)
	}
}

// TestRetriesEnd: a command whose completions are all damaged fails after the last retry. A device
// that no reset repairs causes a permanent error.
func TestRetriesEnd(t *testing.T) {
	f := newFake()
	d := lasting(t, f)
	bad := true
	f.spoil = func(e []byte) {
		if bad {
			e[9] ^= 1
		}
	}
	_, err := d.Do(driver.Fence())
	var lost *driver.LostError
	require.ErrorAs(t, err, &lost)
	require.ErrorContains(t, err, "driver: the outcome of fence(0x0, 0x0, 0x0) is not known: driver: completion 2 has CRC ")
	require.Equal(t, driver.Survived{Repeated: 2, LostCompletions: 3}, d.Survived())
	bad = false
	_, err = d.Do(driver.Fence())
	require.NoError(t, err)

	r := &resettable{fake: newFake(), heal: driver.FunctionReset}
	d = lasting(t, r)
	r.burst = func() int { return 0 }
	for i := range 5 { // engine reset, function-level reset, then bus resets
		r.heal = min(driver.ResetKind(max(i-1, 0)), driver.BusReset)
		_, err = d.Do(driver.Fence())
		require.ErrorIs(t, err, driver.ErrReset)
		r.burst = func() int { return 0 }
	}
	require.Equal(t, []driver.ResetKind{driver.FunctionReset, driver.BusReset, driver.BusReset, driver.BusReset}, r.kinds)
	_, err = d.Do(driver.Fence())
	require.ErrorContains(t, err, "driver: 5 resets in sequence failed: driver: fence(0x0, 0x0, 0x0) is not answered")
	require.False(t, driver.Survivable(err))
}

// TestDamagedCompletionIsGivenUp: the command of a damaged completion is repeated or ends with an
// unknown outcome. Later commands are not affected.
func TestDamagedCompletionIsGivenUp(t *testing.T) {
	for _, cmd := range []arch.Command{driver.Fence(), driver.Update(0, 64, 1)} {
		f := newFake()
		d := lasting(t, f)
		n := 0
		f.spoil = func(e []byte) {
			if n++; n == 1 {
				e[9] ^= 1
			}
		}
		var outcomes []error
		note := func(_ driver.Completion, err error) { outcomes = append(outcomes, err) }
		require.NoError(t, d.Submit(cmd, note))
		require.NoError(t, d.Submit(driver.Fence(), note))
		require.NoError(t, d.Drain())
		require.Len(t, outcomes, 2)
		require.Equal(t, 1, d.Survived().LostCompletions)
		if driver.Idempotent(cmd.Opcode) {
			require.Equal(t, []error{nil, nil}, outcomes)
			continue
		}
		var lost *driver.LostError
		require.ErrorAs(t, outcomes[0], &lost)
		require.Equal(t, cmd, lost.Command)
		require.True(t, driver.Survivable(outcomes[0]))
		require.NoError(t, outcomes[1])
	}
}

// TestLostCompletion: the driver gives up a completion that the device has counted but that did not
// arrive.
func TestLostCompletion(t *testing.T) {
	f := newFake()
	d := lasting(t, f)
	n := 0
	f.spoil = func(e []byte) {
		if n++; n == 1 {
			clear(e) // as in the empty ring
		}
	}
	f.lost = func() bool { return n == 1 }
	_, err := d.Do(driver.Fence())
	require.NoError(t, err)
	require.Equal(t, driver.Survived{Repeated: 1, LostCompletions: 1}, d.Survived())
	require.Equal(t, 2*driver.InspectInterval, f.slept)
}

// TestLostCompletionIsNotFoundLater: the old contents of a lost completion's entry are not taken
// for a completion of the next pass.
func TestLostCompletionIsNotFoundLater(t *testing.T) {
	for _, at := range []int{1, 8, 9, 15, 17} { // on several passes through 8 entries
		f := newFake()
		d := lasting(t, f)
		n, lost := 0, 0
		f.drop = func() bool {
			n++
			return n == at
		}
		f.lost = func() bool { return n == at }
		for range 50 {
			got, err := d.Do(driver.Fence())
			require.NoError(t, err)
			if lost++; lost < at {
				require.EqualValues(t, lost, got.Value0)
			} else {
				require.EqualValues(t, lost+1, got.Value0, "its command was repeated")
			}
		}
		require.Equal(t, driver.Survived{Repeated: 1, LostCompletions: 1}, d.Survived())
	}
}

// TestCompletionsThatTheDeviceHasNotWritten: the driver resets the device if it took an entry that
// the device did not write.
func TestCompletionsThatTheDeviceHasNotWritten(t *testing.T) {
	f := newFake()
	d := lasting(t, f)
	_, err := d.Do(driver.Fence())
	require.NoError(t, err)
	cq, _ := f.ring(arch.CSRCQBaseLo, arch.CSRCQLog2)
	copy(cq[arch.CompletionBytes:], arch.Completion{ID: 2, Phase: true, Head: 2}.Encode())
	_, err = d.Do(driver.Update(0, 64, 1))
	require.NoError(t, err, "it looks like the completion of the device")
	_, err = d.Do(driver.Fence())
	require.ErrorIs(t, err, driver.ErrReset)
	require.ErrorContains(t, err, "driver: the device has written completions up to 1, and 2 was taken")
}

// TestLostRelease: the driver recovers if the write that returns completion entries is lost and the
// device's ring is full.
func TestLostRelease(t *testing.T) {
	f := newFake()
	d, err := driver.Open(f, driver.Options{RingLog2: 1, Deadline: 100 * time.Millisecond, Retries: 2})
	require.NoError(t, err)
	two := func() {
		for range 2 {
			require.NoError(t, d.Submit(driver.Fence(), func(_ driver.Completion, err error) { require.NoError(t, err) }))
		}
		require.NoError(t, d.Drain())
	}
	two()
	f.regs[arch.CSRCQHead] = 0
	two()
	require.Zero(t, d.Survived())
	require.Equal(t, driver.InspectInterval, f.slept)
}

// TestLostDoorbell: the driver repeats a doorbell that the device has not seen.
func TestLostDoorbell(t *testing.T) {
	f := newFake()
	d := lasting(t, f)
	dropped := false
	f.burst = func() int {
		if !dropped {
			dropped, f.regs[arch.CSRSQTail] = true, 0
		}
		return 9
	}
	_, err := d.Do(driver.Fence())
	require.NoError(t, err)
	require.Equal(t, driver.Survived{LostDoorbells: 1}, d.Survived())
	require.Equal(t, driver.InspectInterval, f.slept)
}

// TestResets: an unresponsive device is reset, starting at the mildest recovery level. The commands
// in the ring end with ErrReset, and the driver continues.
func TestResets(t *testing.T) {
	for _, heal := range []driver.ResetKind{driver.FunctionReset, driver.BusReset} {
		r := &resettable{fake: newFake(), heal: heal}
		d := lasting(t, r)
		var actions []string
		d.OnRecovery(func(what string) { actions = append(actions, what) })
		_, err := d.Do(driver.Fence())
		require.NoError(t, err)
		r.burst = func() int { return 0 }
		r.gone[arch.CSRID] = true
		_, err = d.Do(driver.Fence())
		require.ErrorIs(t, err, driver.ErrReset)
		require.True(t, driver.Survivable(err))
		require.Zero(t, d.Pending())
		require.Equal(t, []string{heal.String()}, actions)
		require.Equal(t, 1, d.Survived().Resets)
		r.head, r.tail = 0, 0
		_, err = d.Do(driver.Fence())
		require.NoError(t, err)
	}
}

// TestResetsThatDoNotHelp: the number of consecutive resets is limited.
func TestResetsThatDoNotHelp(t *testing.T) {
	f := newFake()
	d := lasting(t, f)
	f.burst = func() int { return 0 }
	_, err := d.Do(driver.Fence())
	require.ErrorIs(t, err, driver.ErrReset, "the engines were reset")
	_, err = d.Do(driver.Fence())
	require.ErrorContains(t, err, "driver: the device cannot be reset: function-level reset: there is no such reset\nbus reset: there is no such reset; after driver: fence(0x0, 0x0, 0x0) is not answered")
	require.False(t, driver.Survivable(err))
}

// TestVerify: Verify compares checksums, for pieces in any order.
func TestVerify(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	a, b := make([]byte, 16), make([]byte, 32)
	a[3], b[20] = 7, 9
	pieces := func(list ...[]byte) func(add func([]byte)) error {
		return func(add func([]byte)) error {
			for _, p := range list {
				add(p)
			}
			return nil
		}
	}
	zeros := make([]byte, 16)
	sum := checksum(a) + checksum(b[:16]) + checksum(b[16:])
	c := driver.Completion{Command: driver.Gather(0, 1), Sum: sum}
	require.NoError(t, d.Verify(c, pieces(b, a)))
	require.NoError(t, d.Verify(c, pieces(a, b)))
	require.Equal(t, &driver.LostWriteError{Command: c.Command, Sent: sum, There: sum - checksum(a) + checksum(zeros)}, d.Verify(c, pieces(zeros, b)))
	require.ErrorIs(t, d.Verify(c, func(func([]byte)) error { return errBroken }), errBroken)
	for bit := range 32 {
		damaged := c
		damaged.Sum ^= 1 << bit
		require.Error(t, d.Verify(damaged, pieces(a, b)), "bit %d of the sum", bit)
	}
}

// TestFiguresOfTheDocument checks the table in docs/reference/reliability.md.
func TestFiguresOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	o := driver.DefaultOptions()
	for _, row := range []string{
		"without an interrupt after | " + driver.PollInterval.String() + " |",
		"seen a part | " + driver.PollInterval.String() + " at least, " + (2 * driver.PollInterval).String() + " at most |",
		"seen and done after | " + driver.InspectInterval.String() + " |",
		"gives up a command after | " + o.Deadline.String() + " |",
	} {
		require.Contains(t, string(text), row)
	}
	require.Equal(t, 2, o.Retries)
	require.Regexp(t, regexp.MustCompile(`repeats a command at most \| 2 times`), string(text))
}

// TestIdempotent: docs/reference/reliability.md lists the idempotent commands.
func TestIdempotent(t *testing.T) {
	text, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	var list []string
	for o := range arch.Opcode(255) {
		if driver.Idempotent(o) {
			list = append(list, "`"+o.String()+"`")
		}
	}
	require.Contains(t, string(text), "**A command that may be repeated** ("+strings.Join(list, ", ")+")")
}
