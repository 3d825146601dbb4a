package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Arithmetic uses every operation of Signed.
type Arithmetic struct{ Width int }

type signedPorts struct {
	A                                hw.Signed `hw:"in,Width"`
	B                                hw.Signed `hw:"in,Width"`
	Amount                           hw.Bits   `hw:"in,3"`
	Sum, Difference, Product, Minus  hw.Signed `hw:"out,Width"`
	Left, Right, Less2, Held         hw.Signed `hw:"out,Width"`
	Quotient, Rest, Third            hw.Signed `hw:"out,Width"`
	Wide                             hw.Signed `hw:"out,Width+4"`
	Size                             hw.Bits   `hw:"out,Width"`
	Eq, Ne, Lt, Le, Gt, Ge, Negative hw.Bits   `hw:"out"`
}

func (p Arithmetic) Build(m *hw.Module) signedPorts {
	io := hw.Ports[signedPorts](m)
	a, b := io.A, io.B
	io.Sum.Set(a.Add(b).As("sum_of_both"))
	io.Difference.Set(a.Sub(b))
	io.Product.Set(a.Mul(b))
	io.Minus.Set(a.Neg())
	io.Left.Set(a.Shl(io.Amount))
	io.Right.Set(a.Shr(io.Amount))
	io.Less2.Set(a.Ext(p.Width + 2).Add(hw.Int(-2)).Trunc(p.Width))
	io.Quotient.Set(a.Div(b))
	io.Rest.Set(a.Mod(b))
	io.Third.Set(a.Div(hw.Int(-3)))
	io.Wide.Set(a.Ext(p.Width + 4))
	io.Size.Set(a.Abs())
	io.Eq.Set(a.Eq(b))
	io.Ne.Set(a.Ne(b))
	io.Lt.Set(a.Lt(b))
	io.Le.Set(a.Le(b))
	io.Gt.Set(a.Gt(b))
	io.Ge.Set(a.Ge(b))
	io.Negative.Set(a.IsNeg())
	held := hw.Reg[struct {
		Value hw.Signed `hw:"Width"`
	}](m, "held")
	m.When(a.Lt(hw.Int(0)), func() { held.Value.Set(a.Bits().Signed()) })
	io.Held.Set(held.Value)
	return io
}

func TestSigned(t *testing.T) {
	const w = 5
	p := Arithmetic{w}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[signedPorts](s, p)
	wrap := func(x int64) int64 { return x << (64 - w) >> (64 - w) }
	bit := func(c bool) uint64 {
		if c {
			return 1
		}
		return 0
	}
	for a := int64(-16); a < 16; a++ {
		for b := int64(-16); b < 16; b++ {
			n := uint64(b & 7)
			tb.A.Poke(a)
			tb.B.Poke(b)
			tb.Amount.Poke(n)
			quotient, rest := int64(-1), a
			if b != 0 {
				quotient, rest = wrap(a/b), a%b
			}
			want := []int64{quotient, rest, a / -3, wrap(a + b), wrap(a - b), wrap(a * b), wrap(-a), wrap(a << n), a >> n, wrap(a - 2), a, max(a, -a)}
			got := []int64{tb.Quotient.Peek(), tb.Rest.Peek(), tb.Third.Peek(), tb.Sum.Peek(), tb.Difference.Peek(), tb.Product.Peek(), tb.Minus.Peek(), tb.Left.Peek(),
				tb.Right.Peek(), tb.Less2.Peek(), tb.Wide.Peek(), int64(tb.Size.Peek())}
			require.Equal(t, want, got, "%d and %d", a, b)
			require.Equal(t, []uint64{bit(a == b), bit(a != b), bit(a < b), bit(a <= b), bit(a > b), bit(a >= b), bit(a < 0)},
				[]uint64{tb.Eq.Peek(), tb.Ne.Peek(), tb.Lt.Peek(), tb.Le.Peek(), tb.Gt.Peek(), tb.Ge.Peek(), tb.Negative.Peek()}, "%d and %d", a, b)
			require.NoError(t, s.Step())
			if a < 0 {
				require.Equal(t, a, tb.Held.Peek())
			}
		}
	}
	require.PanicsWithValue(t, "hw: 16 does not fit in the 5 bits of a", func() { tb.A.Poke(16) })
	require.PanicsWithValue(t, "hw: -17 does not fit in the 5 bits of a", func() { tb.A.Poke(-17) })
}
