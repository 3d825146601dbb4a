package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestClose: Close waits for the commands in the ring and then resets the device.
func TestClose(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	outcomes := 0
	for range 3 {
		require.NoError(t, d.Submit(driver.Fence(), func(_ driver.Completion, err error) {
			require.NoError(t, err)
			outcomes++
		}))
	}
	require.NoError(t, d.Close())
	require.Equal(t, 3, outcomes)
	require.Equal(t, "reset", f.written[len(f.written)-1])
	require.ErrorIs(t, d.Submit(driver.Fence(), nil), driver.ErrClosed)
	_, err := d.Do(driver.Fence())
	require.ErrorIs(t, err, driver.ErrClosed)
	require.ErrorIs(t, d.Close(), driver.ErrClosed)
}

// TestCloseOfADeviceThatDoesNotAnswer: Close returns with the error of the wait.
func TestCloseOfADeviceThatDoesNotAnswer(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	f.burst = func() int { return 0 }
	require.NoError(t, d.Submit(driver.Fence(), func(driver.Completion, error) {}))
	require.ErrorIs(t, d.Close(), errQuiet)
	require.Equal(t, "reset", f.written[len(f.written)-1])
}

// TestCloseOfADeviceThatIsGone: Close resets the device externally, with the mildest reset that
// works.
func TestCloseOfADeviceThatIsGone(t *testing.T) {
	for _, heal := range []driver.ResetKind{driver.FunctionReset, driver.BusReset} {
		r := &resettable{fake: newFake(), heal: heal}
		d := lasting(t, r)
		r.gone[arch.CSRControl] = true
		require.NoError(t, d.Close())
		require.Equal(t, heal, r.kinds[len(r.kinds)-1])
		require.Equal(t, "reset", r.written[len(r.written)-1])
	}
	f := newFake()
	d := lasting(t, f)
	f.gone[arch.CSRControl] = true
	require.EqualError(t, d.Close(), "driver: the device cannot be reset: engine reset: driver: the device is gone: register 0x20 reads all ones\n"+
		"function-level reset: there is no such reset\nbus reset: there is no such reset")
}
