package random

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
)

// word is a module in which every value has the width of the parameter or one bit. All widths in
// its Verilog are parameterized, and the random choices are the same for all values.
type word struct {
	Seed  uint64
	Width int `hw:"parameter"`
}

type wordPorts struct {
	X, Y, Sel, Z hw.Bits
}

// ModuleName returns a name that is unique over all seeds.
func (p word) ModuleName() string { return fmt.Sprintf("word%d", p.Seed) }

// Build describes the module.
func (p word) Build(m *hw.Module) wordPorts {
	r, w := rand.New(rand.NewPCG(p.Seed, 1)), p.Width
	io := wordPorts{X: m.In("x", w), Y: m.In("y", w), Sel: m.In("sel", 2), Z: m.Out("z", w)}
	words, bits := []hw.Bits{io.X, io.Y}, []hw.Bits{io.Sel.Bit(0), io.Sel.Bit(1)}
	some := func() hw.Bits { return pick(r, words) }
	bit := func() hw.Bits { return pick(r, bits) }
	// Each sum includes a port, because a and b may be all ones. The sum of two such constants
	// cannot be expressed with the parameter (random design 20185).
	for i := range 4 + r.IntN(12) {
		name := fmt.Sprint("v", i)
		a, b, c := some(), some(), bit()
		var v hw.Bits
		switch r.IntN(14) {
		case 0:
			v = io.X.Add(b)
		case 1:
			v = io.X.Sub(hw.Lit(w, 1))
		case 2:
			v = a.Xor(b.Not())
		case 3:
			v = hw.Mux(c, a, hw.Ones(w))
		case 4:
			lo := r.IntN(2) * w
			v = hw.Cat(a, b).Slice(lo+w-1, lo)
		case 5:
			v = hw.Cat(a, c).Trunc(w)
		case 6:
			v = m.Reg(name, w, uint64(r.IntN(2)))
			at := v
			m.When(c, func() { at.Set(a) })
		case 7:
			v = m.RegInit(name, hw.Ones(w))
			v.Set(hw.Mux(c, a, b.And(v)))
		case 8:
			mem := m.Mem(name, 4, w)
			m.When(c, func() { mem.Write(io.Sel, a) })
			v = mem.Read(io.Sel).Or(b)
		case 9:
			v = hw.VecOf(a, b, hw.Zeros(w), io.X).Index(io.Sel)
		case 10:
			v = c.Repeat(w).And(a)
		case 11:
			lanes := m.WireVec(name, 3, w)
			lanes.N(0).Set(a)
			m.For(name+"_loop", 2, func(i hw.Index) { lanes.At(i.Plus(1)).Set(lanes.At(i).Add(b)) })
			v = lanes.N(2)
		case 12:
			v = io.Y.SExt(w+3).Sub(b.Ext(w+3)).Slice(w+2, 3)
		default:
			bits = append(bits, pick(r, []hw.Bits{a.Lt(b), a.Eq(b), a.Any(), a.Parity(), a.Bit(w - 1)}))
			continue
		}
		words = append(words, v)
	}
	z := bit().Repeat(w)
	for _, x := range words {
		z = z.Xor(x)
	}
	io.Z.Set(z)
	return io
}
