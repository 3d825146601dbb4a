package experiment

import (
	"context"
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/sim"
)

// Record is Run with x as the accelerator and a trace (sim.NewRecorder) of all
// that the host does to it, whose design has the given sim.Hash, written to w.
func Record(ctx context.Context, j Job, x sim.Simulator, hash string, w io.Writer) (*report.Report, error) {
	r := sim.NewRecorder(x, hash, w)
	j.Accelerator = Cycle("recording", r)
	out, err := Run(ctx, j)
	return out, errors.Join(err, r.Close())
}
