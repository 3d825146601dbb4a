package compiled

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/compiled/testdata/lanes"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func design(t *testing.T, count int) *ir.Design {
	d, err := hw.Elaborate(lanes.Lanes{Count: count})
	require.NoError(t, err)
	return d
}

// stub is a Model that runs nothing.
type stub struct{ Model }

func (stub) Cycle() uint64 { return 7 }

func TestNew(t *testing.T) {
	d := design(t, 4)
	s, note, err := New(d)
	require.NoError(t, err)
	require.IsType(t, &interp.Sim{}, s)
	require.Contains(t, note, "interpreted: no model")
	model.Register(ir.Hash(d), func() sim.Simulator { return stub{} })
	s, note, err = New(d)
	require.NoError(t, err)
	require.Equal(t, uint64(7), s.Cycle())
	require.Contains(t, note, "compiled")
	_, ok := Find(design(t, 8))
	require.False(t, ok)
}
