package campaign

import (
	"runtime"
	"sync"
)

// Each runs the episodes 0 to n-1 in parallel and starts them in ascending order until one fails.
// It starts one worker per processor, as limited by GOMAXPROCS. The error is the error of the
// lowest failing episode: all lower episodes always run.
func Each(n int, worker func() func(episode int) error) error {
	var mutex sync.Mutex
	var active sync.WaitGroup
	var first error
	begun, end := 0, n // episode end and later episodes are not started
	// after records the result of an episode and returns the next episode.
	after := func(episode int, err error) (next int, ok bool) {
		mutex.Lock()
		defer mutex.Unlock()
		if err != nil && episode < end {
			end, first = episode, err
		}
		begun++
		return begun - 1, begun <= end
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		active.Go(func() {
			run := worker()
			for episode, ok := after(0, nil); ok; episode, ok = after(episode, run(episode)) {
			}
		})
	}
	active.Wait()
	return first
}
