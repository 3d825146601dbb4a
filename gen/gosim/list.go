package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// element are the words of element k of l.
func (e *emitter) element(l *list, k *code.Expr) []*code.Expr {
	base := laneOf(l.base, e.l)
	if l.v.lanes == 1 || l.stride == 0 {
		return lane(l.v, base)
	}
	return lane(l.v, base.Add(times(k, l.stride)))
}

// elementBits are the elements of a list of bits as words.
func (e *emitter) elementBits(l *list) []*code.Expr {
	v := l.v
	if !l.base.constant() {
		if v.lanes <= 64 {
			return []*code.Expr{code.Op(">>", field(v), bitNumber(laneOf(l.base, e.l))).Low(l.n)}
		}
		return e.field(field(v), v.bitWords(), l.base, l.n)
	}
	w := []*code.Expr{field(v)}
	if v.lanes > 64 {
		w = elements(field(v), v.bitWords())
	}
	return cut(w, v.lanes, l.base.add, l.n)
}

// listed is an operation on a list of elements.
func (e *emitter) listed(n *node) []*code.Expr {
	var first []*code.Expr
	if len(n.args) > 0 {
		first = e.variables(e.read(n.args[0]))
	}
	l := n.list
	if l.v.bits() {
		return e.listedBits(n, first)
	}
	if n.code == ir.Concat {
		if l.stride == 0 && l.v.width == 1 {
			return e.repeated(l, n.width)
		}
		return e.pack(n, l)
	}
	if n.code == ir.EqLanes && l.wordwise(n.lanes) && l.v.laneBits() <= widest && n.width <= 64 {
		return e.equalWords(l, n.width, first[0])
	}
	out := e.zeros(ir.Words(n.width))
	or := func(k *code.Expr) {
		for i, x := range e.element(l, k) {
			e.or(out[i], x)
		}
	}
	switch n.code {
	case ir.Or:
		e.times(elemK, l.n, func() { or(elemK) })
	case ir.EqLanes:
		e.equalElements(l, first, out)
	case ir.Select:
		for i, m := range first {
			e.do(&code.Bits{Mask: maskM, X: m, Bit: elemK, Base: code.Int(64 * i), Body: e.within(func() { or(elemK) })})
		}
	case ir.Elem:
		e.when(within(n.args[0].width, l.n, first), func() { or(code.Call("int", first[0])) })
	default:
		panic(fmt.Sprintf("gosim: list operator %s", n.code))
	}
	return out
}

// equalElements compares the elements of a list with x, one by one.
func (e *emitter) equalElements(l *list, x, out []*code.Expr) {
	for i := range out {
		e.times(elemK, min(64, l.n-64*i), func() {
			equal := each([][]*code.Expr{e.element(l, elemK.Add(code.Int(64*i))), x}, func(w ...*code.Expr) *code.Expr { return w[0].Equal(w[1]) })
			e.or(out[i], code.Op("<<", code.Bit(code.All("&&", equal...)), bitNumber(elemK)))
		})
	}
}

func (e *emitter) listedBits(n *node, first []*code.Expr) []*code.Expr {
	if n.code == ir.Elem {
		return e.elementBit(n, first)
	}
	all := e.elementBits(n.list)
	switch n.code {
	case ir.Or:
		return []*code.Expr{code.Bit(code.All("|", all...).Differs(code.Zero))}
	case ir.Concat:
		return all
	case ir.EqLanes:
		for i := range all {
			all[i] = all[i].Xor(first[0].Sub(code.Int(1)).Low(min(64, n.list.n-64*i)))
		}
		return all
	case ir.Select:
		chosen := each([][]*code.Expr{all, first}, func(w ...*code.Expr) *code.Expr { return w[0].And(w[1]) })
		return []*code.Expr{code.Bit(code.All("|", chosen...).Differs(code.Zero))}
	}
	panic(fmt.Sprintf("gosim: list operator %s", n.code))
}

// elementBit is a bit of a list chosen by an index.
func (e *emitter) elementBit(n *node, index []*code.Expr) []*code.Expr {
	out := e.zeros(1)
	at := laneOf(n.list.base, e.l).Add(code.Call("int", index[0]))
	e.when(within(n.args[0].width, n.list.n, index), func() { e.put(out[0], lane(n.list.v, at)[0]) })
	return out
}

// elementWord is word j of the elements of the present lane.
func (e *emitter) elementWord(l *list, j int) *code.Expr {
	at := times(e.l, l.n*l.v.laneBits()/64).Add(code.Int(j))
	return wordIn(l.v, at).Pointed()
}

// wordIn is a pointer to a word of the storage of v.
func wordIn(v *value, at *code.Expr) *code.Expr {
	return code.Call("model.Word", code.Call("unsafe.Pointer", field(v).Address()), at)
}

// equalWords compares the elements of a list with x, several at a time.
func (e *emitter) equalWords(l *list, n int, x *code.Expr) []*code.Expr {
	size := l.v.laneBits()
	p := packing{size}
	all := code.Op("*", x, code.Num(p.every(1)))
	if _, ok := all.Number(); !ok {
		all = e.set(all)
	}
	var terms []*code.Expr
	for j := range n * size / 64 {
		differ := e.set(p.nonzero(e.set(e.elementWord(l, j).Xor(all)), l.v.width))
		equal := e.set(differ.Xor(code.Num(p.top())))
		terms = append(terms, code.Call(fmt.Sprintf("model.Collect%d", size), equal).Up(j*64/size))
	}
	return []*code.Expr{code.All("|", terms...)}
}

// repeated is a bit width times.
func (e *emitter) repeated(l *list, width int) []*code.Expr {
	x := e.set(lane(l.v, laneOf(l.base, e.l))[0].Neg())
	out := make([]*code.Expr, ir.Words(width))
	for i := range out {
		out[i] = x.Low(min(64, width-64*i))
	}
	return out
}

// pack joins elements of equal width.
func (e *emitter) pack(n *node, l *list) []*code.Expr {
	w, size := l.v.width, ir.Words(n.width)
	if l.wordwise(n.lanes) && w == l.v.laneBits() {
		out := make([]*code.Expr, size)
		for i := range out {
			out[i] = e.elementWord(l, i)
		}
		return out
	}
	if size == 1 {
		out := e.zeros(1)
		e.times(elemK, l.n, func() {
			e.or(out[0], code.Op("<<", e.element(l, elemK)[0], code.Call("uint", elemK).Mul(code.Int(w))))
		})
		return out
	}
	t := e.words(size)
	e.times(elemK, l.n, func() {
		el, at := e.element(l, elemK), elemK.Mul(code.Int(w))
		if w <= 64 {
			e.do(&code.Do{X: code.Call("putBits", t.Slice(), at, code.Int(w), el[0])})
		} else {
			e.do(&code.Do{X: code.Call("bv.Insert", t.Slice(), at, e.array(el).Slice(), code.Int(w))})
		}
	})
	return elements(t, size)
}

// alone evaluates a node that has its own loop over lanes.
func (e *emitter) alone(n *node) {
	if n.moves != nil {
		e.gather(n)
		return
	}
	all := func() {
		if n.code == ir.Update {
			e.update(n)
		} else {
			e.route(n)
		}
	}
	if n.lanes == 1 {
		all()
		return
	}
	e.l = laneL
	e.times(laneL, n.lanes, all)
}

// output is lane k of those that the present lane of n gives.
func (e *emitter) output(n *node) *code.Expr { return times(e.l, n.nout).Add(elemK) }

func (e *emitter) update(n *node) {
	at, value := e.variables(e.read(n.args[0])), e.variables(e.read(n.args[1]))
	chosen := []*code.Expr{at[0].Equal(code.Word(elemK))}
	for _, high := range at[1:] {
		chosen = append(chosen, high.Equal(code.Zero))
	}
	e.times(elemK, n.nout, func() {
		x := make([]*code.Expr, len(value))
		for i, w := range e.element(n.list, elemK) {
			x[i] = e.set(w)
		}
		e.when(code.All("&&", chosen...), func() {
			for i := range x {
				e.put(x[i], value[i])
			}
		})
		e.storeLane(n.out, e.output(n), x)
	})
}

func (e *emitter) route(n *node) {
	valid := e.variables(e.read(n.args[0]))
	size := ir.Words(n.width)
	t := e.temp()
	e.do(&code.Var{Name: t, Type: fmt.Sprintf("[%d][%d]uint64", n.nout, size)})
	for i, v := range valid {
		e.do(&code.Bits{Mask: maskM, X: v, Bit: elemK, Body: e.within(func() {
			d := e.element(n.list, elemK.Add(code.Int(64*i)))
			dest := e.variable(d[0])
			e.when(within(n.list.v.width, n.nout, append([]*code.Expr{dest}, d[1:]...)), func() {
				e.or(t.Index(masked(dest, n.nout)).At(i), code.Op("<<", code.Int(1), bitNumber(elemK)))
			})
		})})
	}
	e.times(elemK, n.nout, func() {
		e.storeLane(n.out, e.output(n), elements(t.Index(elemK), size))
	})
}
