package drivers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/random"
)

// TestLoweringKeepsTheMeaning: executing the statements of a scope in order has the same effect as
// its lowered expressions. The values of the expressions in the statements are random.
func TestLoweringKeepsTheMeaning(t *testing.T) {
	var drives, effects int
	for seed := range uint64(90) {
		d := random.Random(seed, random.Options{Size: 8, Levels: 1})
		l, problems := drivers.Lower(d)
		require.Empty(t, problems)
		for _, m := range d.Modules {
			m.Body.Walk(func(s *ir.Scope) {
				for draw := range uint64(4) {
					x := newExecution(s, seed*4+draw)
					x.block(s.Stmts)
					lowered := l.Modules[m].Scopes[s]
					for _, d := range lowered.Drives {
						drives++
						require.Equal(t, x.driven(d.LHS), x.value(d.Value), "seed %d: %s of %s", seed, d.LHS.Sig.Name, m.Name)
					}
					var got [][]uint64
					for _, w := range lowered.Writes {
						if x.value(w.Enable)[0] == 1 {
							got = append(got, []uint64{x.value(w.Addr)[0], x.value(w.Data)[0]})
						}
					}
					for _, c := range lowered.Checks {
						if x.value(c.Enable)[0] == 1 {
							got = append(got, x.value(c.Cond))
						}
					}
					effects += len(got)
					require.ElementsMatch(t, x.effects, got, "seed %d", seed)
				}
			})
		}
	}
	require.Greater(t, drives, 5000)
	require.Greater(t, effects, 300)
}

// execution executes the statements of one scope, in the first iteration of its loops.
type execution struct {
	written map[place]uint64
	seed    uint64
	drawn   map[*ir.Expr]uint64 // a number for each expression of the statements
	state   map[*ir.Signal][]uint64
	effects [][]uint64 // address and data of writes, conditions of assertions
}

func newExecution(s *ir.Scope, seed uint64) *execution {
	x := &execution{seed: seed, drawn: map[*ir.Expr]uint64{}, state: map[*ir.Signal][]uint64{}, written: map[place]uint64{}}
	ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
		for _, e := range st.Exprs() {
			x.drawn[e] = uint64(len(x.drawn) + 1)
		}
	})
	return x
}

// draw returns a pseudorandom number of at most width bits, often a small one.
func (x *execution) draw(which uint64, k, width int) uint64 {
	h := which*0x9e3779b97f4a7c15 + uint64(k)*0xbf58476d1ce4e5b9 + x.seed*0x94d049bb133111eb
	h ^= h >> 29
	h *= 0xff51afd7ed558ccd
	h ^= h >> 32
	if h>>60 < 12 {
		h %= 7
	}
	return h & (1<<uint(min(width, 63)) - 1)
}

func zero(*ir.For) int { return 0 }

// value returns the elements of the value of e.
func (x *execution) value(e *ir.Expr) []uint64 {
	arg := func(i int) uint64 { return x.value(e.Args[i])[0] }
	switch {
	case e.Op == ir.Const:
		return []uint64{e.Val[0]}
	case e.Op == ir.LoopConst:
		return []uint64{uint64(e.Index.At(zero))}
	case e.Op == ir.Ref:
		return x.held(e.Sig)
	case e.Op == ir.ElemAt && e.Args[0].Op == ir.Ref:
		return []uint64{x.value(e.Args[0])[e.Index.At(zero)]}
	case e.Op == ir.Not && e.Type.Width == 1:
		return []uint64{1 - arg(0)}
	case x.drawn[e] > 0:
		out := make([]uint64, e.Type.Count())
		for k := range out {
			out[k] = x.draw(x.drawn[e], k, e.Type.Width)
		}
		return out
	}
	switch e.Op { // added by lowering
	case ir.Mux:
		return x.value(e.Args[2-arg(0)])
	case ir.And:
		return []uint64{arg(0) & arg(1)}
	case ir.Or:
		return []uint64{arg(0) | arg(1)}
	case ir.MemRead:
		return []uint64{x.word(e.Mem, arg(0))}
	case ir.Slice:
		return []uint64{arg(0) >> e.Lo & ones(e.Type.Width)}
	case ir.Concat:
		var v uint64
		for i, a := range e.Args {
			v = v<<a.Type.Width | arg(i)
		}
		return []uint64{v}
	case ir.Elem:
		if i := arg(1); i < uint64(e.Args[0].Type.Len) {
			return x.value(e.Args[0])[i : i+1]
		}
		return []uint64{0}
	case ir.Eq:
		if arg(0) == arg(1) {
			return []uint64{1}
		}
		return []uint64{0}
	case ir.Update:
		out := append([]uint64{}, x.value(e.Args[0])...)
		if i := arg(1); i < uint64(len(out)) {
			out[i] = arg(2)
		}
		return out
	}
	// Operands of a Not in a statement: an arbitrary value, but the same each time.
	x.drawn[e] = uint64(len(x.drawn) + 1)
	return x.value(e)
}

// place is a word of a memory.
type place struct {
	mem  *ir.Mem
	addr uint64
}

// word returns the initial value of a memory word.
func (x *execution) word(m *ir.Mem, addr uint64) uint64 {
	which := uint64(1 << 41)
	for _, c := range m.Name {
		which = which*31 + uint64(c)
	}
	return x.draw(which+addr, 0, m.Width)
}

// lanes returns the word after a write. Lanes whose mask bit is 0 come from an earlier write or
// from the initial word.
func (x *execution) lanes(s *ir.MemWrite, at place) uint64 {
	data := x.value(s.Data)[0]
	if s.Mask == nil {
		return data
	}
	out, ok := x.written[at]
	if !ok {
		out = x.word(at.mem, at.addr)
	}
	size, mask := s.Mem.Width/s.Mask.Type.Width, x.value(s.Mask)[0]
	for i := range s.Mask.Type.Width {
		if lane := ones(size) << (i * size); mask>>i&1 == 1 {
			out = out&^lane | data&lane
		}
	}
	return out & ones(min(s.Mem.Width, 63))
}

// held returns the current value of a signal.
func (x *execution) held(s *ir.Signal) []uint64 {
	which := uint64(1 << 40)
	for _, c := range s.Name {
		which = which*31 + uint64(c)
	}
	out := make([]uint64, s.Type.Count())
	for k := range out {
		out[k] = x.draw(which, k, s.Type.Width)
	}
	return out
}

// next returns the value assigned to s so far.
func (x *execution) next(s *ir.Signal) []uint64 {
	if x.state[s] == nil {
		x.state[s] = x.held(s)
	}
	return x.state[s]
}

func ones(width int) uint64 { return ^uint64(0) >> (64 - min(width, 64)) }

// put assigns v to bits of now. Bits from 64 on are not compared.
func put(now *uint64, l ir.LValue, v uint64) {
	if l.Bits == 0 {
		*now = v
		return
	}
	*now = *now&^(ones(l.Bits)<<l.Lo) | v<<l.Lo
}

func (x *execution) driven(l ir.LValue) []uint64 {
	if l.Part {
		i := l.Index.At(zero)
		return x.next(l.Sig)[i : i+1]
	}
	return x.next(l.Sig)
}

func (x *execution) block(list []ir.Stmt) {
	for _, st := range list {
		switch s := st.(type) {
		case *ir.Assign:
			v, now := x.value(s.RHS), x.next(s.LHS.Sig)
			switch {
			case s.LHS.Part:
				put(&now[s.LHS.Index.At(zero)], s.LHS, v[0])
			case s.LHS.Dyn != nil:
				if i := x.value(s.LHS.Dyn)[0]; i < uint64(len(now)) {
					put(&now[i], s.LHS, v[0])
				}
			case s.LHS.Bits > 0:
				put(&now[0], s.LHS, v[0])
			default:
				copy(now, v)
			}
		case *ir.When:
			if x.value(s.Cond)[0] == 1 {
				x.block(s.Then)
			} else {
				x.block(s.Else)
			}
		case *ir.Switch:
			x.block(x.choose(s))
		case *ir.MemWrite:
			at := place{s.Mem, x.value(s.Addr)[0]}
			x.written[at] = x.lanes(s, at)
			x.effects = append(x.effects, []uint64{at.addr, x.written[at]})
		case *ir.Assert:
			if s.Kind == ir.Covered {
				continue
			}
			x.effects = append(x.effects, x.value(s.Cond))
		}
	}
}

func (x *execution) choose(s *ir.Switch) []ir.Stmt {
	for _, c := range s.Cases {
		for _, v := range c.Values {
			if v.Val[0] == x.value(s.Of)[0] {
				return c.Body
			}
		}
	}
	return s.Default
}
