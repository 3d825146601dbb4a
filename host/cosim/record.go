package cosim

import (
	"context"
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/sim"
)

// Record is Run with a trace (sim.NewRecorder) of all that the host does to the
// accelerator, whose design has the given sim.Hash, written to w.
func Record(ctx context.Context, j Job, hash string, w io.Writer) (*Report, error) {
	r := sim.NewRecorder(j.Sim, hash, w)
	j.Sim = r
	report, err := Run(ctx, j)
	return report, errors.Join(err, r.Close())
}
