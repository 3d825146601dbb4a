package fp32

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// Latency is the number of cycles from the operands of a unit to its result.
const Latency = 5

// QuietNaN is the NaN that the units produce.
const QuietNaN = 0x7fc00000

// Field widths of binary32. A significand has a hidden bit before its fraction.
const (
	expBits  = 8
	fracBits = 23
	sigBits  = fracBits + 1
	infExp   = 1<<expBits - 1
	bias     = infExp / 2
)

// An unrounded significand is followed by a guard bit and two sticky bits. They preserve its
// position relative to the neighbouring representable values.
const (
	extraBits = 3
	wideBits  = sigBits + extraBits
)

// Ports are the ports of a unit: the operands A and B with Valid, and the result Y with YValid,
// Latency cycles later.
type Ports struct {
	Valid  hw.Bits `hw:"in" doc:"a and b are valid"`
	A      hw.Bits `hw:"in,32" doc:"first operand"`
	B      hw.Bits `hw:"in,32" doc:"second operand"`
	YValid hw.Bits `hw:"out" doc:"valid, five cycles later"`
	Y      hw.Bits `hw:"out,32" doc:"result"`
}

// delay returns valid delayed by one register per stage of a unit.
func delay(m *hw.Module, valid hw.Bits) hw.Bits {
	for i := range Latency {
		next := m.Reg(fmt.Sprintf("s%d_valid", i+1), 1, 0)
		next.Set(valid)
		valid = next
	}
	return valid
}

// stage makes the registers at the end of a pipeline stage. Their names begin with the number of
// the stage.
type stage struct {
	m *hw.Module
	n int
}

func (s stage) reg(name string, x hw.Bits) hw.Bits {
	r := s.m.Data(fmt.Sprintf("s%d_%s", s.n, name), x.Width())
	r.Set(x)
	return r
}

// operand is an unpacked number. Sig is the significand with its hidden bit, which is 0 for
// subnormals. Exp is 1 for subnormals. The value is Sig * 2^(Exp-150). Exp and Sig are undefined
// if Special, an infinity or a NaN, is 1.
type operand struct {
	Sign, Exp, Sig          hw.Bits
	Special, NaN, Inf, Zero hw.Bits
}

func unpack(x hw.Bits) operand {
	exp, frac := x.Slice(30, 23), x.Trunc(fracBits)
	normal, special, fraction := exp.Any(), exp.All(), frac.Any()
	return operand{
		Sign:    x.Bit(31),
		Exp:     hw.Cat(exp.Slice(7, 1), exp.Bit(0).Or(normal.Not())),
		Sig:     hw.Cat(normal, frac),
		Special: special,
		NaN:     special.And(fraction),
		Inf:     special.And(fraction.Not()),
		Zero:    normal.Or(fraction).Not(),
	}
}

// named makes the exponent and the significand wires, because they are used more than
// once.
func (o operand) named(prefix string) operand {
	o.Exp, o.Sig = o.Exp.As(prefix+"_exp"), o.Sig.As(prefix+"_sig")
	return o
}

// leadingZeros counts the zeros above the first set bit of x, which has less than 32 bits. The
// result has 5 bits and is undefined if x is 0.
func leadingZeros(x hw.Bits) hw.Bits {
	x = hw.Cat(x, hw.Zeros(31-x.Width()))
	var count []hw.Bits
	for half := 16; ; half /= 2 {
		high, low := x.Slice(2*half-2, half-1), x.Trunc(max(half-1, 1))
		none := high.IsZero()
		count = append(count, none)
		if half == 1 {
			return hw.Cat(count...)
		}
		// The lowest bit of high is redundant: it is set if all other bits are
		// 0.
		x = hw.Mux(none, low, high.Slice(half-1, 1))
	}
}

// maxShift is enough to shift a significand of wideBits below its sticky bit.
const maxShift = 31

// shiftSticky returns x, of wideBits, shifted right by amount. The lowest bit of the result is
// also set if a bit that was shifted out is.
func shiftSticky(x, amount hw.Bits) hw.Bits {
	far := amount.Slice(amount.Width()-1, 5).Any()
	limited := hw.Mux(far, hw.K(maxShift), amount.Trunc(5))
	return jam(hw.Cat(x, hw.Zeros(maxShift)).Shr(limited).As("shifted"), wideBits)
}

// jam returns the top width bits of x. The lowest is also set if a discarded bit is.
func jam(x hw.Bits, width int) hw.Bits {
	cut := x.Width() - width
	return hw.Cat(x.Slice(x.Width()-1, cut+1), x.Trunc(cut+1).Any())
}

// result is a number before rounding. Sig has wideBits; the value is Sig * 2^(Exp-153), unless the
// top bit of Sig is 0, which makes the number subnormal.
type result struct {
	Sign, Exp, Sig, Inf, NaN hw.Bits
}

// round returns the binary32 number nearest to r.
func round(r result) hw.Bits {
	hidden := r.Sig.Bit(wideBits - 1)
	frac := r.Sig.Slice(wideBits-2, extraBits)
	guard, sticky := r.Sig.Bit(extraBits-1), r.Sig.Trunc(extraBits-1).Any()
	up := guard.And(sticky.Or(frac.Bit(0))).As("round_up")
	// A carry out of the fraction correctly increments the exponent: a subnormal becomes normal,
	// and the largest number becomes infinite.
	field := hw.Mux(hidden, r.Exp, hw.K(0))
	magnitude := hw.Cat(field, frac).Add(up.Ext(expBits + fracBits)).As("magnitude")
	number := hw.Cat(r.Sign, hw.Mux(r.Inf, hw.NamedHex("infinity", infExp<<fracBits), magnitude))
	return hw.Mux(r.NaN, hw.NamedHex("quiet_nan", QuietNaN), number)
}
