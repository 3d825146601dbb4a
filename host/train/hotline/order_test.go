package hotline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
)

// TestReorderingHost: a root complex and a switch that reorder TLPs in any legal way change no bit
// of a training, and no command is repeated.
func TestReorderingHost(t *testing.T) {
	base := surviving(t).Baseline(t)
	for _, hardware := range []bool{false, true} {
		for seed := range uint64(6) {
			if hardware && seed > 1 {
				break
			}
			j := surviving(t)
			j.hardware = hardware
			s, h := j.hotline(t)
			s.Root.Reorder(des.Microsecond, seed)
			s.Switch.Reorder(des.Microsecond, seed)
			_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
			require.NoError(t, err)
			require.Zero(t, h.Driver().Survived())
			_, err = train.Compare(base, h)
			require.NoError(t, err)
		}
	}
}

// TestCardAsksForStrictOrder: TLPs of the accelerator must not pass a write.
func TestCardAsksForStrictOrder(t *testing.T) {
	j := surviving(t)
	s, h := j.hotline(t)
	kinds := map[pcie.Kind]bool{}
	s.Slot().Observe(func(dir link.Direction, _ des.Time, x *pcie.TLP) {
		if dir == link.Up {
			kinds[x.Kind] = true
			require.Zero(t, x.Attr, "%v", x)
		}
	})
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	require.True(t, kinds[pcie.MRd] && kinds[pcie.MWr])
}
