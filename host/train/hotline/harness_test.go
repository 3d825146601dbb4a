package hotline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/models/small"
)

// job is a training with its accelerator.
type job struct {
	systemtest.Job
	gpuLink link.Config
	opts    hotline.Options
	card    arch.Params

	hardware bool           // cycle-accurate simulation, with the sizes of the small configuration
	endpoint *link.Endpoint // of the accelerator, once it is in the slot
}

// newJob returns a job whose accelerator has a tracker that is too small for all rows that occur.
func newJob(t testing.TB, seed uint64, gpus int) *job {
	opts := hotline.DefaultOptions()
	opts.Sample = 0.5
	opts.Retries, opts.Driver.Retries = 0, 0 // the first fault ends the run
	sizes := arch.Small()
	sizes.Blocks = 256
	j := &job{Job: systemtest.NewJob(t, seed, gpus), gpuLink: link.DefaultConfig(), opts: opts, card: sizes}
	j.Machine = func(c *server.Config) { c.GPULink = j.gpuLink }
	return j
}

// hotline returns the system under test and its machine.
func (j *job) hotline(t testing.TB) (*server.Server, *hotline.System) {
	s, h, err := j.open(t)
	require.NoError(t, err)
	return s, h
}

func (j *job) open(t testing.TB) (*server.Server, *hotline.System, error) {
	s := j.Server(t)
	inSlot := j.accelerator(t, s)
	j.endpoint = inSlot.Endpoint()
	dev, err := s.Insert(inSlot)
	require.NoError(t, err)
	h, err := hotline.New(s, dev, j.Initial(t), j.opts)
	return s, h, err
}

func (j *job) accelerator(t testing.TB, s *server.Server) server.Card {
	if j.hardware {
		c, err := cycle.New(s.Kernel, small.New(small.Options{}), s.Config.Period, s.Config.Endpoint)
		require.NoError(t, err)
		return c
	}
	a, err := functional.New(s.Kernel, j.card, s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	return a
}

func (j *job) hybrid(t testing.TB) *hybrid.System {
	return hybrid.New(j.Server(t), j.Initial(t))
}
