package campaign

import (
	"runtime"
	"sync"
)

// Each runs the episodes 0 to n-1 side by side, in the order of their numbers, until one fails. Each processor that Go may use
// runs episodes with a worker of its own. The error is that of the lowest episode that fails: those below it always run.
func Each(n int, worker func() func(episode int) error) error {
	var (
		mutex  sync.Mutex
		next   int
		end    = n // no episode from here on begins
		first  error
		active sync.WaitGroup
	)
	take := func() (episode int, ok bool) {
		mutex.Lock()
		defer mutex.Unlock()
		next++
		return next - 1, next <= end
	}
	fail := func(episode int, err error) {
		mutex.Lock()
		defer mutex.Unlock()
		if episode < end {
			end, first = episode, err
		}
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		active.Go(func() {
			run := worker()
			for episode, ok := take(); ok; episode, ok = take() {
				if err := run(episode); err != nil {
					fail(episode, err)
				}
			}
		})
	}
	active.Wait()
	return first
}
