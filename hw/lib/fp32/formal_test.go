package fp32_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// identity is one of identities, for all numbers with at most Fraction bits in their fraction.
type identity struct {
	Name     string
	Fraction int
}

// ModuleName returns the name of the proof.
func (p identity) ModuleName() string { return "identity" }

const (
	sign = 1 << 31
	one  = 0x3f800000
)

// calculator provides the operands of an identity, both now and delayed until the results are
// available.
type calculator struct {
	m     *hw.Module
	a, b  hw.Bits
	valid []hw.Bits
	lateA hw.Bits
	units int
}

func (c *calculator) unit(g hw.Generator[fp32.Ports], a, b hw.Bits) hw.Bits {
	c.units++
	u := hw.Inst(c.m, fmt.Sprint("unit", c.units), g)
	u.Valid.Set(hw.K(1))
	u.A.Set(a)
	u.B.Set(b)
	c.valid = append(c.valid, u.YValid)
	return u.Y
}

func (c *calculator) add(a, b hw.Bits) hw.Bits { return c.unit(fp32.Add{}, a, b) }
func (c *calculator) mul(a, b hw.Bits) hw.Bits { return c.unit(fp32.Mul{}, a, b) }

func number(x uint64) hw.Bits     { return hw.Lit(32, x) }
func negative(x hw.Bits) hw.Bits  { return x.Xor(number(sign)) }
func magnitude(x hw.Bits) hw.Bits { return x.Trunc(31) }
func isNaN(x hw.Bits) hw.Bits     { return magnitude(x).Gt(hw.Lit(31, infinity)) }
func isFinite(x hw.Bits) hw.Bits  { return magnitude(x).Lt(hw.Lit(31, infinity)) }
func orNaN(ok, x hw.Bits) hw.Bits { return hw.Mux(ok, x, number(fp32.QuietNaN)) }

const infinity = 0xff << 23

// identities return two values that must be equal.
var identities = map[string]func(c *calculator) (x, y hw.Bits){
	"a + b = b + a": func(c *calculator) (x, y hw.Bits) { return c.add(c.a, c.b), c.add(c.b, c.a) },
	"a + 0 = a": func(c *calculator) (x, y hw.Bits) {
		a := hw.Mux(magnitude(c.lateA).IsZero(), number(0), c.lateA) // -0 + 0 = 0
		return c.add(c.a, number(0)), orNaN(isNaN(a).Not(), a)
	},
	"a + -a = 0": func(c *calculator) (x, y hw.Bits) {
		return c.add(c.a, negative(c.a)), orNaN(isFinite(c.lateA), number(0))
	},
	"a * b = b * a": func(c *calculator) (x, y hw.Bits) { return c.mul(c.a, c.b), c.mul(c.b, c.a) },
	"a * 1 = a": func(c *calculator) (x, y hw.Bits) {
		return c.mul(c.a, number(one)), orNaN(isNaN(c.lateA).Not(), c.lateA)
	},
}

func (p identity) Build(m *hw.Module) struct{} {
	operand := func(name string) hw.Bits {
		x := m.In(name, 9+p.Fraction)
		m.Unused(x)
		if p.Fraction == 23 {
			return x
		}
		return hw.Cat(x, hw.Zeros(23-p.Fraction))
	}
	a, b := operand("a"), operand("b")
	late := a
	for i := range fp32.Latency {
		next := m.Data(fmt.Sprint("late", i), 32)
		next.Set(late)
		late = next
	}
	c := &calculator{m: m, a: a, b: b, lateA: late}
	x, y := identities[p.Name](c)
	m.Assert(hw.Cat(c.valid...).All().Not().Or(x.Eq(y)), p.Name)
	return struct{}{}
}

func elaborate(t *testing.T, p identity) *ir.Design {
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	return d
}

func TestFormal(t *testing.T) {
	for name, bug := range map[string][2]string{
		"a + b = b + a": {"fp32_add", "s1_sign"},
		"a + 0 = a":     {"fp32_add", "s1_nan"},
		"a + -a = 0":    {"fp32_add", "s2_zero_sign"},
		"a * 1 = a":     {"fp32_mul", "s1_second_exp"},
	} {
		t.Run(name, func(t *testing.T) {
			d := elaborate(t, identity{name, 23})
			formal.Holds(t, d)
			bench.Stick(d, bug[0], bug[1])
			formal.Fails(t, d, name)
		})
	}
}

// TestFormalShort proves products of numbers with a short fraction, for all exponents and signs,
// with subnormal numbers and special values. Products of 24 by 24 bits are too hard for the
// solvers.
func TestFormalShort(t *testing.T) {
	const name = "a * b = b * a"
	d := elaborate(t, identity{name, 3})
	formal.Holds(t, d)
	bench.Stick(d, "fp32_mul", "s3_tiny")
	formal.Fails(t, d, name)
}
