package synth

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// mapAll maps all blocks to cells in parallel, the largest first. The number of workers is the
// number of processors. The first error stops all workers.
func (r *run) mapAll(ctx context.Context, blocks []*Block) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	order := slices.SortedStableFunc(slices.Values(blocks), func(a, b *Block) int { return cmp.Compare(b.size, a.size) })
	e := newEstimate(order)
	next := make(chan *Block)
	var workers sync.WaitGroup
	var mutex sync.Mutex // protects e and serialises calls of Mapped
	for range min(len(order), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for b := range next {
				if err := r.mapCells(ctx, b); err != nil {
					stop(fmt.Errorf("%s: %w", b.Name, err))
					continue
				}
				mutex.Lock()
				left := e.mapped(b)
				if r.opt.Mapped != nil {
					r.opt.Mapped(b, e.done, len(order), left)
				}
				mutex.Unlock()
			}
		})
	}
	for _, b := range order {
		if ctx.Err() != nil {
			break
		}
		next <- b
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// estimate predicts when all blocks are mapped. It assumes that the time is proportional to the
// size.
type estimate struct {
	begin time.Time
	done  int // number of mapped blocks
	size  int // size of the mapped blocks
	all   int // size of all blocks
}

func newEstimate(blocks []*Block) *estimate {
	e := &estimate{begin: time.Now()}
	for _, b := range blocks {
		e.all += weight(b)
	}
	return e
}

// weight returns the size of a block plus an allowance for starting Yosys.
func weight(b *Block) int { return b.size + 500 }

// mapped records that b is mapped, and returns the estimated time for the remaining blocks.
func (e *estimate) mapped(b *Block) time.Duration {
	e.done++
	e.size += weight(b)
	return time.Duration(float64(time.Since(e.begin)) * float64(e.all-e.size) / float64(e.size)).Round(time.Second)
}
