package randomcommands

import (
	"sync"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/cover"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// coverage accumulates the coverage of the episodes of a campaign.
type coverage struct {
	plan  *cover.Plan
	mutex sync.Mutex
	all   *cover.Record
}

// observe instruments the device for coverage.
func (d *device) observe() (*coverage, error) {
	plan, err := cover.Of(d.design)
	if err != nil {
		return nil, err
	}
	d.design = plan.Design
	return &coverage{plan: plan}, nil
}

// simulate returns a simulation that records coverage. It uses the compiled model if there is one.
// The coverage is accumulated when the simulation is closed.
func (c *coverage) simulate() (sim.Simulator, error) {
	r := c.plan.Recorder()
	if m, ok := compiled.Find(c.plan.Design); ok {
		return &covered{m, c, r}, m.Record(r)
	}
	s, err := interp.New(c.plan.Design, interp.Record(r))
	return &covered{s, c, r}, err
}

// covered is a simulation that records coverage.
type covered struct {
	sim.Simulator
	coverage *coverage
	recorder *cover.Recorder
}

// Close implements sim.Simulator.
func (s *covered) Close() error {
	c, r := s.coverage, s.recorder.Record()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.all == nil {
		c.all = r
	} else if err := c.all.Merge(r); err != nil {
		return err
	}
	return s.Simulator.Close()
}
