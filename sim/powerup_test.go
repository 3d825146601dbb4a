package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// mixed contains all kinds of state: registers with and without reset, of one and three words, in a
// loop, and a memory. A register that is never written is not state.
type mixed struct{}

func (mixed) Build(m *hw.Module) struct{} {
	reset, data := m.Reg("reset", 40, 7), m.Data("data", 130)
	reset.Set(reset)
	data.Set(data)
	m.Out("a", 40).Set(reset)
	m.Out("b", 130).Set(data)
	both := m.OutVec("c", 3, 9)
	m.For("lane", 3, func(i hw.Index) {
		mine := m.Data("mine", 9)
		mine.Set(mine)
		both.At(i).Set(mine)
	})
	mem := m.Mem("mem", 5, 70)
	fixed := m.Data("fixed", 20)
	fixed.Set(hw.K(5))
	m.Out("f", 20).Set(fixed)
	at := m.In("at", 3)
	m.Out("d", 70).Set(mem.Read(at))
	m.When(m.In("write", 1), func() { mem.Write(at, hw.Zeros(70)) })
	m.Out("e", 5).Set(m.Mem("zeros", 8, 5).Read(at))
	kept := m.Mem("kept", 2, 8).Init(hw.Lits(8, []byte{9}))
	m.When(m.In("replace", 1), func() { kept.Write(hw.K(1), hw.Lit(8, 7)) })
	m.Out("g", 8).Set(kept.Read(at.Bit(0)))
	return struct{}{}
}

// dump returns all state by path.
func dump(s sim.Inspector) map[string][]uint64 {
	out := map[string][]uint64{}
	for i, x := range s.State() {
		for word := range max(1, x.Depth) {
			out[fmt.Sprint(x.Path, " ", word)] = slices.Clone(s.Read(i, word))
		}
	}
	return out
}

func TestPowerUp(t *testing.T) {
	d, err := hw.Elaborate(mixed{})
	require.NoError(t, err)
	started := func(seed uint64) *interp.Sim {
		s, err := interp.New(d)
		require.NoError(t, err)
		sim.PowerUp(s, seed)
		return s
	}
	s := started(1)
	first := dump(s)
	require.Equal(t, []uint64{9}, first["kept 0"], "contents stay")
	require.Equal(t, []uint64{0}, first["kept 1"])
	require.Len(t, first, 13)
	require.Equal(t, first, dump(started(1)))
	distinct := map[string]bool{}
	for path, x := range dump(started(2)) {
		if strings.HasPrefix(path, "kept") {
			require.Equal(t, first[path], x, path)
			continue
		}
		require.NotEqual(t, first[path], x, path)
		distinct[fmt.Sprint(first[path])] = true
	}
	require.Len(t, distinct, 11)

	s.SetReset(true)
	require.NoError(t, s.Step())
	first["reset 0"], first["fixed 0"] = []uint64{7}, []uint64{5}
	require.Equal(t, first, dump(s), "a reset gives registers that have one their values, and nothing else")

	s.SetReset(false)
	sim.PowerUp(s, 3)
	require.NotEqual(t, uint64(5), sim.Find(s, "f").Get())
	require.NoError(t, s.Step())
	require.Equal(t, uint64(5), sim.Find(s, "f").Get(), "a next value is taken though it is that of the edge before")
}
