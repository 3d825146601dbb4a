package conformance

import (
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// identity: the device identifies as an accelerator, for every driver and every read.
func identity(r *harness) {
	for range 3 {
		require.EqualValues(r, arch.ID, r.read(arch.CSRID))
		require.EqualValues(r, arch.Version>>16, r.read(arch.CSRVersion)>>16)
	}
	first := r.open().Geometry()
	require.Positive(r, first.Engines)
	require.Equal(r, first, r.open().Geometry())
}
