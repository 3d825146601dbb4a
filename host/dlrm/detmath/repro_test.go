package detmath

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// within asserts that got differs from want by at most ulps units in the last place.
func within(t *testing.T, want, got float64, ulps int64, x float64) {
	t.Helper()
	d := int64(math.Float64bits(want)) - int64(math.Float64bits(got))
	require.LessOrEqual(t, max(d, -d), ulps, "at %v: want %v, got %v", x, want, got)
}

func TestExpMatchesStandardLibrary(t *testing.T) {
	s := NewStream(1)
	for range 20000 {
		for _, scale := range []float64{1e-9, 1, 40, 700} {
			x := (2*s.Float64() - 1) * scale
			within(t, math.Exp(x), Exp(x), 3, x)
		}
	}
}

func TestLogMatchesStandardLibrary(t *testing.T) {
	s := NewStream(2)
	for range 20000 {
		for _, x := range []float64{s.Float64(), 1 + 1e-6*s.Normal(), math.Exp(600 * s.Normal() / 4), 1 + float64(s.Uint64()%1000)} {
			within(t, math.Log(x), Log(x), 3, x)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	require.Equal(t, 1.0, Exp(0))
	require.Equal(t, 0.0, Exp(math.Inf(-1)))
	require.Equal(t, math.Inf(1), Exp(math.Inf(1)))
	require.Equal(t, math.Inf(1), Exp(709.8))
	require.Equal(t, math.SmallestNonzeroFloat64, Exp(-744.6))
	require.True(t, math.IsNaN(Exp(math.NaN())))
	require.Equal(t, 0.0, Log(1))
	require.Equal(t, math.Inf(-1), Log(0))
	require.Equal(t, math.Inf(1), Log(math.Inf(1)))
	require.True(t, math.IsNaN(Log(-1)))
	require.True(t, math.IsNaN(Log(math.NaN())))
	require.InEpsilon(t, -1074*math.Ln2, Log(math.SmallestNonzeroFloat64), 1e-15)
	require.InEpsilon(t, 8, Pow(2, 3), 1e-15)
	require.InEpsilon(t, 1/math.Sqrt(10), Pow(10, -0.5), 1e-15)
}

func TestSplitOfLn2(t *testing.T) {
	ln2, _, err := big.ParseFloat("0.693147180559945309417232121458176568075500134360255254120680009", 10, 200, big.ToNearestEven)
	require.NoError(t, err)
	rest := new(big.Float).Sub(ln2, big.NewFloat(ln2Hi))
	low, _ := rest.Float64()
	require.Equal(t, low, ln2Lo)
	require.Zero(t, math.Float64bits(ln2Hi)&(1<<21-1))
}

// TestPinnedBits detects changes of this package that would change the parameters of every model.
func TestPinnedBits(t *testing.T) {
	require.Equal(t, uint64(0x4005bf0a8b14576a), math.Float64bits(Exp(1)))
	require.Equal(t, uint64(0x3fe62e42fefa39ef), math.Float64bits(Log(2)))
	require.Equal(t, pinnedHash, Hash(1, 2, 3))
	require.Equal(t, pinnedNormal, math.Float64bits(NewStream(7).Normal()))
}

func TestHashSeparatesKeys(t *testing.T) {
	seen := map[uint64]bool{}
	for _, key := range [][]uint64{{}, {0}, {0, 0}, {1}, {0, 1}, {1, 0}, {1, 1}, {golden}, {1 << 63}} {
		h := Hash(key...)
		require.False(t, seen[h], "%v", key)
		seen[h] = true
	}
	// Consecutive keys must differ in about half of the bits.
	flips := 0
	for i := range uint64(1000) {
		for d := Hash(5, i) ^ Hash(5, i+1); d != 0; d &= d - 1 {
			flips++
		}
	}
	require.InDelta(t, 32000, flips, 500)
}

func TestMoments(t *testing.T) {
	const n = 100000
	s := NewStream(3)
	var mean, square, cube, fourth float64
	for range n {
		x := s.Normal()
		mean += x / n
		square += x * x / n
		cube += x * x * x / n
		fourth += x * x * x * x / n
	}
	require.InDelta(t, 0, mean, 0.02)
	require.InDelta(t, 1, square, 0.02)
	require.InDelta(t, 0, cube, 0.05)
	require.InDelta(t, 3, fourth, 0.1)
	var buckets [16]int
	for range n {
		buckets[int(16*s.Float64())]++
	}
	for _, b := range buckets {
		require.InDelta(t, n/16, b, 400)
	}
}

const (
	pinnedHash   uint64 = 0x4e2889b21ba43ff3
	pinnedNormal uint64 = 0x3fe1c6d8943ee42f
)
