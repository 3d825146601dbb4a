package conformance

import (
	"os"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// interrupts: each interrupt of a vector ends at most one wait, also after the vector was enabled
// again. Without an interrupt, a wait times out. Enabling a vector out of range fails.
func interrupts(r *harness) {
	const vectors = 16
	require.Error(r, r.dev.EnableVector(vectors))
	require.Error(r, r.dev.EnableVector(-1))
	d := r.open()
	require.ErrorIs(r, r.dev.Wait(time.Millisecond), os.ErrDeadlineExceeded)
	for i := range 3 {
		r.steps(d, driver.Fence())
		require.ErrorIs(r, r.dev.Wait(time.Millisecond), os.ErrDeadlineExceeded)
		if i == 1 {
			require.NoError(r, r.dev.EnableVector(0))
		}
	}

	const commands = 5
	for range commands {
		require.NoError(r, d.Submit(driver.Fence(), func(driver.Completion, error) {}))
	}
	require.NoError(r, d.Drain())
	late := 0
	for r.dev.Wait(time.Millisecond) == nil {
		late++
	}
	require.Less(r, late, commands+1)
}
