package eal

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

func TestPlaceSplitsAndJoins(t *testing.T) {
	p := arch.Paper()
	l := PlaceOf(p, 0x5ABC_DEF1)
	require.Equal(t, Place{Bank: 0x31, Set: 0x37B, Tag: 0x5ABC_DEF1 >> 18}, l)
	require.Equal(t, (0x37B*64+0x31)*8+5, l.BlockNumber(p, 5))
	r := rand.New(rand.NewSource(1))
	for range 1000 {
		key := r.Uint32() & (1<<p.IDBits() - 1)
		require.Equal(t, key, PlaceOf(p, key).Key(p))
	}
}

// tiny returns small sizes, with sets of 4 ways.
func tiny() arch.Params {
	p := arch.Small()
	p.Engines, p.Banks, p.Ways, p.Blocks, p.QueueDepth, p.Window, p.TagBits = 4, 4, 4, 256, 2, 8, 13
	return p
}

func TestAccessFollowsSRRIP(t *testing.T) {
	p := tiny()
	tr := NewTracker(p)
	key := func(tag uint32) uint32 { return Place{Bank: 2, Set: 3, Tag: tag}.Key(p) }
	rrpv := func() (out []RRPV) {
		for _, b := range tr.Set(2, 3) {
			out = append(out, b.RRPV)
		}
		return out
	}
	steps := []struct {
		tag  uint32
		hit  bool
		way  int
		rrpv []RRPV
	}{
		{10, false, 0, []RRPV{2, 0, 0, 0}}, // invalid ways first, lowest first
		{11, false, 1, []RRPV{2, 2, 0, 0}},
		{12, false, 2, []RRPV{2, 2, 2, 0}},
		{10, true, 0, []RRPV{0, 2, 2, 0}},  // a hit is near
		{13, false, 3, []RRPV{0, 2, 2, 2}}, // no ageing while a way is invalid
		{14, false, 1, []RRPV{1, 2, 3, 3}}, // all blocks age by one, the lowest distant way is evicted
		{15, false, 2, []RRPV{1, 2, 2, 3}}, // way 2 is already distant
		{16, false, 3, []RRPV{1, 2, 2, 2}},
		{11, false, 1, []RRPV{2, 2, 3, 3}},
		{10, true, 0, []RRPV{0, 2, 3, 3}},
	}
	for i, s := range steps {
		hit, way := tr.Access(key(s.tag))
		require.Equal(t, s.hit, hit, "step %d", i)
		require.Equal(t, s.way, way, "step %d", i)
		require.Equal(t, s.rrpv, rrpv(), "step %d", i)
	}
	for tag, way := range map[uint32]int{10: 0, 11: 1, 15: 2, 16: 3} {
		hit, w := tr.Probe(key(tag))
		require.True(t, hit)
		require.Equal(t, way, w)
	}
	hit, way := tr.Probe(key(12))
	require.False(t, hit)
	require.Zero(t, way)
}

func TestAllNearAgesByThree(t *testing.T) {
	p := tiny()
	tr := NewTracker(p)
	for range 2 {
		for tag := range uint32(4) {
			tr.Access(Place{Tag: tag}.Key(p))
		}
	}
	hit, way := tr.Access(Place{Tag: 9}.Key(p))
	require.False(t, hit)
	require.Equal(t, 0, way)
	require.Equal(t, []Entry{{true, 2, 9}, {true, 3, 1}, {true, 3, 2}, {true, 3, 3}}, tr.Set(0, 0))
}

func TestScanGivesEveryHeldKeyAtItsBlock(t *testing.T) {
	p := tiny()
	tr := NewTracker(p)
	r := rand.New(rand.NewSource(3))
	for range 150 {
		tr.Access(r.Uint32() & (1<<p.IDBits() - 1))
	}
	last, n := -1, 0
	tr.Scan(func(key uint32, block int) {
		require.Greater(t, block, last, "in ascending order of blocks")
		hit, way := tr.Probe(key)
		require.True(t, hit)
		require.Equal(t, block, PlaceOf(p, key).BlockNumber(p, way))
		last, n = block, n+1
	})
	require.Greater(t, n, 100)
}
