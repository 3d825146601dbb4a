//go:build linux

package vfio_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/driver/conformance"
	"github.com/hotline-rtl/hotline/host/device/vfio"
)

// TestConformance: the guarantees of a driver.Device hold for the card in a guest of scripts/guest,
// at the address in HOTLINE_VFIO.
func TestConformance(t *testing.T) {
	address := os.Getenv("HOTLINE_VFIO")
	if address == "" {
		t.Skip("HOTLINE_VFIO does not say at which address a card is; scripts/guest runs this in a guest with one")
	}
	conformance.Test(t, conformance.Backend{Patience: time.Minute, Open: func(t *testing.T) driver.Device {
		dev, err := vfio.Open(address)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, dev.Close()) })
		return dev
	}})
}
