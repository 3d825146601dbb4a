package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/cover"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// covered is the design that a Go engine simulates. With --cover it is instrumented for coverage.
type covered struct {
	Design    *ir.Design
	plan      *cover.Plan
	recorders []*cover.Recorder
}

// defineCover adds the flag --cover.
func defineCover(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "cover", "", "`FILE` for a record of what the Go simulation exercised ('hotline cover' prints it)")
}

// look returns d, or the same accelerator instrumented for coverage if file is not empty.
func look(ctx context.Context, file string, cfg *configs.Config, d *ir.Design) (*covered, error) {
	if file == "" {
		return &covered{Design: d}, nil
	}
	return await.Call(ctx, func() (*covered, error) {
		own, err := elaborate(cfg)
		if err != nil {
			return nil, err
		}
		return coveredDesign(file, own)
	})
}

// coveredDesign returns d, which it instruments for coverage if file is not empty.
func coveredDesign(file string, d *ir.Design) (*covered, error) {
	if file == "" {
		return &covered{Design: d}, nil
	}
	plan, err := cover.Of(d)
	if err != nil {
		return nil, err
	}
	return &covered{Design: plan.Design, plan: plan}, nil
}

// accelerator returns the accelerator on an engine, which records the waveforms or the coverage. A
// design that is nil is the functional model.
func (l *covered) accelerator(engine string, w *waves, cfg *configs.Config) (experiment.Accelerator, error) {
	if l.Design == nil {
		return experiment.Functional(*cfg.Accelerator), nil
	}
	recorder := l.recorder()
	if w != nil {
		recorder = w.vcd
	}
	s, err := simulator(engine, l.Design, recorder)
	return onSimulator(engine, s), err
}

// recorder returns a recorder for one simulation, or nil without coverage.
func (l *covered) recorder() wave.Recorder {
	if l.plan == nil {
		return nil
	}
	r := l.plan.Recorder()
	l.recorders = append(l.recorders, r)
	return r
}

// save writes the merged coverage to a file, if requested.
func (l *covered) save(file string) error {
	if l.plan == nil {
		return nil
	}
	all := l.recorders[0].Record()
	for _, r := range l.recorders[1:] {
		if err := all.Merge(r.Record()); err != nil {
			return err
		}
	}
	return all.Save(file)
}
