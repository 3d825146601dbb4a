package semantics_test

import (
	"fmt"
	"math/big"

	"github.com/hotline-rtl/hotline/hw"
)

// pair is a record used as a hardware value.
type pair struct {
	Key  hw.Bits           `hw:"7"`
	Sign hw.Signed         `hw:"5"`
	List hw.Array[hw.Bits] `hw:"len=3,4"`
}

const pairBits = 7 + 5 + 3*4

// pairOf splits a number into the fields of a pair. The first field is most significant, and so is
// the last element.
func pairOf(x *big.Int) (key, sign *big.Int, list []*big.Int) {
	return cut(x, 17, 7), cut(x, 12, 5), split(x, 3, 4)
}

func pairBack(key, sign *big.Int, list []*big.Int) *big.Int {
	x := new(big.Int).Lsh(key, 17)
	return x.Or(x, new(big.Int).Lsh(sign, 12)).Or(x, join(list, 4))
}

// vectors returns constructs on vectors, arrays and records.
func vectors() (out []construct) {
	for _, n := range []int{1, 3, 8, 65} {
		for _, w := range []int{1, 13, 70} {
			out = append(out, vectorsOf(n, w)...)
		}
	}
	return append(out, arrays()...)
}

func vectorsOf(n, w int) (out []construct) {
	add := func(name string, more []int, build func(m *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits, want func(v, in []*big.Int) *big.Int) {
		out = append(out, construct{name: fmt.Sprintf("%s_%dx%d", name, n, w), in: append([]int{n * w}, more...),
			build: func(m *hw.Module, in []hw.Bits) hw.Bits { return build(m, in[0].Unpack(w), in[1:]) },
			begin: comb(func(in []*big.Int) *big.Int { return want(split(in[0], n, w), in[1:]) })})
	}
	index := hw.IndexWidth(n)
	at := func(v []*big.Int, i *big.Int) *big.Int { // zero beyond the last
		if i.Cmp(big.NewInt(int64(n))) < 0 {
			return v[i.Int64()]
		}
		return new(big.Int)
	}
	add("index", []int{index}, func(_ *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits { return v.Index(in[0]) },
		func(v, in []*big.Int) *big.Int { return at(v, in[0]) })
	add("with", []int{index, w}, func(_ *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits { return v.With(in[0], in[1]).Pack() },
		func(v, in []*big.Int) *big.Int {
			if in[0].Cmp(big.NewInt(int64(n))) < 0 {
				v[in[0].Int64()] = in[1]
			}
			return join(v, w)
		})
	add("set_index", []int{index, w}, func(m *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits {
		x := m.WireVec("x", n, w)
		x.Set(v)
		x.Index(in[0]).Set(in[1])
		return x.Pack()
	}, func(v, in []*big.Int) *big.Int {
		if in[0].Cmp(big.NewInt(int64(n))) < 0 {
			v[in[0].Int64()] = in[1]
		}
		return join(v, w)
	})
	add("eq_lanes", []int{w}, func(_ *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits { return v.EqLanes(in[0]) },
		func(v, in []*big.Int) *big.Int {
			x := new(big.Int)
			for i := range v {
				x.SetBit(x, i, uint(truth(v[i].Cmp(in[0]) == 0).Int64()))
			}
			return x
		})
	add("select", []int{n}, func(_ *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits { return v.Select(in[0]) },
		func(v, in []*big.Int) *big.Int {
			x := new(big.Int)
			for i := range v {
				if in[0].Bit(i) == 1 {
					x.Or(x, v[i])
				}
			}
			return x
		})
	add("reduce_or", nil, func(_ *hw.Module, v hw.Vec, _ []hw.Bits) hw.Bits { return v.ReduceOr() },
		func(v, _ []*big.Int) *big.Int {
			x := new(big.Int)
			for i := range v {
				x.Or(x, v[i])
			}
			return x
		})
	add("lanes", []int{n * w}, func(_ *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits {
		u := in[0].Unpack(w)
		return v.And(u).Or(v.Xor(u).And(u)).Pack()
	}, func(v, in []*big.Int) *big.Int { return in[0] }) // (v & u) | ((v ^ u) & u) is u
	if n > 8 { // Icarus Verilog is slow with many lanes
		return out
	}
	add("loop", []int{w}, func(m *hw.Module, v hw.Vec, in []hw.Bits) hw.Bits {
		sum := m.WireVec("sum", n+1, w)
		sum.N(0).Set(in[0])
		m.For("each", n, func(i hw.Index) { sum.At(i.Plus(1)).Set(sum.At(i).Add(v.At(i)).Xor(i.Bits(8).Resize(w))) })
		return sum.N(n)
	}, func(v, in []*big.Int) *big.Int {
		x := in[0]
		for i := range v {
			x = low(new(big.Int).Add(x, v[i]), w)
			x = new(big.Int).Xor(x, low(big.NewInt(int64(i)), w))
		}
		return x
	})
	add("reversed", nil, func(m *hw.Module, v hw.Vec, _ []hw.Bits) hw.Bits {
		x := m.WireVec("x", n, w)
		m.For("each", n, func(i hw.Index) { x.At(i.Times(-1).Plus(n - 1)).Set(v.At(i)) })
		return x.Pack()
	}, func(v, _ []*big.Int) *big.Int {
		x := make([]*big.Int, n)
		for i := range v {
			x[n-1-i] = v[i]
		}
		return join(x, w)
	})
	if n > 2 {
		add("part", nil, func(_ *hw.Module, v hw.Vec, _ []hw.Bits) hw.Bits { return v.Part(1, n-2).Pack() },
			func(v, _ []*big.Int) *big.Int { return join(v[1:n-1], w) })
	}
	if w > 1 { // a route has no words
		return out
	}
	dests := n/2 + 1
	out = append(out, construct{name: fmt.Sprintf("route_%dx%d", n, w), in: []int{n, n * hw.IndexWidth(dests)},
		build: func(_ *hw.Module, in []hw.Bits) hw.Bits {
			return hw.Route(in[0], in[1].Unpack(hw.IndexWidth(dests)), dests).Pack()
		},
		begin: comb(func(in []*big.Int) *big.Int {
			x := new(big.Int)
			for i, to := range split(in[1], n, hw.IndexWidth(dests)) {
				if in[0].Bit(i) == 1 && to.Int64() < int64(dests) {
					x.SetBit(x, int(to.Int64())*n+i, 1)
				}
			}
			return x
		})})
	return out
}

// grid is an array of arrays of cells.
type cell struct {
	A hw.Bits `hw:"3"`
	B hw.Bits `hw:"6"`
}

type grid struct {
	Cells hw.Array[hw.Array[cell]] `hw:"len=5,len=3"`
}

// arrays returns constructs on multi-dimensional arrays and on records.
func arrays() []construct {
	return []construct{
		{name: "grid", in: []int{1, 3, 2, 9, 3, 2}, // write, row and column, cell; row and column to read
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				g := hw.Data[grid](m, "grid")
				x := hw.Unpack[cell](m, in[3])
				m.When(in[0], func() { hw.Set(g.Cells.Index(in[1]).Index(in[2]), x) })
				return hw.Pack(g.Cells.Index(in[4]).Index(in[5]))
			},
			begin: func() func(cycle) *big.Int {
				var cells [5][3]*big.Int
				for i := range cells {
					for k := range cells[i] {
						cells[i][k] = new(big.Int)
					}
				}
				return func(c cycle) *big.Int {
					out := new(big.Int)
					if r, k := c.num(4), c.num(5); r < 5 && k < 3 {
						out = cells[r][k]
					}
					if r, k := c.num(1), c.num(2); c.tick && c.bit(0) && r < 5 && k < 3 {
						cells[r][k] = c.in[3]
					}
					return out
				}
			}},
		{name: "record", in: []int{pairBits},
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				x := hw.Unpack[pair](m, in[0])
				y := hw.Wire[pair](m, "y")
				y.Key.Set(x.Key.Not())
				y.Sign.Set(x.Sign.Neg())
				for i := range 3 {
					y.List.N(i).Set(x.List.N((i + 1) % 3))
				}
				return hw.Pack(y)
			},
			begin: comb(func(in []*big.Int) *big.Int {
				key, sign, list := pairOf(in[0])
				return pairBack(low(new(big.Int).Not(key), 7), low(new(big.Int).Neg(sign), 5), []*big.Int{list[1], list[2], list[0]})
			})},
		{name: "record_mux", in: []int{1, pairBits, pairBits},
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				return hw.Pack(hw.Mux(in[0], hw.Unpack[pair](m, in[1]), hw.Unpack[pair](m, in[2])))
			},
			begin: comb(func(in []*big.Int) *big.Int { return choose(in[0].Sign() > 0, in[1], in[2]) })},
		{name: "record_select", in: []int{2, pairBits, pairBits},
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				return hw.Pack(hw.Select(in[0], hw.Unpack[pair](m, in[1]), hw.Unpack[pair](m, in[2])))
			},
			begin: comb(func(in []*big.Int) *big.Int {
				x := new(big.Int)
				for i := range 2 {
					if in[0].Bit(i) == 1 {
						x.Or(x, in[1+i])
					}
				}
				return x
			})},
		{name: "record_with", in: []int{pairBits, 7},
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				return hw.Pack(hw.With(hw.Unpack[pair](m, in[0]), pair{Key: in[1]}))
			},
			begin: comb(func(in []*big.Int) *big.Int {
				_, sign, list := pairOf(in[0])
				return pairBack(in[1], sign, list)
			})},
		{name: "record_zero", in: []int{1},
			build: func(m *hw.Module, in []hw.Bits) hw.Bits { return hw.Pack(hw.Zero[pair](m)).Or(in[0].Ext(pairBits)) },
			begin: comb(func(in []*big.Int) *big.Int { return in[0] })},
	}
}
