package interp_test

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

func wrap(x *big.Int, w int) *big.Int {
	mod := new(big.Int).Lsh(big.NewInt(1), uint(w))
	return x.Mod(x, mod)
}

func truth(c bool) *big.Int {
	if c {
		return big.NewInt(1)
	}
	return big.NewInt(0)
}

func toSigned(x *big.Int, w int) *big.Int {
	if x.Bit(w-1) == 1 {
		return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return x
}

func popCount(x *big.Int) int {
	n := 0
	for i := range x.BitLen() {
		n += int(x.Bit(i))
	}
	return n
}

func pack(elems []*big.Int, w int) *big.Int {
	out := new(big.Int)
	for k, e := range elems {
		out.Or(out, new(big.Int).Lsh(e, uint(k*w)))
	}
	return out
}

func unpack(x *big.Int, n, w int) []*big.Int {
	out := make([]*big.Int, n)
	for k := range out {
		out[k] = wrap(new(big.Int).Rsh(x, uint(k*w)), w)
	}
	return out
}

// reference computes every output from the inputs, straight from the comments
// in hw/ir.
func reference(p simtest.Operators, in map[string]*big.Int) map[string]*big.Int {
	w, n := p.Width, p.Len
	a, b, c, amount := in["a"], in["b"], in["c"], in["amount"]
	v, d := unpack(in["v"], n, w), unpack(in["d"], n, hw.IndexWidth(p.Dests()))
	index := int(in["index"].Int64())
	z := func() *big.Int { return new(big.Int) }
	shift := uint(w)
	if amount.Cmp(big.NewInt(int64(w))) < 0 {
		shift = uint(amount.Int64())
	}
	rot := uint(5 % w)
	all := wrap(big.NewInt(-1), w)
	mux := b
	if c.Sign() != 0 {
		mux = a
	}
	out := map[string]*big.Int{
		"const": z().Xor(a, big.NewInt(1)),
		"not":   z().Xor(a, all), "neg": wrap(z().Neg(a), w),
		"redand": truth(a.Cmp(all) == 0), "redor": truth(a.Sign() != 0), "redxor": big.NewInt(int64(popCount(a) & 1)),
		"add": wrap(z().Add(a, b), w), "sub": wrap(z().Sub(a, b), w), "mul": wrap(z().Mul(a, b), w),
		"and": z().And(a, b), "or": z().Or(a, b), "xor": z().Xor(a, b),
		"eq": truth(a.Cmp(b) == 0), "ne": truth(a.Cmp(b) != 0), "ltu": truth(a.Cmp(b) < 0), "leu": truth(a.Cmp(b) <= 0),
		"lts": truth(toSigned(a, w).Cmp(toSigned(b, w)) < 0),
		"shl": wrap(z().Lsh(a, shift), w), "shru": z().Rsh(a, shift), "shrs": wrap(z().Rsh(toSigned(a, w), shift), w),
		"rotl": wrap(z().Or(z().Lsh(a, rot), z().Rsh(a, uint(w)-rot)), w),
		"mux":  mux, "concat": pack([]*big.Int{b, z().Or(c, z().Lsh(a, 1))}, w), "concat2": pack([]*big.Int{c, b}, 1),
		"popcount": big.NewInt(int64(popCount(a))), "lowest": wrap(z().And(a, z().Neg(a)), w),
		"encode": z(), "decode": z(),
		"pack": in["v"], "elemat": v[n-1], "elem": z(), "eqlanes": z(), "reduceor": z(), "select": z(),
		"vec": pack([]*big.Int{b, a}, w), "unpack": pack([]*big.Int{a, b, a}, w),
	}
	for name, by := range map[string]*big.Int{"": b, "_c": wrap(z().Set(amount), w)} {
		out["divu"+name], out["modu"+name] = all, a
		if by.Sign() != 0 {
			out["divu"+name], out["modu"+name] = z().Quo(a, by), z().Rem(a, by)
		}
	}
	if c.Sign() != 0 {
		out["divu_c"] = a
	}
	for i, r := range p.Slices() {
		out[fmt.Sprintf("slice%d", i)] = wrap(z().Rsh(a, uint(r[1])), r[0]-r[1]+1)
	}
	for _, to := range []int{w + 1, w + 64} {
		out[fmt.Sprintf("zext_%d", to)] = a
		out[fmt.Sprintf("sext_%d", to)] = wrap(z().Set(toSigned(a, w)), to)
	}
	for i := range w {
		if a.Bit(i) == 1 {
			out["encode"].Or(out["encode"], big.NewInt(int64(i)))
		}
	}
	if shift < uint(w) {
		out["decode"].SetBit(z(), int(shift), 1)
	}
	if index < n {
		out["elem"] = v[index]
	}
	lanes(p, in, v, d, index, out)
	return out
}

// lanes computes the outputs that are made element by element.
func lanes(p simtest.Operators, in map[string]*big.Int, v, d []*big.Int, index int, out map[string]*big.Int) {
	w, n := p.Width, p.Len
	with := func(x *big.Int) []*big.Int {
		u := append([]*big.Int(nil), v...)
		if index < n {
			u[index] = x
		}
		return u
	}
	updated := with(in["a"])
	and := make([]*big.Int, n)
	routed := make([]*big.Int, p.Dests())
	for j := range routed {
		routed[j] = new(big.Int)
	}
	for i := range n {
		and[i] = new(big.Int).And(v[i], updated[i])
		if v[i].Cmp(in["a"]) == 0 {
			out["eqlanes"].SetBit(out["eqlanes"], i, 1)
		}
		out["reduceor"].Or(out["reduceor"], v[i])
		if in["lanes"].Bit(i) == 1 {
			out["select"].Or(out["select"], v[i])
			if j := d[i].Int64(); j < int64(p.Dests()) {
				routed[j].SetBit(routed[j], i, 1)
			}
		}
	}
	out["update"] = pack(updated, w)
	out["vand"] = pack(and, w)
	out["vmux"] = pack(with(in["b"]), w)
	if in["c"].Sign() != 0 {
		out["vmux"] = in["v"]
	}
	out["route"] = pack(routed, n)
}

// interesting is a random value that is often at a boundary.
func interesting(r *rand.Rand, w int) *big.Int {
	x := new(big.Int)
	switch r.IntN(6) {
	case 0:
		return x.SetInt64(int64(r.IntN(4)) & (1<<min(w, 2) - 1))
	case 1:
		return wrap(x.SetInt64(-1-int64(r.IntN(3))), w)
	case 2:
		return x.SetBit(x, r.IntN(w), 1)
	}
	for i := range w {
		x.SetBit(x, i, uint(r.Uint64()&1))
	}
	return x
}

func words(x *big.Int, w int) []uint64 {
	out := make([]uint64, ir.Words(w))
	for i := range x.BitLen() {
		out[i/64] |= uint64(x.Bit(i)) << (i % 64)
	}
	return out
}

func fromWords(x []uint64) *big.Int {
	out := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		out.Or(out.Lsh(out, 64), new(big.Int).SetUint64(x[i]))
	}
	return out
}

// TestOperators compares every operator with math/big, values of both sides of
// a machine word.
func TestOperators(t *testing.T) {
	for _, w := range []int{1, 7, 63, 64, 65, 127, 128, 130} {
		for _, n := range []int{3, 8, 65} {
			for _, amount := range []int{bits.Len(uint(w)), 70} {
				p := simtest.Operators{Width: w, Len: n, Amount: amount}
				t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) { checkOperators(t, p) })
			}
		}
	}
}

func checkOperators(t *testing.T, p simtest.Operators) {
	s := elaborate(t, p)
	r := rand.New(rand.NewPCG(1, uint64(p.Width*1000+p.Len)))
	for range 40 {
		in := map[string]*big.Int{}
		for i, port := range s.Ports() {
			if port.Input {
				elems := make([]*big.Int, port.Type.Count())
				for k := range elems {
					elems[k] = interesting(r, port.Type.Width)
				}
				in[port.Name] = pack(elems, port.Type.Width)
				s.Set(i, words(in[port.Name], port.Type.Bits()))
			}
		}
		want := reference(p, in)
		outputs := 0
		for _, port := range s.Ports() {
			if !port.Input {
				outputs++
				got := fromWords(sim.Find(s, port.Name).Words())
				require.Equal(t, want[port.Name[2:]].Text(16), got.Text(16), "%s of %v", port.Name, in)
			}
		}
		require.Equal(t, len(want), outputs)
	}
}
