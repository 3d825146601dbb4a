package docs_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// scatter applies the permutation as its section defines it, in whole numbers. A shift to the
// right is a division, and m-bit arithmetic is a remainder.
func scatter(keys []uint64, w int, id uint64) uint64 {
	power := func(n int) uint64 { return 1 << n }
	low := w / 2
	m := w - low
	f := func(x, k uint64) uint64 {
		x = (x + k) % power(m)
		x = 9 * x % power(m)
		x ^= x / power(m/2)
		turn := m/2 - 1
		x = (x + x*power(turn)%power(m) + x/power(m-turn)) % power(m)
		return x ^ x/power(m/3)
	}
	hi, lo := id/power(low), id%power(low)
	for i, k := range keys {
		if i%2 == 0 {
			lo ^= f(hi, k) % power(low)
		} else {
			hi ^= f(lo, k)
		}
	}
	return hi*power(low) + lo
}

// TestPermutationOfTheDocument compares the permutation with its definition, and the number of a
// block with its formula.
func TestPermutationOfTheDocument(t *testing.T) {
	section := part(t, "### Randomizer\n", "\n### ")
	var keys []uint64
	for _, k := range regexp.MustCompile(`\b[0-9A-F]{4}\b`).FindAllString(section, -1) {
		v, err := strconv.ParseUint(k, 16, 16)
		require.NoError(t, err)
		keys = append(keys, v)
	}
	require.Len(t, keys, randomizer.Rounds)
	r := rand.New(rand.NewPCG(1, 1))
	for w := randomizer.MinWidth; w <= randomizer.MaxWidth; w++ {
		for range 1000 {
			id := r.Uint64N(1 << w)
			key := scatter(keys, w, id)
			require.EqualValues(t, key, randomizer.Permute(w, uint32(id)), "%d bits, id %d", w, id)
			require.EqualValues(t, id, randomizer.Invert(w, uint32(key)), "%d bits, id %d", w, id)
		}
	}
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		banks, sets, ways := uint64(p.Banks), uint64(p.Blocks/p.Ways/p.Banks), uint64(p.Ways)
		for range 1000 {
			id, way := r.Uint64N(1<<p.IDBits()), r.Uint64N(ways)
			key := scatter(keys, p.IDBits(), id)
			block := (key/banks%sets*banks+key%banks)*ways + way
			require.EqualValues(t, block, eal.PlaceOf(p, randomizer.Permute(p.IDBits(), uint32(id))).BlockNumber(p, int(way)))
		}
	}
}
