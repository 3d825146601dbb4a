package conformance

import (
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// closing: a closed driver has received all outcomes, and the device can be opened again.
func closing(r *harness) {
	for range 2 {
		d := r.open()
		outcomes := 0
		for range 20 {
			require.NoError(r, d.Submit(driver.Fence(), func(_ driver.Completion, err error) {
				require.NoError(r, err)
				outcomes++
			}))
		}
		require.NoError(r, d.Close())
		require.Equal(r, 20, outcomes)
		require.ErrorIs(r, d.Submit(driver.Fence(), nil), driver.ErrClosed)
	}
}
