package randomdesigns

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/runner"
)

// comparison is a running campaign of random designs. Its episodes are batches of designs that are
// built together.
type comparison struct {
	Settings
	dir     string
	engines []engine
	tools   *toolchain
	log     io.Writer

	mutex  sync.Mutex
	report *report
}

// run runs all batches. Their number is a multiple of the number of processors, so that all
// processors stay busy.
func (c *comparison) run() error {
	processors, designs := runtime.GOMAXPROCS(0), int(c.Designs)
	batches := processors * runner.Parts(designs, int(min(c.Batch, c.Designs))*processors)
	size := runner.Parts(designs, batches)
	done := 0
	err := runner.Campaign[int]{
		Episodes: runner.Parts(designs, size),
		Run: func(number int) (int, error) {
			n := min(size, designs-number*size)
			return n, c.batch(c.First+uint64(number*size), n)
		},
		Add: func(n int) { done += n },
		Progress: func() string {
			c.mutex.Lock()
			defer c.mutex.Unlock()
			return fmt.Sprintf("%d of %d designs, %s", done, designs, c.report.count())
		},
		Every: 1,
		Log:   c.log,
	}.All()
	slices.SortFunc(c.report.Differences, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), strings.Compare(a.Engine, b.Engine))
	})
	return err
}

// batch compares all engines on n designs with consecutive seeds.
func (c *comparison) batch(first uint64, n int) error {
	var designs []design
	for seed := first; seed < first+uint64(n); seed++ {
		d := newDesign(seed, c.Cycles)
		if err := d.run(); err != nil {
			return fmt.Errorf("seed %d: interp: %w", seed, err)
		}
		designs = append(designs, d)
	}
	if len(c.engines) > 0 {
		t := newTogether(designs)
		for _, e := range c.engines {
			if err := c.together(e, t); err != nil {
				return err
			}
		}
	}
	return c.models(designs)
}

// found records and reports a difference.
func (c *comparison) found(d difference) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	d.Text = strings.TrimSpace(d.Text)
	d.Reproduce = fmt.Sprintf("scripts/random-designs --first %d --designs 1 --cycles %d", d.Seed, c.Cycles)
	c.report.Differences = append(c.report.Differences, d)
	fmt.Fprintf(c.log, "seed %d, %s: %s\nto reproduce it: %s\n\n", d.Seed, d.Engine, d.Text, d.Reproduce)
}

// together compares an engine on a batch of designs. If the engine refuses the batch or stops,
// together bisects the batch to find the design that is responsible.
func (c *comparison) together(e engine, t *together) error {
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

// models compares the compiled models of the designs. It builds a program that contains all models
// that compile.
func (c *comparison) models(designs []design) error {
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
