package randomcommands

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// period is the clock period in waveforms, in picoseconds.
const period = 4000

// alone runs one episode.
func (c *episodes) alone(out io.Writer) (err error) {
	t := c.of(c.Episode)
	if c.VCD != "" {
		f, err := outfile.Stream(c.VCD)
		if err != nil {
			return err
		}
		v := wave.NewVCD(f, period)
		defer func() { err = errors.Join(err, v.Close(), f.Close()) }()
		t.Simulate = func() (sim.Simulator, error) { return c.recorded(v) }
	}
	r, err := t.Run()
	report(out, r)
	return err
}

// recorded returns a simulation that records waveforms. A compiled model records ports and
// registers from cycle From on. The interpreter records all signals from the beginning.
func (c *episodes) recorded(v *wave.VCD) (sim.Simulator, error) {
	m, ok := compiled.Find(c.design)
	if !ok {
		return interp.New(c.design, interp.AllSignals(), interp.Record(v))
	}
	return &window{m, c.From, v}, nil
}

// window is a model that starts recording at a cycle.
type window struct {
	compiled.Model
	from uint64
	vcd  *wave.VCD
}

// Step implements sim.Simulator.
func (w *window) Step() error {
	if w.Cycle() == w.from {
		if err := w.Record(w.vcd); err != nil {
			return err
		}
	}
	return w.Model.Step()
}
