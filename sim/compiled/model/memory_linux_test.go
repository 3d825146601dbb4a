//go:build !race

package model

import (
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// faults returns the number of page faults of the process. The race detector uses additional pages.
func faults(t *testing.T) int64 {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Minflt
}

func TestNewHasItsMemory(t *testing.T) {
	type model struct{ state [64 << 20]byte }
	m := New[model]()
	before := faults(t)
	for i := large; i < len(m.state)-large; i += small {
		m.state[i] = 1
	}
	waited := faults(t) - before
	require.Less(t, waited, int64(15), "there are 31 large pages; the test itself may need some small ones")
	runtime.KeepAlive(m)
}

func TestNewSmall(t *testing.T) {
	m := New[struct{ a, b uint64 }]()
	require.EqualValues(t, 16, unsafe.Sizeof(*m))
	require.Zero(t, *m)
}
