//go:build linux

package vfio_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfio"
)

// TestNoSuchFunction: Open fails for a missing function. Tests with a function run in the guest of
// scripts/guest.
func TestNoSuchFunction(t *testing.T) {
	_, err := vfio.Open("ffff:ff:1f.7")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "vfio: ffff:ff:1f.7 has no IOMMU group")
}
