package des

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResourceServesInOrder(t *testing.T) {
	k := NewKernel()
	r := NewResource(k, "gpu0", 1)
	require.Equal(t, "gpu0", r.Name())
	s, e := r.Acquire("forward", 10)
	require.Equal(t, []Time{0, 10}, []Time{s, e})
	s, e = r.Acquire("backward", 20)
	require.Equal(t, []Time{10, 30}, []Time{s, e})
	require.NoError(t, k.RunTo(50))
	require.Equal(t, Time(30), r.free[r.firstFree()])
	s, e = r.AcquireAt("forward", 60, 5)
	require.Equal(t, []Time{60, 65}, []Time{s, e})
	require.Equal(t, Time(65), r.free[r.firstFree()])
	require.Equal(t, []Share{{"forward", 15, 2}, {"backward", 20, 1}}, r.Shares())
	require.Equal(t, Time(35), r.Busy())
	require.Panics(t, func() { r.Acquire("x", -1) })
}

func TestResourceServers(t *testing.T) {
	k := NewKernel()
	r := NewResource(k, "cores", 3)
	for i, want := range []Time{0, 0, 0, 10, 10, 10, 20} {
		s, e := r.Acquire("work", 10)
		require.Equal(t, want, s, "piece %d", i)
		require.Equal(t, want+10, e)
	}
	require.Panics(t, func() { NewResource(k, "none", 0) })
}
