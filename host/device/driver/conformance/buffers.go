package conformance

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// buffers: each buffer is zeroed and aligned to 4 KiB, and overlaps no other buffer. Accesses
// outside a buffer fail. The device can access the whole buffer, across page boundaries.
func buffers(r *harness) {
	const page = 4096
	var list []driver.DMA
	for _, n := range []int{1, page, 3*page + 100, 1 << 20} {
		b := r.alloc(n)
		require.Equal(r, n, b.Size())
		require.Zero(r, b.Address()%page)
		require.Equal(r, make([]byte, n), r.contents(b, 0, n))
		require.Error(r, b.Read(n-1, make([]byte, 2)))
		require.Error(r, b.Write(n, []byte{1}))
		require.Error(r, b.Write(-1, []byte{1}))
		list = append(list, b)
	}
	sorted := slices.SortedFunc(slices.Values(list), func(a, b driver.DMA) int { return int(int64(a.Address() - b.Address())) })
	for i, b := range sorted[1:] {
		require.LessOrEqual(r, sorted[i].Address()+uint64(sorted[i].Size()), b.Address())
	}

	d := r.prepared()
	large := list[2]
	const from, to = page - rowBytes/2, 3*page + 100 - rowBytes
	require.NoError(r, large.Write(from, row(1)))
	require.NoError(r, copyRow(d, large.Address()+from, large.Address()+to&^3))
	require.Equal(r, row(1), r.contents(large, to&^3, rowBytes))
	require.Equal(r, make([]byte, page), r.contents(large, page+rowBytes, page))
}
