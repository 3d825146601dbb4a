package randomdesigns

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// campaign is a run of random designs under way.
type campaign struct {
	Settings
	dir     string
	engines []engine
	tools   *toolchain
	log     io.Writer
	start   time.Time

	mutex  sync.Mutex
	report *report
	done   uint64 // designs
	err    error  // the first of a task
}

// task is an engine on a batch.
type task struct {
	batch *batch
	run   func() error
}

// batch is designs that are built together.
type batch struct {
	*together
	left int // tasks
}

func newBatch(first, n uint64, cycles int) (*batch, error) {
	var designs []design
	for seed := first; seed < first+n; seed++ {
		d := newDesign(seed, cycles)
		if err := d.run(); err != nil {
			return nil, fmt.Errorf("seed %d: interp: %w", seed, err)
		}
		designs = append(designs, d)
	}
	return &batch{together: newTogether(designs)}, nil
}

// run runs as many tasks at a time as there are processors: of several batches, for
// the engines of one do not take the same time.
func (c *campaign) run() error {
	tasks := make(chan task)
	var wait sync.WaitGroup
	for range runtime.NumCPU() {
		wait.Go(func() {
			for t := range tasks {
				c.end(t.batch, t.run())
			}
		})
	}
	c.start = time.Now()
	err := c.begin(tasks)
	close(tasks)
	wait.Wait()
	slices.SortFunc(c.report.Differences, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), strings.Compare(a.Engine, b.Engine))
	})
	return errors.Join(err, c.err)
}

// begin makes the tasks of all batches, until one fails. A batch is smaller than it
// may be if some processors would have none otherwise.
func (c *campaign) begin(tasks chan<- task) error {
	processors := uint64(runtime.NumCPU())
	size := min(c.Batch, (c.Designs+processors-1)/processors)
	for begun := uint64(0); begun < c.Designs && !c.failed(); {
		n := min(size, c.Designs-begun)
		b, err := newBatch(c.First+begun, n, c.Cycles)
		if err != nil {
			return err
		}
		begun += n
		b.left = len(c.engines) + 1
		for _, e := range c.engines {
			tasks <- task{b, func() error { return c.together(e, b.together) }}
		}
		tasks <- task{b, func() error { return c.models(b.parts) }}
	}
	return nil
}

func (c *campaign) failed() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.err != nil
}

// end counts a task of b that has ended, and tells how far the campaign is after the
// last one.
func (c *campaign) end(b *batch, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.err == nil {
		c.err = err
	}
	if b.left--; b.left > 0 {
		return
	}
	c.done += uint64(len(b.parts))
	left := time.Since(c.start).Seconds() / float64(c.done) * float64(c.Designs-c.done)
	fmt.Fprintf(c.log, "%d of %d designs, %s, %.0f minutes left\n", c.done, c.Designs, c.report.count(), left/60)
}

// found reports a difference.
func (c *campaign) found(d difference) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	d.Text = strings.TrimSpace(d.Text)
	d.Reproduce = fmt.Sprintf("scripts/random-designs --first %d --designs 1 --cycles %d", d.Seed, c.Cycles)
	c.report.Differences = append(c.report.Differences, d)
	fmt.Fprintf(c.log, "seed %d, %s: %s\nto have it again: %s\n\n", d.Seed, d.Engine, d.Text, d.Reproduce)
}

// together compares an engine on designs side by side. If it refuses them, or
// stops, halves of them tell because of which.
func (c *campaign) together(e engine, t *together) error {
	dir, err := os.MkdirTemp(c.dir, e.name)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	found, err := t.run(e, dir)
	switch half := len(t.parts) / 2; {
	case err != nil && half > 0:
		if err := c.together(e, newTogether(t.parts[:half])); err != nil {
			return err
		}
		return c.together(e, newTogether(t.parts[half:]))
	case err != nil:
		c.found(difference{Seed: t.parts[0].seed, Engine: e.name, Text: err.Error(), Refused: true})
	}
	for _, d := range found {
		c.found(difference{Seed: d.seed, Engine: e.name, Text: d.text})
	}
	return nil
}

// models compares the models of the designs, in a program that has all those
// that can be compiled.
func (c *campaign) models(designs []design) error {
	dir, err := os.MkdirTemp(c.dir, "models")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := c.tools.program(dir)
	for _, d := range designs {
		if err := b.add(d); err != nil {
			c.found(difference{Seed: d.seed, Engine: "compiled", Text: err.Error(), Refused: true})
		}
	}
	if len(b.seeds) == 0 {
		return nil
	}
	to := filepath.Join(dir, "program")
	if c.Keep != "" {
		to = filepath.Join(c.Keep, fmt.Sprint(designs[0].seed))
	}
	program, err := b.link(to)
	if err != nil || c.Keep != "" {
		return err
	}
	found, err := startModels(program, c.Cycles, b.seeds)
	for _, d := range found {
		c.found(d)
	}
	return err
}
