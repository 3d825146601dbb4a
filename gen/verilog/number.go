package verilog

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

func zeros(width int) *number { return &number{width: width, val: make([]uint64, ir.Words(width))} }

// sized is v as a number of width bits.
func sized(width int, v int) *number {
	n := zeros(width)
	n.val[0] = uint64(v)
	return n
}

// big is the value of n.
func (n *number) big() *big.Int {
	v := new(big.Int)
	for _, w := range slices.Backward(n.val) {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(w))
	}
	return v
}

// inHex tells whether n is written in hexadecimal: because it is to be, or is large or a
// mask and no count.
func (n *number) inHex() bool {
	mask := n.width >= 8 && len(n.val) == 1 && n.val[0]+1 == 1<<n.width
	return n.hex || !n.count && (mask || n.big().Cmp(big.NewInt(1000)) >= 0)
}

// least is the number of bits that n needs.
func (n *number) least() int { return max(n.big().BitLen(), 1) }

func (n *number) isZero() bool { return n.big().Sign() == 0 }

// text is n with its width, which 0 stands for none of.
func (sp spelling) number(n *number) string {
	v := n.big()
	switch {
	case !isFixed(n.width):
		return sp.padded(n)
	case n.width == 0:
		return v.String()
	case n.width == 1:
		return "1'b" + v.String()
	case !n.inHex():
		return fmt.Sprintf("%d'd%s", n.width, v)
	}
	digits := fmt.Sprintf("%0*x", (n.width+3)/4, v)
	if len(digits) > 4 {
		var groups []string
		for len(digits) > 4 {
			groups = append([]string{digits[len(digits)-4:]}, groups...)
			digits = digits[:len(digits)-4]
		}
		digits = strings.Join(append([]string{digits}, groups...), "_")
	}
	return fmt.Sprintf("%d'h%s", n.width, digits)
}

// pieces are n as numbers of at most 128 bits.
func (n *number) pieces() *concat {
	c := &concat{}
	for hi := n.width; hi > 0; {
		lo := (hi - 1) / wideNumber * wideNumber
		c.parts = append(c.parts, &number{width: hi - lo, val: n.val[lo/64 : (hi+63)/64], hex: true})
		hi = lo
	}
	return c
}
