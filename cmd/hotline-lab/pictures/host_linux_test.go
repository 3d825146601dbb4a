package pictures

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/vfio"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

var (
	_ driver.Device = (*vfio.Device)(nil)
	_ driver.Device = (*client.Device)(nil)
)

// TestLinuxDevices: the devices that exist only on Linux have the names in the picture.
func TestLinuxDevices(t *testing.T) {
	require.Equal(t, typeOf[vfio.Device](), vfioDevice)
	require.Equal(t, typeOf[client.Device](), clientDevice)
	require.NotEqual(t, typeOf[driver.Driver](), vfioDevice)
}
