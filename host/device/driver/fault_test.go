package driver_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestDamagedCompletions: an invalid completion causes a permanent error, and the command gets no
// outcome.
func TestDamagedCompletions(t *testing.T) {
	le := binary.LittleEndian
	for _, c := range []struct {
		name  string
		spoil func(e []byte)
		want  string
	}{
		{"CRC", func(e []byte) { e[8] ^= 1 },
			"driver: completion 2 has CRC 4258a6e7, expected 751b515a: 03 00 00 00 00 00 01 00 02 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 00 00 00 00 e7 a6 58 42"},
		{"all ones", func(e []byte) {
			for i := range e {
				e[i] = 0xff
			}
		}, "driver: completion 2 has CRC ffffffff, expected 6a9e93d5: " +
			"ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff"},
		{"command id", func(e []byte) { le.PutUint32(e, 4); sign(e) },
			"driver: completion 2 is for command 4, expected 3: gather(0x0, 0x7, 0x0)"},
		{"ring index", func(e []byte) { le.PutUint32(e[16:], 4); sign(e) },
			"driver: completion 2 says that command 4 is the next, expected 3: gather(0x0, 0x7, 0x0)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake()
			d := open(t, f, 3)
			for range 2 {
				_, err := d.Do(driver.Fence())
				require.NoError(t, err)
			}
			f.spoil = c.spoil
			outcomes := 0
			require.NoError(t, d.Submit(driver.Gather(0, 7), func(driver.Completion, error) { outcomes++ }))
			require.NoError(t, d.Submit(driver.Fence(), func(driver.Completion, error) { outcomes++ }))
			require.EqualError(t, d.Drain(), c.want)
			require.EqualError(t, d.Drain(), c.want)
			require.Zero(t, outcomes)
		})
	}
}

// TestEachBitOfACompletion flips each bit of a completion. No such completion gives its command an
// outcome. The same holds for completions with a valid CRC and one wrong bit in the command id or
// the consumer index.
func TestEachBitOfACompletion(t *testing.T) {
	flip := func(bit int) func([]byte) { return func(e []byte) { e[bit/8] ^= 1 << (bit % 8) } }
	refused := func(spoil func([]byte), what string, bit int) {
		f := newFake()
		d := open(t, f, 3)
		_, err := d.Do(driver.Fence())
		require.NoError(t, err)
		f.spoil = spoil
		outcomes := 0
		require.NoError(t, d.Submit(driver.Gather(0, 7), func(driver.Completion, error) { outcomes++ }))
		require.Error(t, d.Drain(), "%s %d", what, bit)
		require.Zero(t, outcomes, "%s %d", what, bit)
	}
	for bit := range 8 * arch.CompletionBytes {
		refused(flip(bit), "bit", bit)
	}
	for _, field := range [][2]int{{0, 32}, {8 * 16, 8*16 + 16}} {
		for bit := field[0]; bit < field[1]; bit++ {
			refused(func(e []byte) { flip(bit)(e); sign(e) }, "signed bit", bit)
		}
	}
}

func TestCompletionWithoutCommand(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	_, err := d.Do(driver.Fence())
	require.NoError(t, err)
	f.complete(9, outcome{})
	_, err = d.Poll()
	require.EqualError(t, err, "driver: completion 1 is for command 9, but none is outstanding")
}

func TestCommandThatIsNotAnswered(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	for range 2 {
		_, err := d.Do(driver.Fence())
		require.NoError(t, err)
	}
	f.burst = func() int { return 0 }
	f.regs[arch.CSRStatus] = 3
	require.NoError(t, d.Submit(driver.Learn(1, 0x1000, 5), func(driver.Completion, error) {}))
	_, err := d.Do(driver.Fence())
	require.ErrorIs(t, err, errQuiet)
	require.EqualError(t, err, "driver: learn(0x1000, 0x5, 0x0) is not answered (command ring: device at 2, driver at 4; device status 0x3): no interrupt: i/o timeout")
}

func TestHaltedDevice(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	f.burst = func() int { return 0 }
	f.regs[arch.CSRStatus], f.regs[arch.CSRError] = 1<<arch.StatusReadyBit|1<<arch.StatusHaltedBit, 10
	_, err := d.Do(driver.Fence())
	require.ErrorIs(t, err, errQuiet)
	require.EqualError(t, err, "driver: fence(0x0, 0x0, 0x0) is not answered: the device has halted, as it could not write a completion: "+
		"unsupported request (error 10); open it again: no interrupt: i/o timeout")
	f.gone[arch.CSRError] = true
	_, err = d.Do(driver.Fence())
	require.ErrorIs(t, err, driver.ErrGone)
}

// TestLostInterrupts: the driver polls the ring every PollInterval.
func TestLostInterrupts(t *testing.T) {
	for _, every := range []int{1, 2, 3} {
		f := newFake()
		d := open(t, f, 3)
		n := 0
		f.lost = func() bool { n++; return n%every == 0 }
		for i := range 60 {
			got, err := d.Do(driver.Fence())
			require.NoError(t, err)
			require.EqualValues(t, i+1, got.Value0)
		}
		require.Equal(t, 60/every, d.LostInterrupts())
		require.Equal(t, time.Duration(60/every)*driver.PollInterval, f.slept, "what they cost")
		require.Equal(t, 60, f.waits)
	}
}

// TestPollingOfASlowCommand: polls without a completion do not count as lost interrupts.
func TestPollingOfASlowCommand(t *testing.T) {
	f := newFake()
	d, err := driver.Open(f, driver.Options{RingLog2: 3, Deadline: time.Second})
	require.NoError(t, err)
	f.burst = func() int { return f.waits / 20 }
	_, err = d.Do(driver.Fence())
	require.NoError(t, err)
	require.Equal(t, 20, f.waits)
	require.Equal(t, 19*driver.PollInterval, f.slept)
	require.Zero(t, d.LostInterrupts())
}

// TestDeadline: the driver gives up at the deadline, whether or not it is a multiple of
// PollInterval.
func TestDeadline(t *testing.T) {
	for _, deadline := range []time.Duration{time.Nanosecond, driver.PollInterval, 5 * driver.PollInterval, 5*driver.PollInterval + 1} {
		f := newFake()
		d, err := driver.Open(f, driver.Options{RingLog2: 3, Deadline: deadline})
		require.NoError(t, err)
		f.burst = func() int { return 0 }
		_, err = d.Do(driver.Fence())
		require.ErrorIs(t, err, errQuiet)
		require.Equal(t, deadline, f.slept)
	}
}

// TestDuplicatedInterrupts: the driver tolerates a duplicate interrupt after each completion, and
// one before it.
func TestDuplicatedInterrupts(t *testing.T) {
	f := newFake()
	d := open(t, f, 1)
	for range 50 {
		f.noise = 2
		_, err := d.Do(driver.Fence())
		require.NoError(t, err)
	}
	require.Zero(t, d.LostInterrupts())
	require.Equal(t, 150, f.waits)
}

// TestFailedDeviceIsNotPolled: completions in the ring of a failed device are ignored.
func TestFailedDeviceIsNotPolled(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	require.NoError(t, d.Submit(driver.Fence(), func(driver.Completion, error) { t.Fatal("it has failed") }))
	f.failed = errBroken
	err := d.Drain()
	require.ErrorIs(t, err, errBroken)
	require.EqualError(t, err, "driver: fence(0x0, 0x0, 0x0) is not answered (command ring: device at 1, driver at 1; device status 0x0): broken")
	require.Equal(t, 1, f.waits)
}

func TestInterruptStorm(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	f.noise = -1
	_, err := d.Do(driver.Fence())
	require.EqualError(t, err, "driver: 9 interrupts in sequence without a completion; fence(0x0, 0x0, 0x0) is not answered")
}

// TestDeviceIsGone: the driver detects a missing device while it waits.
func TestDeviceIsGone(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(f *fake)
		want  string
	}{
		{"all ones", func(f *fake) { f.gone[arch.CSRSQHead] = true },
			"driver: the device is gone: register 0x40 reads all ones, after no interrupt: i/o timeout"},
		{"all ones a little later", func(f *fake) { f.gone[arch.CSRStatus] = true },
			"driver: the device is gone: register 0x24 reads all ones, after no interrupt: i/o timeout"},
		{"error", func(f *fake) { f.failing["read"] = 1 },
			"driver: the device is gone: read: broken, after no interrupt: i/o timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake()
			d := open(t, f, 3)
			f.burst = func() int { return 0 }
			c.spoil(f)
			_, err := d.Do(driver.Fence())
			require.ErrorIs(t, err, driver.ErrGone)
			require.ErrorIs(t, err, errQuiet)
			require.EqualError(t, err, c.want)
		})
	}
}
