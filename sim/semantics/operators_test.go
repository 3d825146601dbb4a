package semantics_test

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/hotline-rtl/hotline/hw"
)

// widths are close to the word and lane sizes of engines.
var widths = []int{1, 2, 31, 32, 33, 63, 64, 65, 128}

// binary lists operators on two numbers of the same width.
var binary = []struct {
	name  string
	build func(a, b hw.Bits) hw.Bits
	want  func(a, b *big.Int, w int) *big.Int
}{
	{"add", hw.Bits.Add, func(a, b *big.Int, w int) *big.Int { return low(new(big.Int).Add(a, b), w) }},
	{"sub", hw.Bits.Sub, func(a, b *big.Int, w int) *big.Int { return low(new(big.Int).Sub(a, b), w) }},
	{"mul", hw.Bits.Mul, func(a, b *big.Int, w int) *big.Int { return low(new(big.Int).Mul(a, b), w) }},
	{"div", hw.Bits.Div, func(a, b *big.Int, w int) *big.Int {
		if b.Sign() == 0 {
			return low(big.NewInt(-1), w)
		}
		return new(big.Int).Div(a, b)
	}},
	{"mod", hw.Bits.Mod, func(a, b *big.Int, w int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		return new(big.Int).Mod(a, b)
	}},
	{"and", hw.Bits.And, func(a, b *big.Int, _ int) *big.Int { return new(big.Int).And(a, b) }},
	{"or", hw.Bits.Or, func(a, b *big.Int, _ int) *big.Int { return new(big.Int).Or(a, b) }},
	{"xor", hw.Bits.Xor, func(a, b *big.Int, _ int) *big.Int { return new(big.Int).Xor(a, b) }},
	{"eq", hw.Bits.Eq, func(a, b *big.Int, _ int) *big.Int { return truth(a.Cmp(b) == 0) }},
	{"ne", hw.Bits.Ne, func(a, b *big.Int, _ int) *big.Int { return truth(a.Cmp(b) != 0) }},
	{"lt", hw.Bits.Lt, func(a, b *big.Int, _ int) *big.Int { return truth(a.Cmp(b) < 0) }},
	{"le", hw.Bits.Le, func(a, b *big.Int, _ int) *big.Int { return truth(a.Cmp(b) <= 0) }},
	{"gt", hw.Bits.Gt, func(a, b *big.Int, _ int) *big.Int { return truth(a.Cmp(b) > 0) }},
	{"ge", hw.Bits.Ge, func(a, b *big.Int, _ int) *big.Int { return truth(a.Cmp(b) >= 0) }},
	{"signed_lt", hw.Bits.LtS, func(a, b *big.Int, w int) *big.Int { return truth(signed(a, w).Cmp(signed(b, w)) < 0) }},
	{"signed_le", func(a, b hw.Bits) hw.Bits { return a.Signed().Le(b.Signed()) }, func(a, b *big.Int, w int) *big.Int { return truth(signed(a, w).Cmp(signed(b, w)) <= 0) }},
	{"signed_gt", func(a, b hw.Bits) hw.Bits { return a.Signed().Gt(b.Signed()) }, func(a, b *big.Int, w int) *big.Int { return truth(signed(a, w).Cmp(signed(b, w)) > 0) }},
	{"signed_ge", func(a, b hw.Bits) hw.Bits { return a.Signed().Ge(b.Signed()) }, func(a, b *big.Int, w int) *big.Int { return truth(signed(a, w).Cmp(signed(b, w)) >= 0) }},
	{"signed_mul", func(a, b hw.Bits) hw.Bits { return a.Signed().Mul(b.Signed()).Bits() }, func(a, b *big.Int, w int) *big.Int {
		return low(new(big.Int).Mul(signed(a, w), signed(b, w)), w)
	}},
	{"signed_div", func(a, b hw.Bits) hw.Bits { return a.Signed().Div(b.Signed()).Bits() }, func(a, b *big.Int, w int) *big.Int {
		if b.Sign() == 0 {
			return low(big.NewInt(-1), w)
		}
		return low(new(big.Int).Quo(signed(a, w), signed(b, w)), w)
	}},
	{"signed_mod", func(a, b hw.Bits) hw.Bits { return a.Signed().Mod(b.Signed()).Bits() }, func(a, b *big.Int, w int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		return low(new(big.Int).Rem(signed(a, w), signed(b, w)), w)
	}},
}

// unary lists operators on one number.
var unary = []struct {
	name  string
	build func(a hw.Bits) hw.Bits
	want  func(a *big.Int, w int) *big.Int
}{
	{"not", hw.Bits.Not, func(a *big.Int, w int) *big.Int { return low(new(big.Int).Not(a), w) }},
	{"neg", hw.Bits.Neg, func(a *big.Int, w int) *big.Int { return low(new(big.Int).Neg(a), w) }},
	{"inc", hw.Bits.Inc, func(a *big.Int, w int) *big.Int { return low(new(big.Int).Add(a, one()), w) }},
	{"dec", hw.Bits.Dec, func(a *big.Int, w int) *big.Int { return low(new(big.Int).Sub(a, one()), w) }},
	{"all", hw.Bits.All, func(a *big.Int, w int) *big.Int { return truth(ones(a) == w) }},
	{"any", hw.Bits.Any, func(a *big.Int, w int) *big.Int { return truth(ones(a) > 0) }},
	{"is_zero", hw.Bits.IsZero, func(a *big.Int, w int) *big.Int { return truth(ones(a) == 0) }},
	{"parity", hw.Bits.Parity, func(a *big.Int, w int) *big.Int { return truth(ones(a)%2 == 1) }},
	{"count", hw.Bits.Count, func(a *big.Int, w int) *big.Int { return big.NewInt(int64(ones(a))) }},
	{"lowest", hw.Bits.Lowest, func(a *big.Int, w int) *big.Int {
		for i := range w {
			if a.Bit(i) == 1 {
				return new(big.Int).Lsh(one(), uint(i))
			}
		}
		return new(big.Int)
	}},
	{"encode", hw.Bits.Encode, func(a *big.Int, w int) *big.Int { // the bitwise OR of the indices of the set bits
		n := 0
		for i := range w {
			n |= i * int(a.Bit(i))
		}
		return big.NewInt(int64(n))
	}},
	{"signed_is_neg", func(a hw.Bits) hw.Bits { return a.Signed().IsNeg() }, func(a *big.Int, w int) *big.Int { return truth(signed(a, w).Sign() < 0) }},
	{"signed_abs", func(a hw.Bits) hw.Bits { return a.Signed().Abs() }, func(a *big.Int, w int) *big.Int { return new(big.Int).Abs(signed(a, w)) }},
	{"ext", func(a hw.Bits) hw.Bits { return a.Ext(a.Width() + 1) }, func(a *big.Int, w int) *big.Int { return a }},
	{"sext", func(a hw.Bits) hw.Bits { return a.SExt(a.Width() + 33) }, func(a *big.Int, w int) *big.Int { return low(signed(a, w), w+33) }},
	{"trunc", func(a hw.Bits) hw.Bits { return a.Trunc((a.Width() + 1) / 2) }, func(a *big.Int, w int) *big.Int { return cut(a, 0, (w+1)/2) }},
	{"slice", func(a hw.Bits) hw.Bits { return a.Slice(a.Width()-1, a.Width()/3) }, func(a *big.Int, w int) *big.Int { return cut(a, w/3, w-w/3) }},
	{"bit", func(a hw.Bits) hw.Bits { return a.Bit(a.Width() / 2) }, func(a *big.Int, w int) *big.Int { return cut(a, w/2, 1) }},
	{"repeat", func(a hw.Bits) hw.Bits { return a.Repeat(3) }, func(a *big.Int, w int) *big.Int { return join([]*big.Int{a, a, a}, w) }},
	{"rotate", func(a hw.Bits) hw.Bits { return a.RotL(5) }, func(a *big.Int, w int) *big.Int {
		out := new(big.Int)
		for i := range w {
			out.SetBit(out, (i+5)%w, a.Bit(i))
		}
		return out
	}},
	{"constant", func(a hw.Bits) hw.Bits { return hw.Wide(a.Width(), pattern(a.Width())).Xor(a) }, func(a *big.Int, w int) *big.Int { return new(big.Int).Xor(a, pattern(w)) }},
}

func ones(a *big.Int) (n int) {
	for _, w := range a.Bits() {
		n += bits.OnesCount(uint(w))
	}
	return n
}

// pattern returns a constant of width w.
func pattern(w int) *big.Int {
	x, _ := new(big.Int).SetString("c0ffee0123456789abcdef5a5a5a5a5a5a", 16)
	return low(x, w)
}

// shifts lists shifts by an amount that may exceed the width.
var shifts = []struct {
	name  string
	build func(a, n hw.Bits) hw.Bits
	want  func(a *big.Int, n uint, w int) *big.Int
}{
	{"shl", hw.Bits.Shl, func(a *big.Int, n uint, w int) *big.Int { return low(new(big.Int).Lsh(a, n), w) }},
	{"shr", hw.Bits.Shr, func(a *big.Int, n uint, w int) *big.Int { return new(big.Int).Rsh(a, n) }},
	{"shr_signed", hw.Bits.ShrS, func(a *big.Int, n uint, w int) *big.Int { return low(new(big.Int).Rsh(signed(a, w), n), w) }},
	{"decode", func(a, n hw.Bits) hw.Bits { return n.Decode(a.Width()) }, func(_ *big.Int, n uint, w int) *big.Int { return low(new(big.Int).Lsh(one(), n), w) }},
}

func operators() (out []construct) {
	add := func(name string, w int, in []int, build func(*hw.Module, []hw.Bits) hw.Bits, want func([]*big.Int) *big.Int) {
		out = append(out, construct{name: fmt.Sprintf("%s_w%d", name, w), in: in, build: build, begin: comb(want)})
	}
	for _, w := range widths {
		for _, x := range binary {
			add(x.name, w, []int{w, w}, func(_ *hw.Module, in []hw.Bits) hw.Bits { return x.build(in[0], in[1]) },
				func(in []*big.Int) *big.Int { return x.want(in[0], in[1], w) })
		}
		for _, x := range unary {
			add(x.name, w, []int{w}, func(_ *hw.Module, in []hw.Bits) hw.Bits { return x.build(in[0]) },
				func(in []*big.Int) *big.Int { return x.want(in[0], w) })
		}
		for _, x := range shifts {
			for _, amount := range []int{3, 70} {
				add(fmt.Sprintf("%s_by%d", x.name, amount), w, []int{w, amount}, func(_ *hw.Module, in []hw.Bits) hw.Bits { return x.build(in[0], in[1]) },
					func(in []*big.Int) *big.Int {
						n := uint(1000) // beyond every width
						if in[1].Cmp(big.NewInt(1000)) < 0 {
							n = uint(in[1].Uint64())
						}
						return x.want(in[0], n, w)
					})
			}
			for _, n := range []int{0, w / 2, w} {
				add(fmt.Sprintf("%s_k%d", x.name, n), w, []int{w}, func(_ *hw.Module, in []hw.Bits) hw.Bits { return x.build(in[0], hw.Lit(9, uint64(n))) },
					func(in []*big.Int) *big.Int { return x.want(in[0], uint(n), w) })
			}
		}
		add("mux", w, []int{1, w, w}, func(_ *hw.Module, in []hw.Bits) hw.Bits { return hw.Mux(in[0], in[1], in[2]) },
			func(in []*big.Int) *big.Int { return choose(in[0].Sign() > 0, in[1], in[2]) })
		add("cat", w, []int{w, 3, w}, func(_ *hw.Module, in []hw.Bits) hw.Bits { return hw.Cat(in[0], in[1], in[2]) },
			func(in []*big.Int) *big.Int {
				x := new(big.Int).Lsh(in[0], uint(w+3))
				return x.Or(x, new(big.Int).Lsh(in[1], uint(w))).Or(x, in[2])
			})
	}
	return dedupe(out)
}

// choose returns yes if c is true, else no.
func choose(c bool, yes, no *big.Int) *big.Int {
	if c {
		return yes
	}
	return no
}

// dedupe removes constructs with repeated names: shifts by equal constants.
func dedupe(list []construct) (out []construct) {
	seen := map[string]bool{}
	for _, c := range list {
		if !seen[c.name] {
			out = append(out, c)
		}
		seen[c.name] = true
	}
	return out
}
