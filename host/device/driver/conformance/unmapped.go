package conformance

import (
	"errors"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// nowhere is an address that no buffer has: above host memory, below the GPUs.
const nowhere = 1 << 41

// unsupported is the status of a command whose read went there.
const unsupported = 10

// failing lets the device read a row from nowhere.
func failing(r *harness, d *driver.Driver) {
	err := copyRow(d, nowhere, nowhere)
	var failed *driver.StatusError
	require.True(r, errors.As(err, &failed), "%v", err)
	require.EqualValues(r, unsupported, failed.Status)
}

// unmapped: a read from an address that is not mapped is an error of its command, and
// of no other; a write there is lost and hurts nobody.
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
