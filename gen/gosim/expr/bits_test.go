package expr

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// constant returns a random number of width bits, as words and as a number.
func constant(r *rand.Rand, width int) (words []*code.Expr, x *big.Int) {
	x = new(big.Int)
	for i := range ir.Words(width) {
		w := r.Uint64() >> max(0, 64*(i+1)-width)
		words = append(words, code.Num(w))
		x.Or(x, new(big.Int).Lsh(new(big.Int).SetUint64(w), uint(64*i)))
	}
	return words, x
}

// value returns the number that constant words represent.
func value(t *testing.T, words []*code.Expr) *big.Int {
	x := new(big.Int)
	for i, w := range words {
		n, ok := w.Number()
		require.True(t, ok, w)
		x.Or(x, new(big.Int).Lsh(new(big.Int).SetUint64(n), uint(64*i)))
	}
	return x
}

// TestJoinAndCut concatenates random constants and cuts bits from the result.
func TestJoinAndCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	others := 0
	for range 300 {
		var parts []part
		all, total := new(big.Int), 0
		for range 1 + r.IntN(6) {
			width := 1 + r.IntN(150)
			words, x := constant(r, width)
			parts = append(parts, part{words, width})
			all.Or(all, x.Lsh(x, uint(total)))
			total += width
		}
		words := join(parts)
		require.Equal(t, all.String(), value(t, words).String())
		lo := r.IntN(total)
		width := 1 + r.IntN(total-lo)
		want := new(big.Int).Rsh(all, uint(lo))
		want.And(want, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1)))
		at := fmt.Sprintf("%d bits from %d of %d", width, lo, total)
		require.Equal(t, want.String(), value(t, cut(words, total, lo, width)).String(), at)
		if lo > 0 && want.Cmp(value(t, cut(words, total, lo-1, width))) != 0 {
			others++
		}
	}
	require.Greater(t, others, 200, "negative control: bits next to these")
}

// TestSums adds and subtracts random lanes of words.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{8, 16, 32} {
		carried := 0
		for range 300 {
			width := 2 + r.IntN(size-1)
			p, mask := packing{size}, ^uint64(0)>>(64-width)
			a, b := r.Uint64()&p.every(mask), r.Uint64()&p.every(mask)
			var sum, difference, nonzero uint64
			for at := 0; at < 64; at += size {
				x, y := a>>at&mask, b>>at&mask
				sum |= (x + y) & mask << at
				difference |= (x - y) & mask << at
				if x != 0 {
					nonzero |= 1 << (at + size - 1)
				}
			}
			for n, x := range []*code.Expr{
				p.sum(ir.Add, code.Num(a), code.Num(b), width), p.sum(ir.Sub, code.Num(a), code.Num(b), width), p.nonzero(code.Num(a), width),
			} {
				got, ok := x.Number()
				require.True(t, ok)
				require.Equal(t, []uint64{sum, difference, nonzero}[n], got, "%d bits in lanes of %d of %#x and %#x", width, size, a, b)
			}
			if a+b != sum {
				carried++
			}
		}
		require.Positive(t, carried, "negative control: a sum of the words")
	}
}
