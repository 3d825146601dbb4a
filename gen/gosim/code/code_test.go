package code_test

import (
	"go/format"
	"go/parser"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
)

var x, y, z = code.Name("x"), code.Name("y"), code.Name("z")

// TestParentheses: there are parentheses where Go needs them, and nowhere else.
func TestParentheses(t *testing.T) {
	for want, e := range map[string]*code.Expr{
		"x & y | z":             x.And(y).Or(z),
		"x & (y | z)":           x.And(y.Or(z)),
		"x - (y - z)":           x.Sub(y.Sub(z)),
		"x - y - z":             x.Sub(y).Sub(z),
		"x &^ (y & z)":          x.AndNot(y.And(z)),
		"(x + y) << 3":          x.Add(y).Up(3),
		"-x & y":                x.Neg().And(y),
		"-(x & y)":              x.And(y).Neg(),
		"^(x ^ y)":              x.Xor(y).Not(),
		"bit(x | y != 0)":       code.Bit(x.Or(y).Differs(code.Zero)),
		"x == 0 && y == 0":      code.All("&&", x.Equal(code.Zero), y.Equal(code.Zero)),
		"(*p(&x))[2]":           code.Call("p", x.Address()).Pointed().At(2),
		"x[y >> 6 & 3]":         x.Index(y.Down(6).And(code.Int(3))),
		"f(x[:], y[2:4])":       code.Call("f", x.Slice(), y.Part(2, 4)),
		"[2]uint64{x, 0x1f}":    code.Words(x, code.Num(31)),
		"!x":                    x.False(),
		"x >= y":                code.Op("<", x, y).False(),
		"y":                     code.Zero.Or(y.Xor(code.Zero)),
		"x + 1":                 x.Add(code.Zero).Add(code.Int(1)),
		"x * 3":                 x.Mul(code.Int(1)).Mul(code.Int(3)),
		"int64(uint64(x)) >> y": code.Op(">>", code.Call("int64", code.Word(x)), y),
	} {
		_, err := parser.ParseExpr(want)
		require.NoError(t, err, want)
		require.Equal(t, want, e.String())
	}
}

// TestNumbers: operations on numbers wrap around at 64 bits, like words and unlike Go's constants.
func TestNumbers(t *testing.T) {
	most := code.Num(1<<64 - 1)
	for want, e := range map[string]*code.Expr{
		"0":                  code.Op("+", most, code.Int(1)),
		"1":                  code.Int(3).AndNot(code.Int(2)),
		"0x8000000000000000": code.Int(1).Up(63),
		"4":                  code.Int(1).Up(66 - 64).Up(0),
		"7":                  most.Low(3),
		"0xfffffffffffffffe": code.Int(2).Neg(),
		"0xfffffffffffffff0": code.Int(15).Not(),
		"0x2a":               code.All("|", code.Int(2), code.Int(8), code.Int(32)),
	} {
		require.Equal(t, want, e.String())
		_, ok := e.Number()
		require.True(t, ok, want)
	}
	require.True(t, code.All("|").IsZero())
	require.Equal(t, "3 == 3", code.Int(3).Equal(code.Int(3)).String(), "no number")
}

// TestSimple: only variables and numbers are simple; a selected field may change.
func TestSimple(t *testing.T) {
	for e, want := range map[*code.Expr]bool{x: true, code.Int(5): true, code.Name("s.v"): false, x.At(0): false, x.Neg(): false} {
		require.Equal(t, want, e.Simple(), e)
	}
}

// TestArray: words are an array if they are all its elements in order.
func TestArray(t *testing.T) {
	s := code.Name("s.v")
	a, ok := code.Array([]*code.Expr{s.At(0), code.Name("s.v").At(1)})
	require.True(t, ok)
	require.Equal(t, "s.v", a.String())
	for _, words := range [][]*code.Expr{{s.At(1), s.At(0)}, {s.At(0), x.At(1)}, {s.At(0), s.Index(x)}, {x}} {
		_, ok := code.Array(words)
		require.False(t, ok)
	}
}

func printed(t *testing.T, body ...code.Stmt) string {
	var b strings.Builder
	code.Print(&b, code.Prune(body))
	text, err := format.Source([]byte(b.String()))
	require.NoError(t, err, b.String())
	return string(text)
}

func set(to, from *code.Expr) code.Stmt { return &code.Assign{To: to, Operator: "=", X: from} }

var out = code.Name("s.out")

// TestPrune: unread variables are removed, with their operands and with empty loops and choices.
func TestPrune(t *testing.T) {
	require.Equal(t, "y := s.in\ns.out = y\n", printed(t,
		&code.Define{Name: y, X: code.Name("s.in")},
		&code.Define{Name: x, X: y},
		&code.Var{Name: z, Type: "uint64"},
		&code.Range{Index: code.Name("k"), N: code.Int(3), Body: []code.Stmt{
			&code.If{Cond: x.Equal(code.Name("k")), Then: []code.Stmt{&code.Assign{To: z, Operator: "|=", X: x}}},
		}},
		set(out, y),
	))
	require.Equal(t, "var t [2]uint64\nfill(t[:])\n", printed(t,
		&code.Var{Name: code.Name("t"), Type: "[2]uint64"},
		&code.Do{X: code.Call("fill", code.Name("t").Slice())},
	), "a call has an effect")
}

// TestLoops: loops declare the variables that their bodies read.
func TestLoops(t *testing.T) {
	i, l, m := code.Name("i"), code.Name("l"), code.Name("m")
	for want, s := range map[string]code.Stmt{
		"for range 3 {\n\ts.out = x\n}\n":                                            &code.Range{Index: i, N: code.Int(3), Body: []code.Stmt{set(out, x)}},
		"for i := range 3 {\n\ts.out = i\n}\n":                                       &code.Range{Index: i, N: code.Int(3), Body: []code.Stmt{set(out, i)}},
		"for _, m := range s.a {\n\ts.out = m\n}\n":                                  &code.Range{Index: i, Elem: m, N: code.Name("s.a"), Body: []code.Stmt{set(out, m)}},
		"for i := 0; i < 9; i++ {\n\ts.out = x\n}\n":                                 &code.Count{Index: i, From: code.Zero, To: code.Int(9), Step: 1, Body: []code.Stmt{set(out, x)}},
		"for i := x; i < 9; i += 4 {\n\ts.out = x\n}\n":                              &code.Count{Index: i, From: x, To: code.Int(9), Step: 4, Body: []code.Stmt{set(out, x)}},
		"for m := x; m != 0; m &= m - 1 {\n\ts.out = x\n}\n":                         &code.Bits{Mask: m, X: x, Bit: l, Body: []code.Stmt{set(out, x)}},
		"for ; m != 0; m &= m - 1 {\n\tl := model.FirstBit(m) + i\n\ts.out = l\n}\n": &code.Bits{Mask: m, Bit: l, Base: i, Body: []code.Stmt{set(out, l)}},
		"if i, ok := f(x); ok {\n\ts.out = i\n} else {\n\treturn x\n}\n": &code.If{Init: &code.Define{Name: code.Name("i, ok"), X: code.Call("f", x), Int: true},
			Cond: code.Name("ok"), Then: []code.Stmt{set(out, i)}, Else: []code.Stmt{&code.Return{X: x}}},
		"switch x {\ncase 1, 3:\n\ts.out = x\ncase 2:\n\ts.out = y\n}\n": &code.Switch{X: x, Cases: []*code.Case{
			{Values: []*code.Expr{code.Int(1), code.Int(3)}, Body: []code.Stmt{set(out, x)}}, {Values: []*code.Expr{code.Int(2)}, Body: []code.Stmt{set(out, y)}}}},
		"if x {\n\ts.out = x\n} else if y {\n\ts.out = y\n}\n": &code.If{Cond: x, Then: []code.Stmt{set(out, x)},
			Else: []code.Stmt{&code.If{Cond: y, Then: []code.Stmt{set(out, y)}}}},
	} {
		require.Equal(t, want, printed(t, s))
	}
}

// TestTypes: words for which Go would infer another type get an explicit type.
func TestTypes(t *testing.T) {
	for want, e := range map[string]*code.Expr{
		"x := y + 1":              y.Add(code.Int(1)),
		"x := uint64(5)":          code.Int(5),
		"x := uint64(1 << y)":     code.Op("<<", code.Int(1), y),
		"x := 3 - y":              code.Int(3).Sub(y),
		"x := uint64(1<<y) | z":   code.Word(code.Op("<<", code.Int(1), y)).Or(z),
		"x := uint64(s.bytes[y])": code.Word(code.Name("s.bytes").Index(y)),
		"x := bit(y != 0)":        code.Bit(y.Differs(code.Zero)),
		"x := uint64(^(1 << y))":  code.Op("<<", code.Int(1), y).Not(),
		"x := -y":                 y.Neg(),
	} {
		require.Equal(t, want+"\ns.out = x\n", printed(t, &code.Define{Name: x, X: e}, set(out, x)))
	}
}

// TestBuilder appends statements, some of them nested.
func TestBuilder(t *testing.T) {
	var b code.Builder
	statements := b.Within(func() {
		v := b.Set(x)
		require.Equal(t, v, b.Variable(v), "in a variable")
		b.When(v.Differs(code.Zero), func() {
			b.Times(code.Name("i"), 3, func() { b.Or(v, b.Variable(y.And(z))) })
		})
		b.When(nil, func() { b.Put(z, v) })
		inner := b.Within(func() { b.Put(y, v) })
		b.Put(x, v)
		b.Do(inner...)
	})
	var out strings.Builder
	code.Print(&out, statements)
	text, err := format.Source([]byte(out.String()))
	require.NoError(t, err)
	require.Equal(t, `t1 := x
if t1 != 0 {
	for range 3 {
		t2 := y & z
		t1 |= t2
	}
}
z = t1
x = t1
y = t1
`, string(text))
	require.Empty(t, b.Within(func() {}))
}
