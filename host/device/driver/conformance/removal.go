package conformance

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// removal: the driver detects the removal of a device, with an empty or a non-empty ring. Earlier
// completions are not lost.
func removal(r *harness) {
	if r.backend.Remove == nil {
		r.Skip("this device cannot be taken away")
	}
	short := driver.Options{RingLog2: 3, Deadline: 5 * time.Millisecond}
	d, err := driver.Open(r.dev, short)
	require.NoError(r, err)
	completed := 0
	require.NoError(r, d.Submit(driver.Fence(), func(_ driver.Completion, err error) {
		require.NoError(r, err)
		completed++
	}))
	require.NoError(r, d.Ring())
	require.NoError(r, r.dev.Wait(r.backend.Patience))
	r.backend.Remove()
	_, err = d.Do(driver.Fence())
	require.ErrorIs(r, err, driver.ErrGone)
	require.Equal(r, 1, completed)
	require.ErrorIs(r, d.Drain(), driver.ErrGone)
	_, err = d.Counters()
	require.ErrorIs(r, err, driver.ErrGone)
	_, err = driver.Open(r.dev, short)
	require.ErrorIs(r, err, driver.ErrGone)
}
