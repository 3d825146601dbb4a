package driver_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/driver"
)

// TestDamagedCompletions: what is wrong with a completion becomes an error, the
// command gets no outcome, and the error stays.
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
	f.regs[driver.CSRStatus] = 3
	require.NoError(t, d.Submit(driver.Learn(1, 0x1000, 5), func(driver.Completion, error) {}))
	_, err := d.Do(driver.Fence())
	require.ErrorIs(t, err, errQuiet)
	require.EqualError(t, err, "driver: learn(0x1000, 0x5, 0x0) is not answered (command ring: device at 2, driver at 4; device status 0x3): no interrupt")
}

func TestLostInterrupt(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	f.mute = true
	_, err := d.Do(driver.Fence())
	require.EqualError(t, err, "driver: the completion of fence(0x0, 0x0, 0x0) has come without an interrupt: no interrupt")
	_, err = d.Poll()
	require.NoError(t, err)
	require.Zero(t, d.Pending())
}

func TestInterruptStorm(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	f.noise = -1
	_, err := d.Do(driver.Fence())
	require.EqualError(t, err, "driver: 9 interrupts in a row without a completion; fence(0x0, 0x0, 0x0) is not answered")
}

// TestDeviceIsGone while the driver waits.
func TestDeviceIsGone(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(f *fake)
		want  string
	}{
		{"all ones", func(f *fake) { f.gone[driver.CSRSQHead] = true },
			"driver: the device is gone: register 0x40 reads all ones, after no interrupt"},
		{"all ones a little later", func(f *fake) { f.gone[driver.CSRStatus] = true },
			"driver: the device is gone: register 0x24 reads all ones, after no interrupt"},
		{"error", func(f *fake) { f.failing["read"] = 1 },
			"driver: the device is gone: read: broken, after no interrupt"},
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
