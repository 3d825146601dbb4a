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
)

// A significand under way has a guard bit and two sticky bits behind it: the
// exact value lies in the same place between representable neighbours.
const (
	extraBits = 3
	wideBits  = sigBits + extraBits
)

// Ports are those of a unit: operands A and B with Valid, and the result Y with
// YValid Latency later.
type Ports struct {
	Valid  hw.Bits `hw:"in"`
	A      hw.Bits `hw:"in,32"`
	B      hw.Bits `hw:"in,32"`
	YValid hw.Bits `hw:"out"`
	Y      hw.Bits `hw:"out,32"`
}

// delay is valid after as many registers as a unit has stages.
func delay(m *hw.Module, valid hw.Bits) hw.Bits {
	for i := range Latency {
		next := m.Reg(fmt.Sprintf("s%d_valid", i+1), 1, 0)
		next.Set(valid)
		valid = next
	}
	return valid
}

// stage makes the registers at the end of a pipeline stage; their names begin
// with its number.
type stage struct {
	m *hw.Module
	n int
}

func (s stage) reg(name string, x hw.Bits) hw.Bits {
	r := s.m.Data(fmt.Sprintf("s%d_%s", s.n, name), x.Width())
	r.Set(x)
	return r
}

// operand is a number taken apart. Sig is the significand with its hidden bit,
// 0 for subnormals, whose exponent Exp is 1: the value is Sig * 2^(Exp-150).
// Exp and Sig mean nothing if Special, an infinity or a NaN, is 1.
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

// named makes the exponent and the significand wires, for they are used more
// than once.
func (o operand) named(prefix string) operand {
	o.Exp, o.Sig = o.Exp.As(prefix+"_exp"), o.Sig.As(prefix+"_sig")
	return o
}

// leadingZeros counts the zeros before the first set bit of x, which has less
// than 32 bits: 5 bits wide, meaningless for 0.
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
		// The lowest bit of high need not be seen: it is set if all others
		// are not.
		x = hw.Mux(none, low, high.Slice(half-1, 1))
	}
}

// maxShift is enough to move a significand of wideBits below its sticky bit.
const maxShift = 31

// shiftSticky is x, of wideBits, shifted right by amount, with the lowest bit
// set if a bit that was shifted out is.
func shiftSticky(x, amount hw.Bits) hw.Bits {
	far := amount.Slice(amount.Width()-1, 5).Any()
	limited := hw.Mux(far, hw.K(maxShift), amount.Trunc(5))
	return jam(hw.Cat(x, hw.Zeros(maxShift)).Shr(limited).As("shifted"), wideBits)
}

// jam is the top width bits of x, the lowest of them set if a bit below is.
func jam(x hw.Bits, width int) hw.Bits {
	cut := x.Width() - width
	return hw.Cat(x.Slice(x.Width()-1, cut+1), x.Trunc(cut+1).Any())
}

// result is a number before rounding: Sig has wideBits and, unless its top bit
// is 0, which makes it subnormal, the value Sig * 2^(Exp-153).
type result struct {
	Sign, Exp, Sig, Inf, NaN hw.Bits
}

// round is the binary32 number nearest to r.
func round(r result) hw.Bits {
	hidden := r.Sig.Bit(wideBits - 1)
	frac := r.Sig.Slice(wideBits-2, extraBits)
	guard, sticky := r.Sig.Bit(extraBits-1), r.Sig.Trunc(extraBits-1).Any()
	up := guard.And(sticky.Or(frac.Bit(0))).As("round_up")
	// A carry out of the fraction goes into the exponent, which is right: a
	// subnormal becomes normal, the largest number becomes infinite.
	field := hw.Mux(hidden, r.Exp, hw.K(0))
	magnitude := hw.Cat(field, frac).Add(up.Ext(expBits + fracBits)).As("magnitude")
	number := hw.Cat(r.Sign, hw.Mux(r.Inf, hw.Lit(expBits+fracBits, infExp<<fracBits), magnitude))
	return hw.Mux(r.NaN, hw.Lit(32, QuietNaN), number)
}
