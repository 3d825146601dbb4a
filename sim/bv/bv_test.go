package bv_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/bv"
)

func draw(r *rand.Rand, width int) []uint64 {
	x := make([]uint64, (width+63)/64)
	for i := range x {
		x[i] = r.Uint64()
		if r.IntN(3) == 0 {
			x[i] = []uint64{0, ^uint64(0), 1, 1 << 63}[r.IntN(4)]
		}
	}
	bv.Mask(x, width)
	return x
}

func number(x []uint64) *big.Int {
	out := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		out.Or(out.Lsh(out, 64), new(big.Int).SetUint64(x[i]))
	}
	return out
}

func mod(x *big.Int, width int) *big.Int {
	return x.Mod(x, new(big.Int).Lsh(big.NewInt(1), uint(width)))
}

func signed(x *big.Int, width int) *big.Int {
	if x.Bit(width-1) == 1 {
		return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	return x
}

// TestInPlace checks results that overwrite an operand against math/big.
func TestInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	z := func() *big.Int { return new(big.Int) }
	for _, w := range []int{1, 63, 64, 65, 127, 128, 129, 200, 512} {
		for range 50 {
			a, b, n, lo := draw(r, w), draw(r, w), r.IntN(w+10), r.IntN(w)
			x, y := number(a), number(b)
			one := map[string]struct {
				f    func(dst, a, b []uint64)
				want *big.Int
			}{
				"not":  {func(d, a, _ []uint64) { bv.Not(d, a, w) }, mod(z().Not(x), w)},
				"and":  {func(d, a, b []uint64) { bv.And(d, a, b) }, z().And(x, y)},
				"or":   {func(d, a, b []uint64) { bv.Or(d, a, b) }, z().Or(x, y)},
				"xor":  {func(d, a, b []uint64) { bv.Xor(d, a, b) }, z().Xor(x, y)},
				"add":  {func(d, a, b []uint64) { bv.Add(d, a, b, w) }, mod(z().Add(x, y), w)},
				"sub":  {func(d, a, b []uint64) { bv.Sub(d, a, b, w) }, mod(z().Sub(x, y), w)},
				"shl":  {func(d, a, _ []uint64) { bv.Shl(d, a, n, w) }, mod(z().Lsh(x, uint(n)), w)},
				"shru": {func(d, a, _ []uint64) { bv.ShrU(d, a, n) }, z().Rsh(x, uint(n))},
				"shrs": {func(d, a, _ []uint64) { bv.ShrS(d, a, n, w) }, mod(z().Rsh(signed(x, w), uint(n)), w)},
				"low":  {func(d, a, _ []uint64) { bv.Lowest(d, a) }, z().And(x, z().Neg(x))},
				"slice": {func(d, a, _ []uint64) {
					bv.Slice(d, a, lo, w-lo)
				}, z().Rsh(x, uint(lo))},
			}
			for name, c := range one {
				t.Run(fmt.Sprintf("%s%d", name, w), func(t *testing.T) {
					dst, u, v := make([]uint64, len(a)), append([]uint64(nil), a...), append([]uint64(nil), b...)
					c.f(dst, a, b)
					c.f(u, u, b)
					require.Equal(t, c.want.Text(16), number(dst).Text(16))
					if name != "slice" || (w-lo+63)/64 == len(a) {
						require.Equal(t, dst, u)
					}
					c.f(v, a, v)
					require.Equal(t, dst, v)
				})
			}
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	const w = 200
	a, b, dst, wide := draw(r, w), draw(r, w), make([]uint64, 4), make([]uint64, 8)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		bv.Not(dst, a, w)
		bv.And(dst, a, b)
		bv.Or(dst, a, b)
		bv.Xor(dst, a, b)
		bv.Add(dst, a, b, w)
		bv.Sub(dst, a, b, w)
		bv.Mul(dst, a, b, w)
		bv.Shl(dst, a, 70, w)
		bv.ShrU(dst, a, 70)
		bv.ShrS(dst, a, 70, w)
		bv.Lowest(dst, a)
		bv.Slice(dst, a, 3, w-3)
		bv.Insert(wide, 100, a, w)
		bv.SExt(wide, a, w, 500)
		bv.ZExt(wide, a)
		bv.Mask(dst, 190)
		_, _ = bv.Index(a, 40)
		_ = bv.Equal(a, b) || bv.LtU(a, b) || bv.LtS(a, b, w) || bv.IsZero(a) || bv.AllOnes(a, w) || bv.Bit(a, 5)
		_, _ = bv.PopCount(a), bv.Encode(a)
	}))
}

// TestJoin checks operators between different widths against math/big.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	z := func() *big.Int { return new(big.Int) }
	for _, w := range []int{1, 63, 64, 65, 130} {
		for range 50 {
			a, b := draw(r, w), draw(r, w)
			x, y := number(a), number(b)
			to := w + r.IntN(150)
			wide := make([]uint64, (to+63)/64)
			bv.SExt(wide, a, w, to)
			require.Equal(t, mod(z().Set(signed(x, w)), to).Text(16), number(wide).Text(16))
			bv.ZExt(wide, a)
			require.Equal(t, x.Text(16), number(wide).Text(16))

			lo := r.IntN(100)
			joined := make([]uint64, (lo+w+63)/64)
			bv.Insert(joined, lo, a, w)
			require.Equal(t, z().Lsh(x, uint(lo)).Text(16), number(joined).Text(16))

			product := make([]uint64, len(a))
			bv.Mul(product, a, b, w)
			require.Equal(t, mod(z().Mul(x, y), w).Text(16), number(product).Text(16))

			require.Equal(t, x.Cmp(y) == 0, bv.Equal(a, b))
			require.Equal(t, x.Cmp(y) < 0, bv.LtU(a, b))
			require.Equal(t, signed(x, w).Cmp(signed(y, w)) < 0, bv.LtS(a, b, w))
			require.Equal(t, x.Sign() == 0, bv.IsZero(a))
			i, ok := bv.Index(a, 40)
			require.Equal(t, x.Cmp(big.NewInt(40)) < 0, ok)
			if ok {
				require.Equal(t, x.Int64(), int64(i))
			}
			checkBits(t, a, x, w)
		}
	}
}

func checkBits(t *testing.T, a []uint64, x *big.Int, w int) {
	ones, indices := 0, 0
	for i := range w {
		require.Equal(t, x.Bit(i) == 1, bv.Bit(a, i))
		if x.Bit(i) == 1 {
			ones++
			indices |= i
		}
	}
	require.Equal(t, ones, bv.PopCount(a))
	require.Equal(t, ones == w, bv.AllOnes(a, w))
	require.Equal(t, uint64(indices), bv.Encode(a))
}

func TestDivMod(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, w := range []int{1, 63, 64, 65, 128, 200} {
		for range 50 {
			a, b := draw(r, w), draw(r, w)
			if r.IntN(2) == 0 { // to get a long quotient
				clear(b[1:])
				b[0] &= 7
			}
			wantQ, wantR := mod(big.NewInt(-1), w), number(a)
			if x, y := number(a), number(b); y.Sign() > 0 {
				wantQ, wantR = x.QuoRem(x, y, new(big.Int))
			}
			q, rest := draw(r, w), draw(r, w)
			bv.DivMod(q, rest, a, b, w)
			require.Equal(t, wantQ.Text(16), number(q).Text(16), w)
			require.Equal(t, wantR.Text(16), number(rest).Text(16), w)
		}
	}
}
