package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hotline-rtl/hotline/scripts/campaign/trial"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// allStatuses is the number of commands from which on none may be missing.
const allStatuses = 20_000

// run runs the campaign, with its tables on out and its progress on log.
func (s settings) run(out, log io.Writer) error {
	p, err := configuration(s.config, s.seed)
	if err != nil {
		return err
	}
	d, err := newDevice(p)
	if err != nil {
		return err
	}
	var looked *coverage
	if s.cover != "" {
		_, modelled := compiled.Find(d.design)
		if looked, err = d.observe(); err != nil {
			return err
		}
		if modelled { // then the design that is looked at is worth a model, too
			if done, err := looked.again(os.Args[1:]); done || err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(log, "seed %d, %+v\n", s.seed, p)
	c := &campaign{settings: s, device: d, coverage: looked, log: log, result: trial.NewResult()}
	if s.stretch >= 0 {
		return c.alone(out)
	}
	err = c.run()
	if s.json {
		err = errors.Join(err, s.reportJSON(out, c.result))
	} else {
		report(out, c.result)
	}
	if err == nil && looked != nil {
		err = looked.all.Save(s.cover)
	}
	if m := missing(c.result); err == nil && len(m) > 0 && c.result.Commands >= allStatuses {
		err = fmt.Errorf("statuses never seen: %v", m)
	}
	return err
}
