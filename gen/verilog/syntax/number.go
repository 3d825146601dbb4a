package syntax

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

func Zeros(width int) *Number { return &Number{Width: width, Val: make([]uint64, ir.Words(width))} }

// Sized is v as a number of width bits.
func Sized(width int, v int) *Number {
	n := Zeros(width)
	n.Val[0] = uint64(v)
	return n
}

// big is the value of n.
func (n *Number) big() *big.Int {
	v := new(big.Int)
	for _, w := range slices.Backward(n.Val) {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(w))
	}
	return v
}

// InHex tells whether n is written in hexadecimal: because it is to be, or is large or a
// mask and no count.
func (n *Number) InHex() bool {
	mask := n.Width >= 8 && len(n.Val) == 1 && n.Val[0]+1 == 1<<n.Width
	return n.Hex || !n.Count && (mask || n.big().Cmp(big.NewInt(1000)) >= 0)
}

// Least is the number of bits that n needs.
func (n *Number) Least() int { return max(n.big().BitLen(), 1) }

func (n *Number) IsZero() bool { return n.big().Sign() == 0 }

// text is n with its width, which 0 stands for none of.
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

// pieces are n as numbers of at most 128 bits.
func (n *Number) pieces() *Concat {
	c := &Concat{}
	for hi := n.Width; hi > 0; {
		lo := (hi - 1) / wideNumber * wideNumber
		c.Parts = append(c.Parts, &Number{Width: hi - lo, Val: n.Val[lo/64 : (hi+63)/64], Hex: true})
		hi = lo
	}
	return c
}
