package fp32

import "github.com/hotline-rtl/hotline/hw"

// MulLatency is the number of cycles from the operands of Mul to its result.
const MulLatency = 4

// Mul is the product of two numbers.
type Mul struct{}

// ModuleName tells it from other multipliers.
func (Mul) ModuleName() string { return "fp32_mul" }

// signedExp is the width of an exponent that may leave the range of the format.
const signedExp = expBits + 2

// Build describes the multiplier.
func (Mul) Build(m *hw.Module) Ports {
	m.Doc("IEEE 754 binary32 multiplier: normalise, multiply, denormalise, round.")
	io := hw.Ports[Ports](m)
	io.YValid.Set(delay(m, io.Valid, MulLatency))

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

	// 2: the product and, for its top bit, the exponent.
	product := sigA.Ext(2 * sigBits).Mul(sigB.Ext(2 * sigBits))
	exp := expA.Add(expB).Sub(hw.K(126)).As("sum_exp")
	tiny := exp.Bit(signedExp - 1).Or(exp.IsZero()) // below 1
	lowest, shift := exp.Eq(hw.K(1)), hw.K(1).Sub(exp)

	s = stage{m, 2}
	product, exp = s.reg("product", product), s.reg("exp", exp)
	tiny, lowest, shift = s.reg("tiny", tiny), s.reg("lowest", lowest), s.reg("shift", shift)
	sign, inf, nan = s.reg("sign", sign), s.reg("inf", inf), s.reg("nan", nan)

	// 3: exponent at least 1, and a leading one where that allows it.
	sig := jam(product, wideBits).As("sig")
	down := shiftSticky(sig, shift)
	ready := sig.Bit(wideBits - 1).Or(lowest)
	exp = hw.Mux(ready, exp, exp.Dec()).As("final_exp")

	s = stage{m, 3}
	out := result{
		Sign: s.reg("sign", sign),
		Exp:  s.reg("exp", exp.Trunc(expBits)),
		Sig:  s.reg("sig", hw.Mux(tiny, down, hw.Mux(ready, sig, sig.Shl(hw.K(1))))),
		Inf:  s.reg("inf", inf.Or(tiny.Not().And(exp.Ge(hw.K(infExp))))),
		NaN:  s.reg("nan", nan),
	}

	// 4: round.
	io.Y.Set(stage{m, 4}.reg("y", round(out)))
	return io
}
