package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// element are the words of element k of l.
func (e *emitter) element(l *plan.List, k *code.Expr) []*code.Expr {
	base := laneOf(l.Base, e.l)
	if l.V.Lanes == 1 || l.Stride == 0 {
		return lane(l.V, base)
	}
	return lane(l.V, base.Add(times(k, l.Stride)))
}

// elementBits are the elements of a list of bits as words.
func (e *emitter) elementBits(l *plan.List) []*code.Expr {
	v := l.V
	if !l.Base.Constant() {
		if v.Lanes <= 64 {
			return []*code.Expr{code.Op(">>", field(v), bitNumber(laneOf(l.Base, e.l))).Low(l.N)}
		}
		return e.field(field(v), v.BitWords(), l.Base, l.N)
	}
	w := []*code.Expr{field(v)}
	if v.Lanes > 64 {
		w = elements(field(v), v.BitWords())
	}
	return cut(w, v.Lanes, l.Base.Add, l.N)
}

// listed is an operation on a list of elements.
func (e *emitter) listed(n *plan.Node) []*code.Expr {
	var first []*code.Expr
	if len(n.Args) > 0 {
		first = e.variables(e.read(n.Args[0]))
	}
	l := n.List
	if l.V.Bits() {
		return e.listedBits(n, first)
	}
	if n.Code == ir.Concat {
		if l.Stride == 0 && l.V.Width == 1 {
			return e.repeated(l, n.Width)
		}
		return e.pack(n, l)
	}
	if n.Code == ir.EqLanes && l.Wordwise(n.Lanes) && l.V.LaneBits() <= plan.Widest && n.Width <= 64 {
		return e.equalWords(l, n.Width, first[0])
	}
	out := e.zeros(ir.Words(n.Width))
	or := func(k *code.Expr) {
		for i, x := range e.element(l, k) {
			e.or(out[i], x)
		}
	}
	switch n.Code {
	case ir.Or:
		e.times(elemK, l.N, func() { or(elemK) })
	case ir.EqLanes:
		e.equalElements(l, first, out)
	case ir.Select:
		for i, m := range first {
			e.do(&code.Bits{Mask: maskM, X: m, Bit: elemK, Base: code.Int(64 * i), Body: e.within(func() { or(elemK) })})
		}
	case ir.Elem:
		e.when(within(n.Args[0].Width, l.N, first), func() { or(code.Call("int", first[0])) })
	default:
		panic(fmt.Sprintf("gosim: list operator %s", n.Code))
	}
	return out
}

// equalElements compares the elements of a list with x, one by one.
func (e *emitter) equalElements(l *plan.List, x, out []*code.Expr) {
	for i := range out {
		e.times(elemK, min(64, l.N-64*i), func() {
			equal := each([][]*code.Expr{e.element(l, elemK.Add(code.Int(64*i))), x}, func(w ...*code.Expr) *code.Expr { return w[0].Equal(w[1]) })
			e.or(out[i], code.Op("<<", code.Bit(code.All("&&", equal...)), bitNumber(elemK)))
		})
	}
}

func (e *emitter) listedBits(n *plan.Node, first []*code.Expr) []*code.Expr {
	if n.Code == ir.Elem {
		return e.elementBit(n, first)
	}
	all := e.elementBits(n.List)
	switch n.Code {
	case ir.Or:
		return []*code.Expr{code.Bit(code.All("|", all...).Differs(code.Zero))}
	case ir.Concat:
		return all
	case ir.EqLanes:
		for i := range all {
			all[i] = all[i].Xor(first[0].Sub(code.Int(1)).Low(min(64, n.List.N-64*i)))
		}
		return all
	case ir.Select:
		chosen := each([][]*code.Expr{all, first}, func(w ...*code.Expr) *code.Expr { return w[0].And(w[1]) })
		return []*code.Expr{code.Bit(code.All("|", chosen...).Differs(code.Zero))}
	}
	panic(fmt.Sprintf("gosim: list operator %s", n.Code))
}

// elementBit is a bit of a list chosen by an index.
func (e *emitter) elementBit(n *plan.Node, index []*code.Expr) []*code.Expr {
	out := e.zeros(1)
	at := laneOf(n.List.Base, e.l).Add(code.Call("int", index[0]))
	e.when(within(n.Args[0].Width, n.List.N, index), func() { e.put(out[0], lane(n.List.V, at)[0]) })
	return out
}

// elementWord is word j of the elements of the present lane.
func (e *emitter) elementWord(l *plan.List, j int) *code.Expr {
	at := times(e.l, l.N*l.V.LaneBits()/64).Add(code.Int(j))
	return wordIn(l.V, at).Pointed()
}

// wordIn is a pointer to a word of the storage of v.
func wordIn(v *plan.Value, at *code.Expr) *code.Expr {
	return code.Call("model.Word", code.Call("unsafe.Pointer", field(v).Address()), at)
}

// equalWords compares the elements of a list with x, several at a time.
func (e *emitter) equalWords(l *plan.List, n int, x *code.Expr) []*code.Expr {
	size := l.V.LaneBits()
	p := packing{size}
	all := code.Op("*", x, code.Num(p.every(1)))
	if _, ok := all.Number(); !ok {
		all = e.set(all)
	}
	var terms []*code.Expr
	for j := range n * size / 64 {
		differ := e.set(p.nonzero(e.set(e.elementWord(l, j).Xor(all)), l.V.Width))
		equal := e.set(differ.Xor(code.Num(p.top())))
		terms = append(terms, code.Call(fmt.Sprintf("model.Collect%d", size), equal).Up(j*64/size))
	}
	return []*code.Expr{code.All("|", terms...)}
}

// repeated is a bit width times.
func (e *emitter) repeated(l *plan.List, width int) []*code.Expr {
	x := e.set(lane(l.V, laneOf(l.Base, e.l))[0].Neg())
	out := make([]*code.Expr, ir.Words(width))
	for i := range out {
		out[i] = x.Low(min(64, width-64*i))
	}
	return out
}

// pack joins elements of equal width.
func (e *emitter) pack(n *plan.Node, l *plan.List) []*code.Expr {
	w, size := l.V.Width, ir.Words(n.Width)
	if l.Wordwise(n.Lanes) && w == l.V.LaneBits() {
		out := make([]*code.Expr, size)
		for i := range out {
			out[i] = e.elementWord(l, i)
		}
		return out
	}
	if size == 1 {
		out := e.zeros(1)
		e.times(elemK, l.N, func() {
			e.or(out[0], code.Op("<<", e.element(l, elemK)[0], code.Call("uint", elemK).Mul(code.Int(w))))
		})
		return out
	}
	if l.N <= unrolled && e.u.Lanes == 1 {
		var parts []part
		for k := range l.N {
			parts = append(parts, part{e.element(l, code.Int(k)), w})
		}
		return join(parts)
	}
	t := e.words(size)
	e.times(elemK, l.N, func() {
		el, at := e.element(l, elemK), elemK.Mul(code.Int(w))
		if w <= 64 {
			e.do(&code.Do{X: code.Call("putBits", t.Slice(), at, code.Int(w), el[0])})
		} else {
			e.do(&code.Do{X: code.Call("bv.Insert", t.Slice(), at, e.array(el).Slice(), code.Int(w))})
		}
	})
	return elements(t, size)
}

// unrolled is the greatest number of elements that are put together without a loop.
const unrolled = 16

// alone evaluates a node that has its own loop over lanes.
func (e *emitter) alone(n *plan.Node) {
	e.doing = n.Located
	if n.Moves != nil {
		e.gather(n)
		return
	}
	all := func() {
		if n.Code == ir.Update {
			e.update(n)
		} else {
			e.route(n)
		}
	}
	if n.Lanes == 1 {
		all()
		return
	}
	e.l = laneL
	e.times(laneL, n.Lanes, all)
}

// output is lane k of those that the present lane of n gives.
func (e *emitter) output(n *plan.Node) *code.Expr { return times(e.l, n.Nout).Add(elemK) }

func (e *emitter) update(n *plan.Node) {
	at, value := e.variables(e.read(n.Args[0])), e.variables(e.read(n.Args[1]))
	chosen := []*code.Expr{at[0].Equal(code.Word(elemK))}
	for _, high := range at[1:] {
		chosen = append(chosen, high.Equal(code.Zero))
	}
	e.times(elemK, n.Nout, func() {
		x := make([]*code.Expr, len(value))
		for i, w := range e.element(n.List, elemK) {
			x[i] = e.set(w)
		}
		e.when(code.All("&&", chosen...), func() {
			for i := range x {
				e.put(x[i], value[i])
			}
		})
		e.storeLane(n.Out, e.output(n), x)
	})
}

func (e *emitter) route(n *plan.Node) {
	valid := e.variables(e.read(n.Args[0]))
	size := ir.Words(n.Width)
	t := e.temp()
	e.do(&code.Var{Name: t, Type: fmt.Sprintf("[%d][%d]uint64", n.Nout, size)})
	for i, v := range valid {
		e.do(&code.Bits{Mask: maskM, X: v, Bit: elemK, Body: e.within(func() {
			d := e.element(n.List, elemK.Add(code.Int(64*i)))
			dest := e.variable(d[0])
			e.when(within(n.List.V.Width, n.Nout, append([]*code.Expr{dest}, d[1:]...)), func() {
				e.or(t.Index(masked(dest, n.Nout)).At(i), code.Op("<<", code.Int(1), bitNumber(elemK)))
			})
		})})
	}
	e.times(elemK, n.Nout, func() {
		e.storeLane(n.Out, e.output(n), elements(t.Index(elemK), size))
	})
}
