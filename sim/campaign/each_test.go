package campaign_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/campaign"
)

// TestEach: all episodes up to the lowest failing episode run exactly once, however long they take.
func TestEach(t *testing.T) {
	for _, c := range []struct{ n, fails int }{{0, 0}, {1, 1}, {50, 50}, {50, 0}, {50, 31}} {
		var mutex sync.Mutex
		runs := make([]int, c.n)
		err := campaign.Each(c.n, func() func(int) error {
			return func(episode int) error {
				mutex.Lock()
				defer mutex.Unlock()
				runs[episode]++
				if episode >= c.fails {
					return fmt.Errorf("episode %d", episode)
				}
				return nil
			}
		})
		for episode, n := range runs[:c.fails] {
			require.Equal(t, 1, n, "episode %d", episode)
		}
		if c.fails == c.n {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, fmt.Sprintf("episode %d", c.fails))
		}
	}
}

// TestEachReportsTheLowest: the error of a low episode wins even if a higher episode fails first.
func TestEachReportsTheLowest(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	high := make(chan bool)
	err := campaign.Each(2, func() func(int) error {
		return func(episode int) error {
			if episode == 0 {
				<-high
			} else {
				close(high)
			}
			return fmt.Errorf("episode %d", episode)
		}
	})
	require.EqualError(t, err, "episode 0")
}
