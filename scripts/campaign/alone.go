package main

import (
	"errors"
	"io"
	"os"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// alone runs one stretch.
func (c *campaign) alone(out io.Writer) (err error) {
	t := c.of(c.stretch)
	if c.vcd != "" {
		f, err := os.Create(c.vcd)
		if err != nil {
			return err
		}
		v := wave.NewVCD(f, 1000)
		t.Simulate = func() (sim.Simulator, error) { return interp.New(c.design, interp.Record(v)) }
		defer func() { err = errors.Join(err, v.Close(), f.Close()) }()
	}
	r, err := t.Run()
	report(out, r)
	return err
}
