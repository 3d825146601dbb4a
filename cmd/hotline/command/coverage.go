package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/cover"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// covered is the design that a Go engine simulates: with --cover one whose simulations are
// looked at.
type covered struct {
	Design    *ir.Design
	plan      *cover.Plan
	recorders []*cover.Recorder
}

// defineCover adds --cover.
func defineCover(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "cover", "", "`FILE` for a record of what the Go simulation exercised ('hotline cover' prints it)")
}

// look is d, or the same accelerator to be looked at if there is a file for what is seen.
func look(ctx context.Context, file string, cfg *configs.Config, d *ir.Design) (*covered, error) {
	if file == "" {
		return &covered{Design: d}, nil
	}
	plan, err := await.Call(ctx, func() (*cover.Plan, error) {
		own, err := elaborate(cfg)
		if err != nil {
			return nil, err
		}
		return cover.Of(own)
	})
	if err != nil {
		return nil, err
	}
	return &covered{Design: plan.Design, plan: plan}, nil
}

// recorder looks at one simulation, if that is wanted.
func (l *covered) recorder() wave.Recorder {
	if l.plan == nil {
		return nil
	}
	r := l.plan.Recorder()
	l.recorders = append(l.recorders, r)
	return r
}

// save writes what has been seen to a file, if that is wanted.
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
