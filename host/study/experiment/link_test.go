package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
)

// faulty is the run of tiny.hcl with access to the slot's link.
type faulty struct {
	t       *testing.T
	machine server.Config
	opts    hotline.Options
	start   *train.State
	base    *hybrid.System // trained
	want    train.Result
	batches *train.Batches
}

func newFaulty(t *testing.T) *faulty {
	j := newJob(t, nil)
	batches, err := train.NewBatches(j.Config.For(j.Data.Shape()), j.Data, j.Config.Training.Batch, 160)
	require.NoError(t, err)
	f := &faulty{t: t, machine: server.DefaultConfig(), opts: hotline.DefaultOptions(), batches: batches}
	f.machine.GPUs, f.machine.Period = j.Config.Training.GPUs, j.Config.Period()
	s, err := server.New(f.machine)
	require.NoError(t, err)
	f.start, err = train.Initial(j.Config.For(j.Data.Shape()), 1)
	require.NoError(t, err)
	f.base = hybrid.New(s, f.start)
	f.want, err = train.Run(f.base, f.batches, train.Unwatched{}, nil)
	require.NoError(t, err)
	return f
}

// run trains with an accelerator. It drops the writes of the accelerator for which lost returns
// true.
func (f *faulty) run(lost func(p *pcie.TLP) bool) (*hotline.System, train.Result, error) {
	s, err := server.New(f.machine)
	require.NoError(f.t, err)
	c, err := cycle.New(s.Kernel, engine(f.t), s.Config.Period, s.Config.Endpoint)
	require.NoError(f.t, err)
	dev, err := s.Insert(c)
	require.NoError(f.t, err)
	s.Slot().Inject(func(dir link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
		return link.Fate{Drop: dir == link.Up && p.Kind == pcie.MWr && lost(p)}
	})
	h, err := hotline.New(s, dev, f.start, f.opts)
	require.NoError(f.t, err)
	got, err := train.Run(h, f.batches, train.Unwatched{}, nil)
	return h, got, err
}

// TestLostInterrupts drops all interrupts, or every second one. The parameters are unchanged.
func TestLostInterrupts(t *testing.T) {
	f := newFaulty(t)
	for _, every := range []int{1, 2} {
		interrupts, lost := 0, 0
		h, got, err := f.run(func(p *pcie.TLP) bool {
			if p.Addr != f.machine.Root.Interrupts.Base {
				return false
			}
			if interrupts++; interrupts%every == 0 {
				lost++
				return true
			}
			return false
		})
		require.NoError(t, err)
		require.Equal(t, f.want.Loss, got.Loss)
		_, err = train.Compare(f.base, h)
		require.NoError(t, err)
		require.Greater(t, lost, 5)
		noticed := got.Count(hotline.CountLost)
		require.Positive(t, noticed)
		require.LessOrEqual(t, noticed, int64(lost))
	}
}

// TestLostVector drops a pooled vector. The first vectors follow the bitmaps of two mini-batches to
// both GPUs. The loss is detected, and the command is repeated.
func TestLostVector(t *testing.T) {
	f := newFaulty(t)
	for _, n := range []int{5, 40} {
		h, got, err := f.run(func(p *pcie.TLP) bool {
			if p.Addr >= gpuMemory {
				n--
			}
			return p.Addr >= gpuMemory && n == 0
		})
		require.NoError(t, err)
		require.EqualValues(t, 1, got.Count(hotline.CountRepeated))
		_, err = train.Compare(f.base, h)
		require.NoError(t, err)
	}
}
