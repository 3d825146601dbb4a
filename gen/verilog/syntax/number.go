package syntax

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Zeros returns 0 as a number of width bits.
func Zeros(width int) *Number { return &Number{Width: width, Val: make([]uint64, ir.Words(width))} }

// Sized returns v as a number of width bits.
func Sized(width int, v int) *Number {
	n := Zeros(width)
	n.Val[0] = uint64(v)
	return n
}

// big returns the value of n.
func (n *Number) big() *big.Int {
	v := new(big.Int)
	for _, w := range slices.Backward(n.Val) {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(w))
	}
	return v
}

// InHex reports whether n is printed in hexadecimal: if Hex is set, or if n counts nothing and
// is large or a mask.
func (n *Number) InHex() bool {
	mask := n.Width >= 8 && len(n.Val) == 1 && n.Val[0]+1 == 1<<n.Width
	return n.Hex || !n.Count && (mask || n.big().Cmp(big.NewInt(1000)) >= 0)
}

// Least returns the number of bits that the value of n needs.
func (n *Number) Least() int { return max(n.big().BitLen(), 1) }

// IsZero reports whether n is 0.
func (n *Number) IsZero() bool { return n.big().Sign() == 0 }

// number returns n with its width, or without if that is 0.
func (sp spelling) number(n *Number) string {
	v := n.big()
	switch {
	case !IsFixed(n.Width):
		return sp.padded(n)
	case n.Width == 0:
		return v.String()
	case n.Width == 1:
		return "1'b" + v.String()
	case !n.InHex():
		return fmt.Sprintf("%d'd%s", n.Width, v)
	}
	digits := fmt.Sprintf("%0*x", (n.Width+3)/4, v)
	if len(digits) > 4 {
		var groups []string
		for len(digits) > 4 {
			groups = append([]string{digits[len(digits)-4:]}, groups...)
			digits = digits[:len(digits)-4]
		}
		digits = strings.Join(append([]string{digits}, groups...), "_")
	}
	return fmt.Sprintf("%d'h%s", n.Width, digits)
}

// pieces returns n as a concatenation of numbers of at most 128 bits.
func (n *Number) pieces() *Concat {
	c := &Concat{}
	for hi := n.Width; hi > 0; {
		lo := (hi - 1) / wideNumber * wideNumber
		c.Parts = append(c.Parts, &Number{Width: hi - lo, Val: n.Val[lo/64 : (hi+63)/64], Hex: true})
		hi = lo
	}
	return c
}
