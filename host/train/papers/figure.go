package papers

import (
	"context"
	"runtime"
	"sync"

	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Figure is a table of speed-ups.
type Figure struct {
	Name    string   `json:"name"` // as in its paper
	Title   string   `json:"title"`
	Note    string   `json:"note"`
	Columns []string `json:"columns"` // of the cells: profiles, or numbers of GPUs
	Labels  []string `json:"labels"`  // what a row's labels are
	Rows    []Row    `json:"rows"`
}

// Row is a row of a figure.
type Row struct {
	Labels []string `json:"labels"`
	Paper  []string `json:"paper"` // as published: one for the row, or one a cell; empty if none is
	Cells  []Cell   `json:"cells"`
}

// Cell is a speed-up, or why there is none.
type Cell struct {
	*timing.Spread
	None string `json:"none,omitempty"`

	what speedUp
}

// Figures evaluates all figures on a machine, on as many cores as there are.
// progress, unless nil, is called after each cell, one at a time. The error is the
// context's, or that the machine does not fit.
func Figures(ctx context.Context, m *machine.Machine, progress func(done, total int)) ([]Figure, error) {
	figures, err := plans(m)
	if err != nil {
		return nil, err
	}
	var cells []*Cell
	for _, f := range figures {
		for _, r := range f.Rows {
			for i := range r.Cells {
				if r.Cells[i].None == "" {
					cells = append(cells, &r.Cells[i])
				}
			}
		}
	}
	return figures, evaluate(ctx, m, cells, progress)
}

// evaluate fills cells in.
func evaluate(ctx context.Context, m *machine.Machine, cells []*Cell, progress func(done, total int)) error {
	var workers sync.WaitGroup
	var mu sync.Mutex
	next, done, failed := 0, 0, error(nil)
	take := func() *Cell {
		mu.Lock()
		defer mu.Unlock()
		if failed == nil {
			failed = context.Cause(ctx)
		}
		if failed != nil || next == len(cells) {
			return nil
		}
		next++
		return cells[next-1]
	}
	put := func(c *Cell, s timing.Spread, err error) {
		mu.Lock()
		defer mu.Unlock()
		c.Spread, done = &s, done+1
		if err != nil && failed == nil {
			failed = err
		}
		if progress != nil {
			progress(done, len(cells))
		}
	}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for c := take(); c != nil; c = take() {
				s, err := c.what.spread(m)
				put(c, s, err)
			}
		})
	}
	workers.Wait()
	return failed
}
