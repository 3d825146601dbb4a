package cosim

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/sim"
)

// Record is Run with a trace (sim.NewRecorder) of all that the host does to the
// accelerator, whose design has the given sim.Hash, written to w.
func Record(j Job, hash string, w io.Writer) (*Report, error) {
	r := sim.NewRecorder(j.Sim, hash, w)
	j.Sim = r
	report, err := Run(j)
	return report, errors.Join(err, r.Close())
}
