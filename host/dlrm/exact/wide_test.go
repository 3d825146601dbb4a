package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// value returns integer i.
func (w wide) value(i int) *big.Int {
	n := new(big.Int)
	for _, word := range slices.Backward(w.at(i)[:]) {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(word))
	}
	if n.Bit(64*wideWords-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 64*wideWords))
	}
	return n
}

// anyFloat returns random floats. In many cases they have few bits, so that products are exact, or
// long runs of ones, so that carries propagate far.
func anyFloat(rng *rand.Rand) float32 {
	for {
		b := rng.Uint32()
		switch rng.IntN(3) {
		case 0:
			b &^= 1<<rng.IntN(24) - 1
		case 1:
			b |= 1<<rng.IntN(24) - 1
		}
		if v := math.Float32frombits(b); v-v == 0 {
			return v
		}
	}
}

func TestWideAdds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	w, other := newWide(2), newWide(2)
	want, wantOther := new(big.Int), new(big.Int)
	for range 100_000 {
		y, x := anyFloat(rng), anyFloat(rng)
		w.addProduct(1, split(y), split(x))
		want.Add(want, units(y, x))
		n := rng.Int64() >> rng.IntN(64)
		if rng.IntN(2) == 0 {
			n = -n
		}
		w.addUnits(1, n)
		want.Add(want, big.NewInt(n))
		other.addUnits(1, n)
		wantOther.Add(wantOther, big.NewInt(n))
		require.Zero(t, want.Cmp(w.value(1)), "%v*%v", y, x)
	}
	w.merge(other)
	require.Zero(t, want.Add(want, wantOther).Cmp(w.value(1)))
	require.Zero(t, w.value(0).Sign())
}

// TestWideProducts adds only one product at a time, so that a wrong last bit is visible.
func TestWideProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		y, x := anyFloat(rng), float32(math.Ldexp(1+float64(rng.IntN(1<<23))/(1<<23), rng.IntN(100)-70))
		y = float32(math.Ldexp(1+float64(math.Float32bits(y)&(1<<23-1))/(1<<23), rng.IntN(60)-50))
		w := newWide(1)
		w.addProduct(0, split(y), split(x))
		require.Zero(t, units(y, x).Cmp(w.value(0)), "%v*%v", y, x)
	}
}

// TestWideRounds tests mainly numbers near the midpoint between two float32 values.
func TestWideRounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		n := big.NewInt(1<<24 + rng.Int64N(1<<24)) // 25 bits: the last is half a unit of a float32
		up := rng.IntN(300)
		n.Lsh(n, uint(up))
		n.Add(n, big.NewInt(rng.Int64N(3)-1))
		if rng.IntN(4) == 0 {
			n.Rsh(n, uint(rng.IntN(40)))
		}
		if rng.IntN(2) == 0 {
			n.Neg(n)
		}
		w := newWide(1)
		for k := range wideWords {
			word := new(big.Int).Rsh(n, uint(64*k))
			w[k] = word.And(word, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		}
		require.Zero(t, n.Cmp(w.value(0)))
		want, _ := new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), gridBits)).Float32()
		require.Equal(t, want, w.round(0), "%v", n)
	}
}

func BenchmarkAddProduct(b *testing.B) {
	w, y, x := newWide(1000), split(-6.789e3), split(1.2345e6)
	for b.Loop() {
		for i := range 1000 {
			w.addProduct(i, y, x)
		}
	}
}
