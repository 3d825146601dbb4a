package simtest

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// Operators has an output for every operator, on operands of Width bits and vectors of Len
// elements.
type Operators struct{ Width, Len, Amount int }

// OperatorPorts contains the ports of Operators. The name of an output is o_ and the operator.
type OperatorPorts struct {
	A, B, C, Amount, Index, Lanes hw.Bits
	V, D                          hw.Vec
	Out                           []hw.Bits
	Vecs                          []hw.Vec
}

// Dests returns the number of results of Route.
func (p Operators) Dests() int { return p.Len + 1 }

// Build implements hw.Generator.
func (p Operators) Build(m *hw.Module) OperatorPorts {
	w, n := p.Width, p.Len
	io := OperatorPorts{
		A: m.In("a", w), B: m.In("b", w), C: m.In("c", 1), Amount: m.In("amount", p.Amount),
		Index: m.In("index", hw.IndexWidth(n)), Lanes: m.In("lanes", n),
		V: m.InVec("v", n, w), D: m.InVec("d", n, hw.IndexWidth(p.Dests())),
	}
	io.arithmetic(m)
	io.words(m, p)
	io.vectors(m, p)
	return io
}

func (io *OperatorPorts) out(m *hw.Module, name string, x hw.Bits) {
	o := m.Out("o_"+name, x.Width())
	o.Set(x)
	io.Out = append(io.Out, o)
}

func (io *OperatorPorts) vec(m *hw.Module, name string, x hw.Vec) {
	o := m.OutVec("o_"+name, x.Len(), x.Width())
	o.Set(x)
	io.Vecs = append(io.Vecs, o)
}

func (io *OperatorPorts) arithmetic(m *hw.Module) {
	a, b := io.A, io.B
	io.out(m, "const", a.Xor(hw.K(1)))
	io.out(m, "not", a.Not())
	io.out(m, "neg", a.Neg())
	io.out(m, "redand", a.All())
	io.out(m, "redor", a.Any())
	io.out(m, "redxor", a.Parity())
	io.out(m, "add", a.Add(b))
	io.out(m, "sub", a.Sub(b))
	io.out(m, "mul", a.Mul(b))
	io.out(m, "divu", a.Div(b))
	io.out(m, "modu", a.Mod(b))
	io.out(m, "divu_c", hw.Mux(io.C, a, a.Div(io.Amount.Resize(a.Width())))) // often by a small number or 0
	io.out(m, "modu_c", a.Mod(io.Amount.Resize(a.Width())))
	io.out(m, "and", a.And(b))
	io.out(m, "or", a.Or(b))
	io.out(m, "xor", a.Xor(b))
	io.out(m, "eq", a.Eq(b))
	io.out(m, "ne", a.Ne(b))
	io.out(m, "ltu", a.Lt(b))
	io.out(m, "leu", a.Le(b))
	io.out(m, "lts", a.LtS(b))
}

func (io *OperatorPorts) words(m *hw.Module, p Operators) {
	a, b := io.A, io.B
	io.out(m, "shl", a.Shl(io.Amount))
	io.out(m, "shru", a.Shr(io.Amount))
	io.out(m, "shrs", a.ShrS(io.Amount))
	io.out(m, "rotl", a.RotL(5))
	io.out(m, "mux", hw.Mux(io.C, a, b))
	for i, r := range p.Slices() {
		io.out(m, fmt.Sprintf("slice%d", i), a.Slice(r[0], r[1]))
	}
	io.out(m, "concat", hw.Cat(a, io.C, b))
	io.out(m, "concat2", hw.Cat(b, io.C))
	for _, to := range []int{p.Width + 1, p.Width + 64} {
		io.out(m, fmt.Sprintf("zext_%d", to), a.Ext(to))
		io.out(m, fmt.Sprintf("sext_%d", to), a.SExt(to))
	}
	io.out(m, "lowest", a.Lowest())
	io.out(m, "encode", a.Encode())
	io.out(m, "decode", io.Amount.Decode(p.Width))
	io.out(m, "popcount", a.Count())
}

func (io *OperatorPorts) vectors(m *hw.Module, p Operators) {
	a, b, v := io.A, io.B, io.V
	io.out(m, "pack", v.Pack())
	io.out(m, "elemat", v.N(p.Len-1))
	io.out(m, "elem", v.Index(io.Index))
	io.out(m, "eqlanes", v.EqLanes(a))
	io.out(m, "reduceor", v.ReduceOr())
	io.out(m, "select", v.Select(io.Lanes))
	io.vec(m, "vec", hw.VecOf(b, a))
	io.vec(m, "unpack", hw.Cat(a, b, a).Unpack(p.Width))
	io.vec(m, "update", v.With(io.Index, a))
	io.vec(m, "vand", v.And(v.With(io.Index, a)))
	io.vec(m, "vmux", pick(m, io.C, v, v.With(io.Index, b)))
	io.vec(m, "route", hw.Route(io.Lanes, io.D, p.Dests()))
}

// Slices returns the slices of an operand: pairs of the last and the first bit.
func (p Operators) Slices() [][2]int {
	w := p.Width
	out := [][2]int{{w / 2, 0}, {w - 1, w / 3}, {w - 1, w - 1}}
	if w > 64 { // across words
		out = append(out, [2]int{64, 63}, [2]int{64, 1}, [2]int{w - 1, 64})
	}
	return out
}

// pick selects one of two vectors.
func pick(m *hw.Module, c hw.Bits, x, y hw.Vec) hw.Vec {
	out := m.WireVec("picked", x.Len(), x.Width())
	m.When(c, func() { out.Set(x) }).Else(func() { out.Set(y) })
	return out
}
