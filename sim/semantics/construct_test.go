package semantics_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// construct is a row of the table: hardware with one output, and its reference.
type construct struct {
	name  string
	in    []int // widths of the inputs, all synchronous to clock
	clock string
	// build returns the output.
	build func(m *hw.Module, in []hw.Bits) hw.Bits
	// begin returns a reference with zero state. The reference is called once per cycle. It returns
	// the output before the clock edge and then updates its state.
	begin func() func(c cycle) *big.Int
}

// cycle contains the inputs of a reference in one cycle.
type cycle struct {
	in    []*big.Int
	tick  bool // the clock has an edge
	reset bool // its reset is active
}

// bit returns input i, which has one bit.
func (c cycle) bit(i int) bool { return c.in[i].Sign() != 0 }

// num returns input i, which is small.
func (c cycle) num(i int) int { return int(c.in[i].Int64()) }

// The clocks, by the kind of their reset.
var clocks = []struct {
	name, reset string
	kind        []hw.ResetKind
}{
	{"high", "high_rst", nil},
	{"low", "low_rst_n", []hw.ResetKind{hw.Low}},
	{"async", "async_rst", []hw.ResetKind{hw.Async}},
	{"async_low", "async_low_rst_n", []hw.ResetKind{hw.Async, hw.Low}},
	{"none", "", nil},
}

// table returns the constructs of a design. With Own set, it returns only constructs with state
// that use a single clock.
func (p all) table() []construct {
	lists := [][]construct{operators(), vectors(), memories(), registers(), statements()}
	if p.Own {
		lists = [][]construct{arrays(), memories(), registers(), statements()}
	}
	var out []construct
	for _, list := range lists {
		for _, c := range list {
			if c.clock == "" {
				c.clock = "high"
			}
			if !p.Own || c.clock == "high" {
				out = append(out, c)
			}
		}
	}
	return out
}

// all is the design with all constructs. Constructs of one clock share inputs of the same width.
// The clocks are ports; with Own set, there is only the module's own clock.
type all struct{ Own bool }

func (p all) Build(m *hw.Module) struct{} {
	if p.Own {
		p.constructs(m, "high")
		return struct{}{}
	}
	for _, k := range clocks {
		clock := m.Clock(k.name, k.reset, k.kind...)
		m.Clocked(clock, func() { p.constructs(m, k.name) })
	}
	return struct{}{}
}

// constructs builds the constructs of a clock.
func (p all) constructs(m *hw.Module, clock string) {
	inputs := map[string]hw.Bits{}
	for _, c := range p.table() {
		if c.clock != clock {
			continue
		}
		var in []hw.Bits
		for _, name := range c.inputs() {
			if _, ok := inputs[name]; !ok {
				inputs[name] = m.In(name, c.in[len(in)])
			}
			in = append(in, inputs[name])
		}
		x := hw.Scope(m, c.name, func() hw.Bits { return c.build(m, in) })
		m.Out("q_"+c.name, x.Width()).Set(x)
	}
}

// inputs returns the names of the ports that c uses.
func (c construct) inputs() []string {
	var out []string
	used := map[int]int{}
	for _, w := range c.in {
		out = append(out, fmt.Sprintf("in_%s_w%d_%c", c.clock, w, 'a'+used[w]))
		used[w]++
	}
	return out
}

// comb returns a reference without state.
func comb(f func(in []*big.Int) *big.Int) func() func(cycle) *big.Int {
	return func() func(cycle) *big.Int {
		return func(c cycle) *big.Int { return f(c.in) }
	}
}

// interesting returns a random value of width bits that is often at a boundary.
func interesting(r *rand.Rand, width int) *big.Int {
	x := new(big.Int)
	switch r.IntN(8) {
	case 0:
		return low(x.SetInt64(int64(r.IntN(4))), width)
	case 1:
		return low(x.SetInt64(-1-int64(r.IntN(3))), width)
	case 2:
		return x.SetBit(x, r.IntN(width), 1)
	case 3: // around the largest and the smallest signed number
		return low(x.Add(x.Lsh(one(), uint(width-1)), big.NewInt(int64(r.IntN(3)-1))), width)
	case 4: // few bits, so that two values are often equal
		return low(x.SetInt64(int64(r.IntN(2))), width)
	}
	for i := range width {
		x.SetBit(x, i, uint(r.Uint64()&1))
	}
	return x
}

func one() *big.Int { return big.NewInt(1) }

// low returns x modulo 2^width.
func low(x *big.Int, width int) *big.Int {
	m := new(big.Int).Lsh(one(), uint(width))
	return new(big.Int).Mod(x, m)
}

// signed returns x as a two's-complement number.
func signed(x *big.Int, width int) *big.Int {
	if x.Bit(width-1) == 1 {
		return new(big.Int).Sub(x, new(big.Int).Lsh(one(), uint(width)))
	}
	return x
}

// truth returns 1 for true and 0 for false.
func truth(b bool) *big.Int {
	if b {
		return one()
	}
	return new(big.Int)
}

// cut returns width bits of x, starting at bit lo.
func cut(x *big.Int, lo, width int) *big.Int { return low(new(big.Int).Rsh(x, uint(lo)), width) }

// split splits x into n elements of width bits, the first least significant.
func split(x *big.Int, n, width int) []*big.Int {
	out := make([]*big.Int, n)
	for i := range out {
		out[i] = cut(x, i*width, width)
	}
	return out
}

// join combines elements of width bits into a number, the first least significant.
func join(elems []*big.Int, width int) *big.Int {
	out := new(big.Int)
	for i, x := range elems {
		out.Or(out, new(big.Int).Lsh(x, uint(i*width)))
	}
	return out
}

func words(x *big.Int, width int) []uint64 {
	out := make([]uint64, ir.Words(width))
	for i := range out {
		out[i] = cut(x, 64*i, 64).Uint64()
	}
	return out
}

func number(words []uint64) *big.Int {
	out := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		out.Or(out.Lsh(out, 64), new(big.Int).SetUint64(words[i]))
	}
	return out
}
