package external

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
)

// toggle has a register without initialisation and a register with a reset.
type toggle struct{}

func (toggle) Build(m *hw.Module) struct{} {
	a, b := m.Data("a", 1), m.Reg("b", 1, 0)
	a.Set(a.Not())
	b.Set(b.Not())
	m.Out("never", 1).Set(a)
	m.Out("reset", 1).Set(b)
	return struct{}{}
}

// TestFourState: state is not zeroed, so a register becomes known only by its reset.
func TestFourState(t *testing.T) {
	need(t, "icarus")
	p, err := FourState(design(t, toggle{}), buildsDir)
	require.NoError(t, err)
	out := make([]uint64, 2*4)
	require.NoError(t, p.RunBlock([]uint64{0, 1, 0, 0}, out))
	require.Equal(t, []uint64{1, 1, 1, 1, 1, 0, 1, 0}, p.Unknown())
	require.Equal(t, uint64(0), out[5])
	require.Equal(t, uint64(1), out[7])
	require.NoError(t, p.Close())
}

// TestStateSetTooLate: state can only be set before the first evaluation. Afterwards, Verilator
// would not update the logic that depends on it.
func TestStateSetTooLate(t *testing.T) {
	need(t, "verilator")
	u, err := NewUnoptimized(buildsDir)
	require.NoError(t, err)
	p, err := u.Verilator(design(t, toggle{}), buildsDir)
	require.NoError(t, err)
	sim.PowerUp(p, 1)
	require.NoError(t, p.Step())
	sim.PowerUp(p, 1)
	require.ErrorContains(t, p.Step(), "is written after the first look at the outputs")
}
