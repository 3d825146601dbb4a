package fp32

import "github.com/hotline-rtl/hotline/hw"

// Mul is the product of two numbers.
type Mul struct{}

// ModuleName tells it from other multipliers.
func (Mul) ModuleName() string { return "fp32_mul" }

// signedExp is the width of an exponent that may leave the range of the format.
const signedExp = expBits + 2

// Build describes the multiplier.
func (Mul) Build(m *hw.Module) Ports {
	m.Doc("IEEE 754 binary32 multiplier: normalise, multiply by thirds, add, denormalise, round.")
	io := hw.Ports[Ports](m)
	io.YValid.Set(delay(m, io.Valid))

	// 1: subnormal operands get a leading one and an exponent below 1.
	a, b := unpack(io.A).named("a"), unpack(io.B).named("b")
	zerosA, zerosB := leadingZeros(a.Sig).As("a_zeros"), leadingZeros(b.Sig).As("b_zeros")

	s := stage{m, 1}
	sigA, sigB := s.reg("a_sig", a.Sig.Shl(zerosA)), s.reg("b_sig", b.Sig.Shl(zerosB))
	expA := s.reg("a_exp", a.Exp.Ext(signedExp).Sub(zerosA.Ext(signedExp)))
	expB := s.reg("b_exp", b.Exp.Ext(signedExp).Sub(zerosB.Ext(signedExp)))
	sign := s.reg("sign", a.Sign.Xor(b.Sign))
	inf := s.reg("inf", a.Inf.Or(b.Inf))
	nan := s.reg("nan", a.NaN.Or(b.NaN).Or(a.Inf.And(b.Zero)).Or(a.Zero.And(b.Inf)))

	// 2: the products with each third of b and, for the top bit of all, the exponent.
	const third = sigBits / 3
	part := func(k int) hw.Bits {
		return sigA.Ext(sigBits + third).Mul(sigB.Slice((k+1)*third-1, k*third).Ext(sigBits + third))
	}
	exp := expA.Add(expB).Sub(hw.K(126)).As("sum_exp")

	s = stage{m, 2}
	low, middle, high := s.reg("low", part(0)), s.reg("middle", part(1)), s.reg("high", part(2))
	exp = s.reg("exp", exp)
	sign, inf, nan = s.reg("sign", sign), s.reg("inf", inf), s.reg("nan", nan)

	// 3: the product.
	top := hw.Cat(high, hw.Zeros(third)).Add(middle.Ext(sigBits + 2*third)).Add(low.Slice(sigBits+third-1, third).Ext(sigBits + 2*third))
	product := hw.Cat(top, low.Trunc(third))
	tiny := exp.Bit(signedExp - 1).Or(exp.IsZero()) // below 1
	lowest, shift := exp.Eq(hw.K(1)), hw.K(1).Sub(exp)

	s = stage{m, 3}
	product, exp = s.reg("product", product), s.reg("exp", exp)
	tiny, lowest, shift = s.reg("tiny", tiny), s.reg("lowest", lowest), s.reg("shift", shift)
	sign, inf, nan = s.reg("sign", sign), s.reg("inf", inf), s.reg("nan", nan)

	// 4: exponent at least 1, and a leading one where that allows it.
	sig := jam(product, wideBits).As("sig")
	down := shiftSticky(sig, shift)
	ready := sig.Bit(wideBits - 1).Or(lowest)
	exp = hw.Mux(ready, exp, exp.Dec()).As("final_exp")

	s = stage{m, 4}
	out := result{
		Sign: s.reg("sign", sign),
		Exp:  s.reg("exp", exp.Trunc(expBits)),
		Sig:  s.reg("sig", hw.Mux(tiny, down, hw.Mux(ready, sig, sig.Shl(hw.K(1))))),
		Inf:  s.reg("inf", inf.Or(tiny.Not().And(exp.Ge(hw.K(infExp))))),
		NaN:  s.reg("nan", nan),
	}

	// 5: round.
	io.Y.Set(stage{m, 5}.reg("y", round(out)))
	return io
}
