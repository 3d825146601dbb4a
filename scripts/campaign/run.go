package main

import (
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/scripts/campaign/trial"
)

// allStatuses is the number of commands from which on none may be missing.
const allStatuses = 10_000

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
	fmt.Fprintf(log, "seed %d, %+v\n", s.seed, p)
	c := &campaign{settings: s, device: d, log: log, result: trial.NewResult()}
	if s.stretch >= 0 {
		return c.alone(out)
	}
	err = c.run()
	report(out, c.result)
	if m := missing(c.result); err == nil && len(m) > 0 && c.result.Commands >= allStatuses {
		err = fmt.Errorf("statuses never seen: %v", m)
	}
	return err
}
