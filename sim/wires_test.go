package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
)

// held outputs its input of the previous cycle.
type held struct{ Width int }

func (p held) Build(m *hw.Module) struct{ X, Y hw.Bits } {
	x, y, q := m.In("x", p.Width), m.Out("y", p.Width), m.Reg("q", p.Width, 5)
	q.Set(x)
	y.Set(q)
	return struct{ X, Y hw.Bits }{x, y}
}

// framed adds the Framed interface to a Simulator and counts the calls.
type framed struct {
	sim.Simulator
	sets, gets int
}

func (f *framed) SetFrame(in []uint64) {
	f.sets++
	f.SetReset(in[0] != 0)
	f.Set(0, in[1:])
}

func (f *framed) GetFrame(out []uint64) {
	f.gets++
	f.Get(1, out)
}

func TestWires(t *testing.T) {
	_, a := engine(t, held{70})
	_, b := engine(t, held{70})
	f := &framed{Simulator: b}
	for _, s := range []sim.Simulator{a, f} {
		w := sim.NewWires(s)
		x, y := w.Find("x"), w.Find("y")
		cycle := func() {
			w.Drive()
			require.NoError(t, s.Step())
			w.Settle()
		}
		x.Words()[0], x.Words()[1] = 9, 63
		cycle()
		require.Equal(t, []uint64{9, 63}, y.Words())
		x.Set(3)
		require.Equal(t, []uint64{9, 63}, y.Words(), "nothing has been carried")
		cycle()
		require.Equal(t, []uint64{3, 0}, y.Words())
		require.True(t, y.Bool())
		w.SetReset(true)
		cycle()
		require.EqualValues(t, 5, y.Get())
		w.SetReset(false)
		x.SetBool(false)
		cycle()
		require.False(t, y.Bool())
	}
	require.Equal(t, 4, f.sets)
	require.Equal(t, 4, f.gets)
}

func TestWireRefusesWhatDoesNotFit(t *testing.T) {
	_, s := engine(t, echo{2})
	w := sim.NewWires(s)
	require.PanicsWithValue(t, "sim: 0x9 does not fit in port x of 2 bits", func() { w.Find("x").Set(9) })
	require.PanicsWithValue(t, "sim: no port z", func() { w.Find("z") })
}
