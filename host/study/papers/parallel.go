package papers

import (
	"context"
	"runtime"
	"sync"
)

// step is a part of the work.
type step func() error

// inParallel executes steps on all cores, up to the first error or the end of the context.
func inParallel(ctx context.Context, steps []step, progress func(done, total int)) error {
	var workers sync.WaitGroup
	var mu sync.Mutex
	next, done, failed := 0, 0, error(nil)
	take := func() step {
		mu.Lock()
		defer mu.Unlock()
		if failed == nil {
			failed = context.Cause(ctx)
		}
		if failed != nil || next == len(steps) {
			return nil
		}
		next++
		return steps[next-1]
	}
	put := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			done++
		}
		if cause := context.Cause(ctx); cause != nil && failed == nil {
			failed = cause // in whatever way the step reports it
		}
		if err != nil && failed == nil {
			failed = err
		}
		if progress != nil {
			progress(done, len(steps))
		}
	}
	if progress != nil {
		progress(0, len(steps))
	}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for s := take(); s != nil; s = take() {
				put(s())
			}
		})
	}
	workers.Wait()
	return failed
}
