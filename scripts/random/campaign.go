package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// campaign is a run of random designs under way.
type campaign struct {
	settings
	dir    string
	tools  *toolchain
	log    io.Writer
	mutex  sync.Mutex
	report *report
}

// batch compares the engines on n designs from seed first on.
func (c *campaign) batch(first, n uint64) error {
	var designs []design
	for seed := first; seed < first+n; seed++ {
		d := newDesign(seed, c.cycles)
		if err := d.run(); err != nil {
			return fmt.Errorf("seed %d: interp: %w", seed, err)
		}
		designs = append(designs, d)
	}
	var wait sync.WaitGroup
	errs := make([]error, len(engines)+1)
	for i, e := range engines {
		wait.Go(func() { errs[i] = c.together(e, designs) })
	}
	wait.Go(func() { errs[len(engines)] = c.models(designs) })
	wait.Wait()
	return errors.Join(errs...)
}

// found reports a difference.
func (c *campaign) found(seed uint64, engine, text string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	d := difference{seed, engine, strings.TrimSpace(text), fmt.Sprintf("scripts/random-designs --first %d --designs 1 --cycles %d", seed, c.cycles)}
	c.report.Differences = append(c.report.Differences, d)
	fmt.Fprintf(c.log, "seed %d, %s: %s\nto have it again: %s\n\n", d.Seed, d.Engine, d.Text, d.Reproduce)
}

// together compares an engine on designs side by side. If it refuses them, or
// stops, halves of them tell because of which.
func (c *campaign) together(e engine, designs []design) error {
	dir, err := os.MkdirTemp(c.dir, e.name)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	found, err := newTogether(designs).run(e, dir)
	switch half := len(designs) / 2; {
	case err != nil && half > 0:
		if err := c.together(e, designs[:half]); err != nil {
			return err
		}
		return c.together(e, designs[half:])
	case err != nil:
		c.found(designs[0].seed, e.name, err.Error())
	}
	for _, d := range found {
		c.found(d.seed, e.name, d.text)
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
			c.found(d.seed, "compiled", err.Error())
		}
	}
	if len(b.seeds) == 0 {
		return nil
	}
	program, err := b.link(filepath.Join(dir, "program"))
	if err != nil {
		return err
	}
	found, err := startModels(program, c.cycles, b.seeds)
	for _, d := range found {
		c.found(d.Seed, d.Engine, d.Text)
	}
	return err
}
