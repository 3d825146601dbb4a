//go:build linux

package rootport_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestStormOnAnAccelerator sends random accesses to registers and configuration space, random
// windows and resets. Afterwards a driver can use the card.
func TestStormOnAnAccelerator(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	r := newHarness(t, newFunctional(arch.Small()))
	require.NoError(t, r.c.Close())
	storm, err := client.NewStorm(r.path, 2)
	require.NoError(t, err)
	require.NoError(t, storm.Run(n))
	storm.Close()

	c, err := client.Open(r.path)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	_, err = c.Call(client.Reset, nil)
	require.NoError(t, err)
	dev, err := client.NewDevice(c)
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	d, err := driver.Open(dev, driver.DefaultOptions())
	require.NoError(t, err)
	_, err = d.Do(driver.Fence())
	require.NoError(t, err)
}
