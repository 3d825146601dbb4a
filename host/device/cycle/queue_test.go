package cycle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQueue: a queue that never becomes empty does not grow.
func TestQueue(t *testing.T) {
	var q queue[int]
	next := 0
	for i := range 10_000 {
		q.push(i)
		if q.len() > 5 {
			require.Equal(t, next, *q.front())
			q.pop()
			next++
		}
	}
	require.Equal(t, 5, q.len())
	require.LessOrEqual(t, cap(q.items), 16)
	for q.len() > 0 {
		require.Equal(t, next, *q.front())
		q.pop()
		next++
	}
	require.Equal(t, 10_000, next)
}
