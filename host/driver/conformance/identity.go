package conformance

import (
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/driver"
)

// identity: the device is an accelerator, whoever asks and however often.
func identity(r *rig) {
	for range 3 {
		require.EqualValues(r, driver.ID, r.read(driver.CSRID))
		require.EqualValues(r, driver.Version>>16, r.read(driver.CSRVersion)>>16)
	}
	first := r.open().Geometry()
	require.Positive(r, first.Engines)
	require.Equal(r, first, r.open().Geometry())
}
