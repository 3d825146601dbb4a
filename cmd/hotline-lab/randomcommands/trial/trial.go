package trial

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// Episode is an episode of random commands on a new accelerator.
type Episode struct {
	Params   arch.Params
	Simulate func() (sim.Simulator, error) // returns a simulation of the design with these parameters
	Seed     uint64
	Number   int
	Commands int
	Wrap     bool // first advances the indices of the rings to just below their overflow
}

// Run runs the episode. A violation is returned as a *shell.Failure that describes the events
// before it.
func (t Episode) Run() (r *Result, err error) {
	s, err := t.Simulate()
	if err != nil {
		return NewResult(), err
	}
	defer s.Close()
	d := newDriver(s, t.Params, rand.New(rand.NewPCG(t.Seed, uint64(t.Number))))
	defer func() {
		d.Cycles = s.Cycle()
		add(d.Result.Faults, d.Shell.Faults)
		r = d.Result
		switch f := recover().(type) {
		case nil:
		case *shell.Failure:
			f.Text += d.story()
			err = f
		default:
			panic(f)
		}
	}()
	d.begin()
	if t.Wrap {
		d.wind()
	}
	for limit := d.Commands + t.Commands; d.Commands < limit; {
		d.act()
	}
	d.finish()
	return d.Result, nil
}

// story describes the events before a failure.
func (d *driver) story() string {
	text := "\nlast commands:\n"
	for _, l := range d.log {
		text += "  " + l + "\n"
	}
	if c, ok := d.oracle.Present(); ok {
		text += "present command: " + describe(c) + "\n"
	}
	text += fmt.Sprintf("fetched %d, completed %d (%d left), doorbell %d, rows ahead %d\n", d.fetched, d.completed, d.left, uint16(d.tail.now), d.oracle.RowsAhead())
	if open := d.Shell.Outstanding(); open != "" {
		text += "outstanding:\n" + open
	}
	return text
}
