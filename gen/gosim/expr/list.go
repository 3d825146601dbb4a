package expr

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Element returns the words of element k of l.
func (e *Evaluator) Element(l *plan.List, k *code.Expr) []*code.Expr {
	base := storage.LaneOf(l.Base, e.Lane)
	if l.V.Lanes == 1 || l.Stride == 0 {
		return storage.Lane(l.V, base)
	}
	return storage.Lane(l.V, base.Add(storage.Times(k, l.Stride)))
}

// elementBits returns the elements of a list of bits as words.
func (e *Evaluator) elementBits(l *plan.List) []*code.Expr {
	v := l.V
	if !l.Base.Constant() {
		if v.Lanes <= 64 {
			return []*code.Expr{code.Op(">>", storage.Field(v), storage.BitNumber(storage.LaneOf(l.Base, e.Lane))).Low(l.N)}
		}
		return e.field(storage.Field(v), v.BitWords(), l.Base, l.N)
	}
	w := []*code.Expr{storage.Field(v)}
	if v.Lanes > 64 {
		w = storage.Elements(storage.Field(v), v.BitWords())
	}
	return cut(w, v.Lanes, l.Base.Add, l.N)
}

// listed returns an operation on a list of elements.
func (e *Evaluator) listed(n *plan.Node) []*code.Expr {
	var first []*code.Expr
	if len(n.Args) > 0 {
		first = e.Variables(e.Read(n.Args[0]))
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
	out := e.Zeros(ir.Words(n.Width))
	or := func(k *code.Expr) {
		for i, x := range e.Element(l, k) {
			e.Or(out[i], x)
		}
	}
	switch n.Code {
	case ir.Or:
		e.Times(storage.ElemK, l.N, func() { or(storage.ElemK) })
	case ir.EqLanes:
		e.equalElements(l, first, out)
	case ir.Select:
		for i, m := range first {
			e.Do(&code.Bits{Mask: storage.MaskM, X: m, Bit: storage.ElemK, Base: code.Int(64 * i), Body: e.Within(func() { or(storage.ElemK) })})
		}
	case ir.Elem:
		e.When(Below(n.Args[0].Width, l.N, first), func() { or(code.Call("int", first[0])) })
	default:
		panic(fmt.Sprintf("gosim: list operator %s", n.Code))
	}
	return out
}

// equalElements compares the elements of a list with x, one by one.
func (e *Evaluator) equalElements(l *plan.List, x, out []*code.Expr) {
	for i := range out {
		e.Times(storage.ElemK, min(64, l.N-64*i), func() {
			equal := each([][]*code.Expr{e.Element(l, storage.ElemK.Add(code.Int(64*i))), x}, func(w ...*code.Expr) *code.Expr { return w[0].Equal(w[1]) })
			e.Or(out[i], code.Op("<<", code.Bit(code.All("&&", equal...)), storage.BitNumber(storage.ElemK)))
		})
	}
}

func (e *Evaluator) listedBits(n *plan.Node, first []*code.Expr) []*code.Expr {
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

// elementBit returns a bit of a list chosen by an index.
func (e *Evaluator) elementBit(n *plan.Node, index []*code.Expr) []*code.Expr {
	out := e.Zeros(1)
	at := storage.LaneOf(n.List.Base, e.Lane).Add(code.Call("int", index[0]))
	e.When(Below(n.Args[0].Width, n.List.N, index), func() { e.Put(out[0], storage.Lane(n.List.V, at)[0]) })
	return out
}

// elementWord returns word j of the elements of the present lane.
func (e *Evaluator) elementWord(l *plan.List, j int) *code.Expr {
	at := storage.Times(e.Lane, l.N*l.V.LaneBits()/64).Add(code.Int(j))
	return storage.WordIn(l.V, at).Pointed()
}

// equalWords compares the elements of a list with x, several at a time.
func (e *Evaluator) equalWords(l *plan.List, n int, x *code.Expr) []*code.Expr {
	size := l.V.LaneBits()
	p := packing{size}
	all := code.Op("*", x, code.Num(p.every(1)))
	if _, ok := all.Number(); !ok {
		all = e.Set(all)
	}
	var terms []*code.Expr
	for j := range n * size / 64 {
		differ := e.Set(p.nonzero(e.Set(e.elementWord(l, j).Xor(all)), l.V.Width))
		equal := e.Set(differ.Xor(code.Num(p.top())))
		terms = append(terms, code.Call(fmt.Sprintf("model.Collect%d", size), equal).Up(j*64/size))
	}
	return []*code.Expr{code.All("|", terms...)}
}

// repeated returns width copies of a bit.
func (e *Evaluator) repeated(l *plan.List, width int) []*code.Expr {
	x := e.Set(storage.Lane(l.V, storage.LaneOf(l.Base, e.Lane))[0].Neg())
	out := make([]*code.Expr, ir.Words(width))
	for i := range out {
		out[i] = x.Low(min(64, width-64*i))
	}
	return out
}

// pack joins elements of equal width.
func (e *Evaluator) pack(n *plan.Node, l *plan.List) []*code.Expr {
	w, size := l.V.Width, ir.Words(n.Width)
	if l.Wordwise(n.Lanes) && w == l.V.LaneBits() {
		out := make([]*code.Expr, size)
		for i := range out {
			out[i] = e.elementWord(l, i)
		}
		return out
	}
	if size == 1 {
		out := e.Zeros(1)
		e.Times(storage.ElemK, l.N, func() {
			e.Or(out[0], code.Op("<<", e.Element(l, storage.ElemK)[0], code.Call("uint", storage.ElemK).Mul(code.Int(w))))
		})
		return out
	}
	if l.N <= unrolled && e.Unit.Lanes == 1 {
		var parts []part
		for k := range l.N {
			parts = append(parts, part{e.Element(l, code.Int(k)), w})
		}
		return join(parts)
	}
	t := e.Array(size)
	e.Times(storage.ElemK, l.N, func() {
		el, at := e.Element(l, storage.ElemK), storage.ElemK.Mul(code.Int(w))
		if w <= 64 {
			e.Do(&code.Do{X: code.Call("putBits", t.Slice(), at, code.Int(w), el[0])})
		} else {
			e.Do(&code.Do{X: code.Call("bv.Insert", t.Slice(), at, e.array(el).Slice(), code.Int(w))})
		}
	})
	return storage.Elements(t, size)
}

// unrolled is the maximum number of elements that are joined without a loop.
const unrolled = 16
