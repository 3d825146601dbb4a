package hw

import (
	"encoding/binary"
	"math/big"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Wide returns a constant of width bits. v is a list of words, the least significant first; a
// big.Int; or hexadecimal digits, optionally separated by underscores. The Verilog prints such
// digits in hexadecimal.
func Wide[T []uint64 | *big.Int | string](width int, v T) Bits {
	u := use{pos: ir.Caller(0)}
	t := ir.Type{Width: width}
	x := u.integer(v)
	if !u.broken && u.allowed(t) && (x.Sign() < 0 || x.BitLen() > width) {
		u.errorf("const", "constant %#x does not fit in %d bits", x, width)
	}
	if u.broken {
		return Bits{u.nothing(t)}
	}
	_, hex := any(v).(string)
	return Bits{&value{e: &ir.Expr{Op: ir.Const, Type: t, Val: wordsOf(x, width), Hex: hex, Pos: u.pos}}}
}

// integer converts v, of one of the types of Wide, to a number.
func (u *use) integer(v any) *big.Int {
	x := new(big.Int)
	switch v := v.(type) {
	case *big.Int:
		if v != nil {
			return v
		}
		u.errorf("const", "the constant is a nil *big.Int")
	case []uint64:
		b := make([]byte, 8*len(v))
		for i, w := range v {
			binary.BigEndian.PutUint64(b[8*(len(v)-1-i):], w)
		}
		x.SetBytes(b)
	case string:
		if _, ok := x.SetString(strings.ReplaceAll(v, "_", ""), 16); !ok {
			u.errorf("const", "%q is not a hexadecimal number", v)
		}
	}
	return x
}

// wordsOf returns the low width bits of x in two's complement.
func wordsOf(x *big.Int, width int) []uint64 {
	if x.Sign() < 0 {
		x = new(big.Int).Add(x, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	out := make([]uint64, ir.Words(width))
	b := x.FillBytes(make([]byte, 8*len(out)))
	for i := range out {
		out[i] = binary.BigEndian.Uint64(b[8*(len(out)-1-i):])
	}
	return out
}

// Zeros returns 0 as a constant of width bits.
func Zeros(width int) Bits { return fill(width, 0, ir.Caller(0)) }

// Ones returns a constant of width ones.
func Ones(width int) Bits { return fill(width, ^uint64(0), ir.Caller(0)) }

func fill(width int, word uint64, pos ir.Pos) Bits {
	u := use{pos: pos}
	if t := (ir.Type{Width: width}); !u.allowed(t) {
		return Bits{u.nothing(t)}
	}
	e := constant(width, 0, pos)
	for i := range e.Val {
		e.Val[i] = word >> uint(64*(i+1)-min(width, 64*(i+1)))
	}
	return Bits{&value{e: e}}
}
