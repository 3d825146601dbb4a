package accel

import (
	"fmt"
	"hash/crc32"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// The numbers of this file are those of the hardware's reference models.

func TestPermutationIsThatOfTheHardware(t *testing.T) {
	for _, c := range []struct {
		width   int
		id, key uint32
	}{
		{12, 0, 0x802}, {12, 1, 0xa98}, {12, 1000, 0x4f7}, {12, 4095, 0x727},
		{22, 0, 0x27617e}, {22, 1, 0x32b99a}, {22, 1000, 0x338714}, {22, 4194303, 0x16f466},
		{31, 0, 0x2ac2f577}, {31, 1, 0x74e40c5c}, {31, 1000, 0x44fb9e1c}, {31, 2147483647, 0xd3bbdd7},
	} {
		p := permutation{c.width}
		require.Equal(t, c.key, p.apply(c.id), "%d bits", c.width)
		require.Equal(t, c.id, p.invert(c.key), "%d bits", c.width)
	}
}

func TestPermutationIsOneToOne(t *testing.T) {
	for width := 12; width <= 15; width++ {
		p, seen := permutation{width}, map[uint32]bool{}
		for id := range uint32(1) << width {
			key := p.apply(id)
			require.Less(t, key, uint32(1)<<width)
			require.False(t, seen[key])
			seen[key] = true
			require.Equal(t, id, p.invert(key))
		}
	}
}

func TestTrackerLearnsAsTheHardware(t *testing.T) {
	p := Small()
	tr := newTracker(p)
	r := rand.New(rand.NewSource(5))
	sum, hits := crc32.NewIEEE(), 0
	for range 50000 {
		id := uint32(r.ExpFloat64()*3000) & (1<<p.IDBits() - 1)
		block, hit := tr.learn(id)
		if hit {
			hits++
		}
		fmt.Fprintln(sum, id, block, hit)
	}
	require.Equal(t, 28366, hits)
	require.EqualValues(t, 4034839656, sum.Sum32(), "blocks and hits of 50,000 accesses")

	sum.Reset()
	entries := 0
	for block := range tr.blocks {
		if id, valid := tr.id(block); valid {
			entries++
			fmt.Fprintln(sum, id, block)
			at, hit := tr.probe(id)
			require.True(t, hit)
			require.Equal(t, block, at)
		}
	}
	require.Equal(t, 4094, entries)
	require.EqualValues(t, 3247893993, sum.Sum32(), "the hot set")
}

func TestVictim(t *testing.T) {
	set := func(rrpv ...int) []block {
		var s []block
		for _, r := range rrpv {
			b := validBit | 7
			if r < 0 {
				b = 0
			}
			s = append(s, b|block(max(r, 0))<<rrpvShift)
		}
		return s
	}
	for _, c := range []struct {
		before []int
		way    int
		after  []int
	}{
		{[]int{2, -1, 3, -1}, 1, []int{2, -1, 3, -1}}, // an invalid way; nothing ages
		{[]int{0, 3, 1, 3}, 1, []int{0, 3, 1, 3}},     // the lowest far one
		{[]int{0, 2, 1, 2}, 1, []int{1, 3, 2, 3}},
		{[]int{0, 0, 0, 0}, 0, []int{3, 3, 3, 3}},
	} {
		s := set(c.before...)
		require.Equal(t, c.way, victim(s), "%v", c.before)
		require.Equal(t, set(c.after...), s, "%v", c.before)
	}
}

func TestValidate(t *testing.T) {
	require.NoError(t, Small().Validate())
	require.NoError(t, Paper().Validate())
	require.Equal(t, 22, Small().IDBits())
	require.Equal(t, 31, Paper().IDBits())

	p := Small()
	p.Engines, p.GPUs = 3, 8
	require.EqualError(t, p.Validate(), "accelerator: engines is 3, expected a power of two from 4 to 256\naccelerator: GPUs is 8, expected a power of two from 1 to 4")
	p = Small()
	p.TagBits = 30
	require.EqualError(t, p.Validate(), "accelerator: tag bits is 30 and a row id has 39 bits, expected 12 to 31")
	p = Small()
	p.EDRAMWords = 100
	require.EqualError(t, p.Validate(), "accelerator: eDRAM words is 100, expected a multiple of 16 up to 16777216")
}
