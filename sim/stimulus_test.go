package sim_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

func testPorts() []sim.Port {
	return []sim.Port{
		{Name: "push_valid", Input: true, Type: ir.Type{Width: 1}},
		{Name: "lane_ready", Input: true, Type: ir.Type{Width: 1, Len: 70}},
		{Name: "data", Input: true, Type: ir.Type{Width: 67}},
		{Name: "q", Type: ir.Type{Width: 8, Len: 20}},
		{Name: "mode", Input: true, Type: ir.Type{Width: 3}},
	}
}

func TestFormat(t *testing.T) {
	f := sim.NewFormat(testPorts())
	require.Equal(t, []sim.Field{{Port: 0, Word: 1, Words: 1}, {Port: 1, Word: 2, Words: 2}, {Port: 2, Word: 4, Words: 2}, {Port: 4, Word: 6, Words: 1}}, f.In)
	require.Equal(t, []sim.Field{{Port: 3, Word: 0, Words: 3}}, f.Out)
	require.Equal(t, 7, f.InWords)
	require.Equal(t, 3, f.OutWords)
}

// TestRandom checks that the stimulus is reproducible and in range, includes resets, and has both
// sparse and dense handshakes.
func TestRandom(t *testing.T) {
	f := sim.NewFormat(testPorts())
	a, b, other := sim.Random(f, 1), sim.Random(f, 1), sim.Random(f, 2)
	x, y, z := make([]uint64, f.InWords), make([]uint64, f.InWords), make([]uint64, f.InWords)
	resets, same := 0, 0
	var dense, sparse bool
	window, modes := 0, map[uint64]bool{}
	for cycle := range 20000 {
		require.NoError(t, a.Next(x))
		require.NoError(t, b.Next(y))
		require.NoError(t, other.Next(z))
		require.Equal(t, x, y)
		if z[4] == x[4] {
			same++
		}
		require.LessOrEqual(t, x[0], uint64(1))
		require.Zero(t, x[1]>>1|x[3]>>6|x[5]>>3|x[6]>>3)
		if cycle < 2 {
			require.Equal(t, uint64(1), x[0])
		}
		resets += int(x[0])
		window += int(x[1])
		if cycle%64 == 63 {
			dense, sparse = dense || window == 64, sparse || window < 8
			window = 0
		}
		modes[x[6]] = true
	}
	require.Greater(t, resets, 5)
	require.Less(t, resets, 200)
	require.True(t, dense)
	require.True(t, sparse)
	require.Len(t, modes, 8)
	require.Less(t, same, 2000)
}

// three is a Stimulus that ends with an error after three cycles.
type three struct {
	cycles int
	end    error
}

func (s *three) Next([]uint64) error {
	if s.cycles == 3 {
		return s.end
	}
	s.cycles++
	return nil
}

func TestDriveEnd(t *testing.T) {
	_, s := engine(t, sums{})
	require.NoError(t, sim.Drive(s, &three{end: io.EOF}, 100))
	require.Equal(t, uint64(3), s.Cycle())
	require.Equal(t, io.ErrNoProgress, sim.Drive(s, &three{end: io.ErrNoProgress}, 100))

	d, a := engine(t, sums{})
	_, b := engine(t, sums{})
	v := sim.Verification{Design: d, A: sim.NamedBatch{Name: "a", Batch: sim.NewBlocks(a)}, B: sim.NamedBatch{Name: "b", Batch: sim.NewBlocks(b)},
		Stimulus: &three{end: io.EOF}, Cycles: 100}
	r, err := v.Run()
	require.NoError(t, err)
	require.Equal(t, uint64(3), r.Cycles)
	v.Stimulus = &three{end: io.ErrNoProgress}
	_, err = v.Run()
	require.Equal(t, io.ErrNoProgress, err)
}

// TestRandomResetsRarely: reset ports are active rarely, so the design has time to operate.
func TestRandomResetsRarely(t *testing.T) {
	f := sim.NewFormat([]sim.Port{{Name: "cfg_flr", Input: true, Type: ir.Type{Width: 1}}, {Name: "soft_reset", Input: true, Type: ir.Type{Width: 1}}})
	r, x := sim.Random(f, 1), make([]uint64, f.InWords)
	var ones [2]int
	for range 50000 {
		require.NoError(t, r.Next(x))
		ones[0], ones[1] = ones[0]+int(x[1]), ones[1]+int(x[2])
	}
	for _, n := range ones {
		require.Greater(t, n, 10)
		require.Less(t, n, 100)
	}
}
