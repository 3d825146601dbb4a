package conformance

import (
	"errors"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// nowhere is an unmapped address: above host memory and below the GPUs.
const nowhere = 1 << 41

// unsupported is the status of a command that read from an unmapped address.
const unsupported = 10

// failing lets the device read a row from an unmapped address.
func failing(r *harness, d *driver.Driver) {
	err := copyRow(d, nowhere, nowhere)
	var failed *driver.StatusError
	require.True(r, errors.As(err, &failed), "%v", err)
	require.EqualValues(r, unsupported, failed.Status)
}

// unmapped: a read from an unmapped address fails only its own command. A write to an unmapped
// address is lost without an error.
func unmapped(r *harness) {
	d := r.prepared()
	failing(r, d)
	d = r.prepared()
	b := r.alloc(4096)
	require.NoError(r, b.Write(0, row(1)))
	require.NoError(r, copyRow(d, b.Address(), nowhere))
	require.NoError(r, copyRow(d, b.Address(), b.Address()+1024))
	require.Equal(r, row(1), r.contents(b, 1024, rowBytes))
}
