package campaign

import (
	"runtime"
	"sync"
)

// Each runs the episodes 0 to n-1 side by side, in the order of their numbers, until one fails. Each processor that Go may use
// runs episodes with a worker of its own. The error is that of the lowest episode that fails: those below it always run.
func Each(n int, worker func() func(episode int) error) error {
	var mutex sync.Mutex
	var active sync.WaitGroup
	var first error
	begun, end := 0, n // no episode from end on begins
	// after takes the outcome of an episode and returns the next one.
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
