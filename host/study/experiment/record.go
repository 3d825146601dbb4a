package experiment

import (
	"context"
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/sim"
)

// Record is like Run with x as the accelerator. It writes a trace (sim.NewRecorder) of all inputs
// of the accelerator to w. hash is the sim.Hash of the design.
func Record(ctx context.Context, j Job, x sim.Simulator, hash string, w io.Writer) (*report.Report, error) {
	r := sim.NewRecorder(x, hash, w)
	j.Accelerator = Cycle("recording", r)
	out, err := Run(ctx, j)
	return out, errors.Join(err, r.Close())
}
