package runner

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAll checks that the results of all episodes are accumulated, including the result of a failed
// one, and that progress is reported.
func TestAll(t *testing.T) {
	sum := 0
	var log bytes.Buffer
	c := Campaign[int]{Episodes: 10, Run: func(episode int) (int, error) { return episode, nil }, Add: func(n int) { sum += n },
		Progress: func() string { return "so far" }, Every: 5, Log: &log}
	require.NoError(t, c.All())
	require.Equal(t, 45, sum)
	require.Equal(t, "so far, 0 minutes left\nso far, 0 minutes left\n", log.String())

	broken := errors.New("broken")
	c.Run = func(episode int) (int, error) { return 1000, Repeatable(broken, 7, episode, "repeat it") }
	err := c.All()
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "seed 7, episode 0: broken\nto reproduce it: repeat it")
	require.GreaterOrEqual(t, sum, 1045)
	require.NoError(t, Repeatable(nil, 7, 0, "repeat it"))
}

func TestParts(t *testing.T) {
	for n, want := range []int{0, 1, 1, 2, 2, 3} {
		require.Equal(t, want, Parts(n, 2))
	}
}
