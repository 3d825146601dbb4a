package hw_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestMisuseNeverPanics: for any description, Elaborate returns a valid design or errors.
func TestMisuseNeverPanics(t *testing.T) {
	var refused, accepted int
	for seed := range uint64(1500) {
		d, err := hw.Elaborate(vandal{seed, 0})
		if err != nil {
			refused++
			continue
		}
		accepted++
		require.NoError(t, ir.Verify(d), "seed %d\n%s", seed, d)
	}
	require.Greater(t, refused, 500)
	require.Greater(t, accepted, 20)
}

// vandal describes random hardware without regard for the rules.
type vandal struct {
	Seed  uint64
	Depth int
}

func (v vandal) ModuleName() string { return fmt.Sprintf("vandal%d_%d", v.Depth, v.Seed%3) }

type loot struct {
	Bits []hw.Bits
	Vecs []hw.Vec
	Mem  hw.Mem[hw.Bits]
	Next *loot
}

func (v vandal) Build(m *hw.Module) loot {
	w := &wrecker{m: m, v: v, r: rand.New(rand.NewPCG(v.Seed, uint64(v.Depth)))}
	w.bits = []hw.Bits{{}, hw.K(1), hw.K(-1), hw.Lit(8, 3), m.In("a", 8), m.In("b", 1), m.Out("q", 8), m.Reg("r", 8, 1)}
	w.vecs = []hw.Vec{{}, m.InVec("v", 4, 8), m.WireVec("w", 4, 8), m.RegVec("u", 3, 8, 0)}
	w.bits[6].Set(w.bits[4])
	w.bits[7].Set(w.bits[4])
	w.vecs[2].Set(w.vecs[1])
	w.vecs[3].N(0).Set(w.bits[4])
	m.For("lane", 2, func(i hw.Index) { w.vecs[3].At(i.Plus(1)).Set(w.bits[7]) })
	w.mems = []hw.Mem[hw.Bits]{m.Mem("mem", 16, 8)}
	w.indices = []hw.Index{{}, hw.At(1)}
	w.wreck(1+w.r.IntN(12), 3)
	out := loot{Bits: w.bits[4:7], Vecs: w.vecs[1:2], Mem: w.mems[0]}
	if w.r.IntN(4) == 0 {
		out.Next = &loot{Bits: w.bits[len(w.bits)-1:]}
	}
	return out
}

type wrecker struct {
	m       *hw.Module
	v       vandal
	r       *rand.Rand
	bits    []hw.Bits
	vecs    []hw.Vec
	mems    []hw.Mem[hw.Bits]
	indices []hw.Index
	states  []hw.State
	chains  []hw.Chain
	cases   []hw.Cases
	names   int
}

func pick[T any](w *wrecker, xs []T) T { return xs[w.r.IntN(len(xs))] }

func (w *wrecker) b() hw.Bits { return pick(w, w.bits) }
func (w *wrecker) x() hw.Vec  { return pick(w, w.vecs) }
func (w *wrecker) n() int {
	return pick(w, []int{-1, 0, 1, 1, 2, 3, 4, 4, 7, 8, 8, 9, 64, 65, 1 << 17, 1 << 40})
}
func (w *wrecker) name() string {
	if w.r.IntN(8) == 0 {
		return pick(w, []string{"", "a", "reg", "X", "clk", "a__b"})
	}
	w.names++
	return fmt.Sprint("x", w.names)
}

func (w *wrecker) keep(xs ...hw.Bits) { w.bits = append(w.bits, xs...) }

// wreck describes n random things.
func (w *wrecker) wreck(n, depth int) {
	for range n {
		switch w.r.IntN(8) {
		case 0, 1, 2:
			w.operator()
		case 3:
			w.vector()
		case 4:
			w.declare()
		case 5, 6:
			w.statement(depth)
		case 7:
			w.structure(depth)
		}
	}
}

func (w *wrecker) operator() {
	a, b, c := w.b(), w.b(), w.b()
	switch w.r.IntN(12) {
	case 0, 1, 2:
		ops := []func(a, b hw.Bits) hw.Bits{hw.Bits.Add, hw.Bits.Sub, hw.Bits.Mul, hw.Bits.And, hw.Bits.Or, hw.Bits.Xor,
			hw.Bits.Eq, hw.Bits.Ne, hw.Bits.Lt, hw.Bits.Le, hw.Bits.Gt, hw.Bits.Ge, hw.Bits.LtS,
			hw.Bits.Shl, hw.Bits.Shr, hw.Bits.ShrS}
		w.keep(pick(w, ops)(a, b))
	case 3, 4:
		ops := []func(a hw.Bits) hw.Bits{hw.Bits.Not, hw.Bits.Neg, hw.Bits.All, hw.Bits.Any, hw.Bits.Parity, hw.Bits.IsZero,
			hw.Bits.Inc, hw.Bits.Dec, hw.Bits.Lowest, hw.Bits.Encode, hw.Bits.Count}
		w.keep(pick(w, ops)(a))
	case 5, 6:
		ops := []func(a hw.Bits, n int) hw.Bits{hw.Bits.Bit, hw.Bits.Trunc, hw.Bits.Ext, hw.Bits.SExt, hw.Bits.Resize, hw.Bits.Repeat, hw.Bits.Decode}
		w.keep(pick(w, ops)(a, w.n()))
	case 7:
		w.keep(a.Slice(w.n(), w.n()), hw.Cat(a, b), hw.Cat())
	case 8:
		w.keep(hw.Mux(a, b, c))
	case 9:
		w.keep(hw.Lit(w.n(), w.r.Uint64()), hw.Zeros(w.n()), hw.Ones(w.n()), hw.K(w.n()))
	case 10:
		w.keep(a.As(w.name()))
	case 11:
		w.keep(pick(w, w.mems).Read(a), pick(w, w.indices).Bits(w.n()))
	}
}

func (w *wrecker) vector() {
	x, y, a, b := w.x(), w.x(), w.b(), w.b()
	switch w.r.IntN(8) {
	case 0:
		w.vecs = append(w.vecs, x.And(y), x.Xor(y), hw.Mux(a, x, y))
	case 1:
		w.vecs = append(w.vecs, x.With(a, b), x.As(w.name()))
	case 2:
		w.vecs = append(w.vecs, hw.VecOf(a, b), hw.VecOf(), a.Unpack(w.n()))
	case 3:
		w.vecs = append(w.vecs, hw.Route(a, x, w.n()))
	case 4:
		w.keep(x.N(w.n()), x.Index(a), x.At(pick(w, w.indices)))
	case 5:
		w.keep(x.Pack(), x.ReduceOr())
	case 6:
		w.keep(x.Select(a), x.EqLanes(a))
	case 7:
		w.indices = append(w.indices, pick(w, w.indices).Plus(w.n()%9).Times(w.n()%9).Add(pick(w, w.indices)))
	}
}

func (w *wrecker) declare() {
	switch w.r.IntN(7) {
	case 0:
		w.keep(w.m.In(w.name(), w.n()), w.m.Out(w.name(), 8))
	case 1:
		w.keep(w.m.Wire(w.name(), w.n()), w.m.Data(w.name(), 8))
	case 2:
		w.keep(w.m.Reg(w.name(), w.n(), w.r.Uint64()>>w.r.IntN(64)))
	case 3:
		w.vecs = append(w.vecs, w.m.WireVec(w.name(), w.n(), 8), w.m.RegVec(w.name(), 4, w.n(), 3))
	case 4:
		w.mems = append(w.mems, w.m.Mem(w.name(), w.n(), w.n()).Style(pick(w, []string{"", "block", "bad"})))
	case 5:
		s := hw.FSM[struct{ One, Two hw.State }](w.m, w.name())
		hw.FSM[struct{ One, two hw.State }](w.m, w.name())
		w.states = append(w.states, s.One, s.Two)
	case 6:
		s := w.m.Channel(w.name(), w.n())
		s.Connect(hw.Stream[hw.Bits]{Valid: w.b(), Ready: w.b(), Data: w.b()})
		w.keep(s.Fire())
	}
}

func (w *wrecker) statement(depth int) {
	body := func() {
		if depth > 0 {
			w.wreck(w.r.IntN(3), depth-1)
		}
	}
	switch w.r.IntN(10) {
	case 0, 1:
		if a := w.b(); a.Width() > 0 { // without a module, Set ends the elaboration
			a.Set(w.b())
		}
	case 2:
		if x := w.x(); x.Width() > 0 {
			x.Set(w.x())
		}
	case 3:
		w.chains = append(w.chains, w.m.When(w.b(), body))
	case 4:
		if len(w.chains) > 0 {
			chain := pick(w, w.chains)
			w.chains = append(w.chains, chain.ElseWhen(w.b(), body))
			chain.Else(body)
		}
	case 5:
		w.cases = append(w.cases, w.m.Switch(w.b()))
	case 6:
		if len(w.cases) > 0 {
			pick(w, w.cases).Case(w.b(), body).Any([]hw.Bits{w.b(), hw.K(w.n())}, body).Default(body)
		}
	case 7:
		pick(w, w.mems).Write(w.b(), w.b())
	case 8:
		w.m.Assert(w.b(), "nonsense")
	case 9:
		if len(w.states) > 0 {
			pick(w, w.states).Do(body)
			pick(w, w.states).Next()
			w.keep(pick(w, w.states).Is())
		}
	}
}

func (w *wrecker) structure(depth int) {
	switch {
	case depth == 0:
	case w.r.IntN(2) == 0:
		w.m.For(w.name(), min(w.n(), 4), func(i hw.Index) {
			w.indices = append(w.indices, i)
			w.wreck(w.r.IntN(4), depth-1)
		})
	case w.v.Depth < 2:
		inner := vandal{w.v.Seed*7 + w.r.Uint64N(3), w.v.Depth + 1}
		var io loot
		if w.r.IntN(2) == 0 {
			io = hw.Inst(w.m, w.name(), inner)
		} else {
			io = hw.InstReset(w.m, w.name(), inner, w.b())
		}
		w.keep(io.Bits...)
		w.vecs = append(w.vecs, io.Vecs...)
		w.mems = append(w.mems, io.Mem)
		if io.Next != nil {
			w.keep(io.Next.Bits...)
		}
	}
}
