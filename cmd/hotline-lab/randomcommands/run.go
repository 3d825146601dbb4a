package randomcommands

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/rebuilt"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// allStatuses is the number of commands after which a campaign must have produced every wanted
// status.
const allStatuses = 20_000

// Run runs the campaign. It writes tables to out and progress to log.
func (s Settings) Run(out, log io.Writer) error {
	p, err := configuration(s.Config, s.Seed)
	if err != nil {
		return err
	}
	d, err := newDevice(p)
	if err != nil {
		return err
	}
	_, modelled := compiled.Find(d.design)
	if !modelled && s.Config == "paper" { // too large for the interpreter
		return rebuilt.Run(d.design, out, log, os.Args[1:]...)
	}
	var looked *coverage
	if s.Cover != "" {
		if looked, err = d.observe(); err != nil {
			return err
		}
		if _, ok := compiled.Find(looked.plan.Design); modelled && !ok { // the instrumented design needs a compiled model, too
			return rebuilt.Run(looked.plan.Design, out, log, os.Args[1:]...)
		}
	}
	fmt.Fprintf(log, "seed %d, %+v\n", s.Seed, p)
	c := &episodes{Settings: s, device: d, coverage: looked}
	if s.Episode >= 0 {
		return c.alone(out)
	}
	r, err := c.run(log)
	if s.JSON {
		err = errors.Join(err, s.reportJSON(out, r))
	} else {
		report(out, r)
	}
	if err == nil && looked != nil {
		err = looked.all.Save(s.Cover)
	}
	if m := missing(r); err == nil && len(m) > 0 && r.Commands >= allStatuses {
		err = fmt.Errorf("statuses never seen: %v", m)
	}
	return err
}
