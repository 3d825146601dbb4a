package fp32

import "github.com/hotline-rtl/hotline/hw"

// Mul computes the product of two numbers.
type Mul struct{}

// ModuleName distinguishes it from other multipliers.
func (Mul) ModuleName() string { return "fp32_mul" }

// signedExp is the width of an exponent that may exceed the range of the format.
const signedExp = expBits + 2

// Build describes the multiplier.
func (Mul) Build(m *hw.Module) Ports {
	m.Doc("IEEE 754 binary32 multiplier: normalise, multiply by thirds, add, denormalise, round.")
	io := hw.Ports[Ports](m)
	io.YValid.Set(delay(m, io.Valid))

	// 1: put a subnormal operand second, and shift it to a leading one with an exponent below 1.
	// If both operands are subnormal, the product is at most a sticky bit.
	a, b := unpack(io.A).named("a"), unpack(io.B).named("b")
	swap := a.Sig.Bit(fracBits).Not().As("swap")
	inOrder := func(a, b hw.Bits) (first, second hw.Bits) { return hw.Mux(swap, b, a), hw.Mux(swap, a, b) }
	sig1, sig2 := inOrder(a.Sig, b.Sig)
	exp1, exp2 := inOrder(a.Exp, b.Exp)
	sig2 = sig2.As("second_sig")
	zeros := leadingZeros(sig2).As("zeros")

	s := stage{m, 1}
	sig1, sig2 = s.reg("first_sig", sig1), s.reg("second_sig", sig2.Shl(zeros))
	exp1 = s.reg("first_exp", exp1)
	exp2 = s.reg("second_exp", exp2.Ext(signedExp).Sub(zeros.Ext(signedExp)))
	sign := s.reg("sign", a.Sign.Xor(b.Sign))
	inf := s.reg("inf", a.Inf.Or(b.Inf))
	nan := s.reg("nan", a.NaN.Or(b.NaN).Or(a.Inf.And(b.Zero)).Or(a.Zero.And(b.Inf)))

	// 2: multiply by each third of the second significand, and compute the exponent for the top
	// bit.
	const third = sigBits / 3
	part := func(k int) hw.Bits {
		return sig1.Ext(sigBits + third).Mul(sig2.Slice((k+1)*third-1, k*third).Ext(sigBits + third))
	}
	exp := exp1.Ext(signedExp).Add(exp2).Sub(hw.Named("bias_minus_1", bias-1)).As("sum_exp")

	s = stage{m, 2}
	low, middle, high := s.reg("low", part(0)), s.reg("middle", part(1)), s.reg("high", part(2))
	exp = s.reg("exp", exp)
	sign, inf, nan = s.reg("sign", sign), s.reg("inf", inf), s.reg("nan", nan)

	// 3: add the partial products.
	top := hw.Cat(high, hw.Zeros(third)).Add(middle.Ext(sigBits + 2*third)).Add(low.Slice(sigBits+third-1, third).Ext(sigBits + 2*third))
	product := hw.Cat(top, low.Trunc(third))
	tiny := exp.Bit(signedExp - 1).Or(exp.IsZero()) // exponent below 1
	lowest, shift := exp.Eq(hw.K(1)), hw.K(1).Sub(exp)

	s = stage{m, 3}
	product, exp = s.reg("product", product), s.reg("exp", exp)
	tiny, lowest, shift = s.reg("tiny", tiny), s.reg("lowest", lowest), s.reg("shift", shift)
	sign, inf, nan = s.reg("sign", sign), s.reg("inf", inf), s.reg("nan", nan)

	// 4: denormalise to an exponent of at least 1, with a leading one where the exponent permits.
	sig := jam(product, wideBits).As("sig")
	down := shiftSticky(sig, shift)
	ready := sig.Bit(wideBits - 1).Or(lowest)
	exp = hw.Mux(ready, exp, exp.Dec()).As("final_exp")

	s = stage{m, 4}
	out := result{
		Sign: s.reg("sign", sign),
		Exp:  s.reg("exp", exp.Trunc(expBits)),
		Sig:  s.reg("sig", hw.Mux(tiny, down, hw.Mux(ready, sig, sig.Shl(hw.K(1))))),
		Inf:  s.reg("inf", inf.Or(tiny.Not().And(exp.Ge(hw.Named("inf_exp", infExp))))),
		NaN:  s.reg("nan", nan),
	}

	// 5: round.
	io.Y.Set(stage{m, 5}.reg("y", round(out)))
	return io
}
