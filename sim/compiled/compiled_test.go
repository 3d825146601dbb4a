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

// stub is a Model that simulates nothing.
type stub struct {
	Model
	level model.Level
}

func (s stub) Level() model.Level { return s.level }

func (stub) Cycle() uint64 { return 7 }

func TestNew(t *testing.T) {
	d := design(t, 4)
	s, note, err := New(d)
	require.NoError(t, err)
	require.IsType(t, &interp.Sim{}, s)
	require.Contains(t, note, "interpreted: no model")
	model.Register(ir.Hash(d), func(l model.Level) sim.Simulator { return stub{level: l.Here()} })
	s, note, err = New(d)
	require.NoError(t, err)
	require.Equal(t, uint64(7), s.Cycle())
	require.Contains(t, note, "compiled")
	require.Equal(t, model.Best.Here().String(), LevelOf(s))
	at, ok := FindAt(d, model.Portable)
	require.True(t, ok)
	require.Equal(t, "portable", LevelOf(at))
	require.Empty(t, LevelOf(nil))
	_, ok = Find(design(t, 8))
	require.False(t, ok)
}
