package cosim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/card"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
)

// TestLostInterrupts runs the design of tiny.hcl, of whose interrupts every n-th
// is lost on the link.
func TestLostInterrupts(t *testing.T) {
	j := newJob(t, nil)
	model := j.Config.DLRM(j.Data)
	batches, err := train.NewBatches(model, j.Data, j.Config.Training.Batch)
	require.NoError(t, err)
	machine := func() *server.Server {
		cfg := server.DefaultConfig()
		cfg.Machine.GPUs, cfg.Period = j.Config.Training.GPUs, j.Config.Period()
		s, err := server.New(cfg)
		require.NoError(t, err)
		return s
	}
	base, err := hybrid.New(machine(), model, hybrid.DefaultOptions(1))
	require.NoError(t, err)
	want, err := train.Run(base, batches, nil)
	require.NoError(t, err)

	for _, every := range []int{1, 2} {
		s := machine()
		c, err := card.New(s.Kernel, engine(t), s.Config.Period, s.Config.Endpoint)
		require.NoError(t, err)
		dev, err := s.Insert(c)
		require.NoError(t, err)
		interrupts, lost := 0, 0
		s.Slot().Inject(func(dir link.Direction, _ node.Time, p *pcie.TLP) (fate link.Fate) {
			if dir == link.Up && p.Kind == pcie.MWr && p.Addr == s.Config.Root.Interrupts.Base {
				if interrupts++; interrupts%every == 0 {
					lost, fate.Drop = lost+1, true
				}
			}
			return fate
		})
		h, err := hotline.New(s, dev, model, hotline.DefaultOptions(1))
		require.NoError(t, err)
		got, err := train.Run(h, batches, nil)
		require.NoError(t, err)
		require.Equal(t, want.Loss, got.Loss)
		_, err = train.Compare(base, h)
		require.NoError(t, err)
		require.Greater(t, lost, 5)
		noticed := got.Count(hotline.CountLost)
		require.Positive(t, noticed)
		require.LessOrEqual(t, noticed, int64(lost))
	}
}
