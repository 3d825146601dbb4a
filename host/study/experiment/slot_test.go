package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// TestSlotNeedsAnAccelerator: a job with Slot needs a system with an accelerator.
func TestSlotNeedsAnAccelerator(t *testing.T) {
	j := newJob(t, nil)
	j.Slot = func(*server.Server) {}
	require.NoError(t, j.Check())
	var err error
	j.Systems, err = registry.Choose(catalog.Systems(), "hybrid")
	require.NoError(t, err)
	require.EqualError(t, j.Check(), "experiment: no system has an accelerator, so there is no link to capture")
}
