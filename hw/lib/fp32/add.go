package fp32

import "github.com/hotline-rtl/hotline/hw"

// Add computes the sum of two numbers.
type Add struct{}

// ModuleName distinguishes it from other adders.
func (Add) ModuleName() string { return "fp32_add" }

// Build describes the adder.
func (Add) Build(m *hw.Module) Ports {
	m.Doc("IEEE 754 binary32 adder: order, align, add, normalise, round.")
	io := hw.Ports[Ports](m)
	io.YValid.Set(delay(m, io.Valid))

	// 1: put the operand of larger magnitude first. A NaN is larger than any number.
	swap := io.A.Trunc(31).Lt(io.B.Trunc(31)).As("swap")
	greater := unpack(hw.Mux(swap, io.B, io.A).As("greater")).named("greater")
	lesser := unpack(hw.Mux(swap, io.A, io.B).As("lesser")).named("lesser")
	opposite := greater.Sign.Xor(lesser.Sign).As("opposite")

	s := stage{m, 1}
	subtract := s.reg("subtract", opposite)
	exp, distance := s.reg("exp", greater.Exp), s.reg("distance", greater.Exp.Sub(lesser.Exp))
	sigG, sigL := s.reg("greater", greater.Sig), s.reg("lesser", lesser.Sig)
	sign, zeroSign := s.reg("sign", greater.Sign), s.reg("zero_sign", greater.Sign.And(lesser.Sign))
	inf := s.reg("inf", greater.Special)
	nan := s.reg("nan", greater.NaN.Or(lesser.Special.And(opposite)))

	// 2: align both to the exponent of the larger operand.
	aligned := shiftSticky(hw.Cat(sigL, hw.Zeros(extraBits)), distance)

	s = stage{m, 2}
	subtract, exp = s.reg("subtract", subtract), s.reg("exp", exp)
	sigG, sigL = s.reg("greater", sigG), s.reg("lesser", aligned)
	sign, zeroSign = s.reg("sign", sign), s.reg("zero_sign", zeroSign)
	inf, nan = s.reg("inf", inf), s.reg("nan", nan)

	// 3: add; the result is not negative. The exponent must stay at least 1, which limits the
	// normalisation: a marker bit stops it at that position.
	x, y := hw.Cat(hw.Zeros(1), sigG, hw.Zeros(extraBits)), sigL.Ext(wideBits+1)
	sum := hw.Mux(subtract, x.Sub(y), x.Add(y)).As("sum")
	stop := hw.Lit(wideBits+1, 1<<wideBits).Shr(exp)
	sign = hw.Mux(sum.Any(), sign, zeroSign)

	s = stage{m, 3}
	exp, sum, stop = s.reg("exp", exp), s.reg("sum", sum), s.reg("stop", stop)
	sign = s.reg("sign", sign)
	inf, nan = s.reg("inf", inf), s.reg("nan", nan)

	// 4: normalise: shift the first set bit to the top.
	zeros := leadingZeros(sum.Or(stop).As("guide")).As("zeros")
	overflow := sum.Bit(wideBits).And(exp.Eq(hw.Named("max_exp", infExp-1)))
	exp = exp.Inc().Sub(zeros.Ext(expBits)).As("normal_exp")

	s = stage{m, 4}
	out := result{
		Sign: s.reg("sign", sign),
		Exp:  s.reg("exp", exp),
		Sig:  s.reg("sig", jam(sum.Shl(zeros).As("normal_sum"), wideBits)),
		Inf:  s.reg("inf", inf.Or(overflow)),
		NaN:  s.reg("nan", nan),
	}

	// 5: round.
	io.Y.Set(stage{m, 5}.reg("y", round(out)))
	return io
}
