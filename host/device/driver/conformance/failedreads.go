package conformance

import (
	"github.com/stretchr/testify/require"
)

// failedReads: failed reads do not exhaust the tags.
func failedReads(r *harness) {
	const reads = 300
	b := r.alloc(4096)
	require.NoError(r, b.Write(0, row(1)))
	for range reads / 30 {
		d := r.prepared()
		for range 30 {
			failing(r, d)
		}
		d = r.prepared()
		require.NoError(r, copyRow(d, b.Address(), b.Address()+1024))
	}
	require.Equal(r, row(1), r.contents(b, 1024, rowBytes))
}
