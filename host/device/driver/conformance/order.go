package conformance

import (
	"github.com/stretchr/testify/require"
)

// order: a command's writes are visible before its completion, and its completion before its
// interrupt.
func order(r *harness) {
	d := r.open()
	r.steps(d, rowSize())
	b := r.alloc(4096)
	for i := range 50 {
		want := row(byte(1 + i))
		require.NoError(r, b.Write(0, want))
		r.steps(d, copying(b.Address(), b.Address()+1024)...)
		require.Equal(r, want, r.contents(b, 1024, rowBytes))
	}
}
