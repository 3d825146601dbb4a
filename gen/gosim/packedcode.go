package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// packing is how several lanes of size bits lie in a word.
type packing struct{ size int }

// every is a word with x, of at most 64 bits, in each lane.
func (p packing) every(x uint64) uint64 {
	for s := p.size; s < 64; s *= 2 {
		x |= x << s
	}
	return x
}

// top are the most significant bits of the lanes.
func (p packing) top() uint64 { return p.every(1 << (p.size - 1)) }

// nonzero are the most significant bits of the lanes of the variable x, values of width
// bits, that are not zero.
func (p packing) nonzero(x *code.Expr, width int) *code.Expr {
	low, top := code.Num(^p.top()), code.Num(p.top())
	if width < p.size {
		return code.Op("+", x, low).And(top)
	}
	return code.Op("+", x.And(low), low).Or(x).And(top)
}

// sum adds or subtracts lanes of width bits without a carry between them. Of whole lanes a
// and b must be variables.
func (p packing) sum(op ir.Op, a, b *code.Expr, width int) *code.Expr {
	top, low, all := code.Num(p.top()), code.Num(^p.top()), code.Num(p.every(ones(width)))
	switch {
	case width < p.size && op == ir.Add:
		return code.Op("+", a, b).And(all)
	case width < p.size:
		return a.Or(top).Sub(b).And(all)
	case op == ir.Add:
		return code.Op("+", a.And(low), b.And(low)).Xor(a.Xor(b).And(top))
	}
	return a.Or(top).Sub(b.And(low)).Xor(a.Xor(b).Xor(top).And(top))
}

// packing is how the lanes of a packed unit lie.
func (e *emitter) packing() packing { return packing{e.u.elem} }

// each is how many lanes of a packed unit a word has.
func (e *emitter) each() int { return 64 / e.u.elem }

// packedLoop is a loop over words of several lanes. One-bit values are the most
// significant bits of the lanes in it.
func (e *emitter) packedLoop() {
	u := e.u
	e.full = map[*value]*code.Expr{}
	e.l = wordI
	if u.lanes <= 64 {
		e.packedWords(func(body []code.Stmt) code.Stmt {
			return &code.Range{Index: wordI, N: code.Int(u.lanes / e.each()), Body: body}
		})
		return
	}
	e.times(wordW, u.lanes/64, func() {
		e.packedWords(func(body []code.Stmt) code.Stmt {
			first := wordW.Mul(code.Int(u.elem))
			return &code.Count{Index: wordI, From: first, To: first.Add(code.Int(u.elem)), Step: 1, Body: body}
		})
	})
}

// packedWords evaluates the words of up to 64 lanes in a loop.
func (e *emitter) packedWords(loop func(body []code.Stmt) code.Stmt) {
	values := e.collect(e.u)
	e.do(loop(e.within(func() {
		for _, n := range e.u.nodes {
			e.packedNode(n)
		}
	})))
	for _, v := range values {
		e.store(v, bitWord(v, wordW), collected(v))
	}
}

// packedNode evaluates n in the lanes of a word.
func (e *emitter) packedNode(n *node) {
	x := e.packedValue(n)
	if !x.Simple() {
		name := code.Name("x%d", n.out.id)
		e.do(&code.Define{Name: name, X: x})
		x = name
	}
	e.local[n.out] = []*code.Expr{x}
	if !n.out.stored {
		return
	}
	if n.out.bits() {
		e.or(collected(n.out), code.Op("<<", code.Call(fmt.Sprintf("model.Collect%d", e.u.elem), x), e.firstBit()))
		return
	}
	p := code.Name("p%d", n.out.id)
	e.do(&code.Define{Name: p, X: wordIn(n.out, wordI), Int: true})
	e.assign(e.p.readers[n.out], "uint64", p.Pointed(), x)
}

// firstBit is the number of the first lane of the present word among 64 lanes.
func (e *emitter) firstBit() *code.Expr { return bitNumber(wordI.Mul(code.Int(e.each()))) }

// packedWord is the present word of an operand of more than one bit.
func (e *emitter) packedWord(o operand) *code.Expr {
	switch {
	case o.k != nil:
		return code.Num(e.packing().every(o.k[0]))
	case o.same(e.u.lanes):
		w, ok := e.local[o.v]
		if !ok {
			w = []*code.Expr{e.set(wordIn(o.v, wordI).Pointed())}
			e.local[o.v] = w
		}
		return w[0]
	}
	return e.set(code.Op("*", e.ofAll(o), code.Num(e.packing().every(1))))
}

// ofAll is the value that all lanes of the present word read.
func (e *emitter) ofAll(o operand) *code.Expr {
	return lane(o.v, laneOf(o.at, wordI.Mul(code.Int(e.each()))))[0]
}

// packedMask is the present word of a one-bit operand: lanes all ones or zero.
func (e *emitter) packedMask(o operand) *code.Expr {
	switch {
	case o.k != nil:
		return code.Num(-o.k[0])
	case !o.same(e.u.lanes):
		return e.set(e.ofAll(o).Neg())
	}
	if m, ok := e.full[o.v]; ok {
		return m
	}
	var m *code.Expr
	if w, ok := e.local[o.v]; ok {
		m = e.set(code.Op("*", w[0].Down(e.u.elem-1), code.Num(ones(e.u.elem))))
	} else {
		m = e.set(code.Call(fmt.Sprintf("model.Spread%d", e.u.elem), code.Op(">>", bitWord(o.v, wordW), e.firstBit())))
	}
	e.full[o.v] = m
	return m
}

// packedValue is the word of n's results; one-bit ones are the most significant
// bits of lanes.
func (e *emitter) packedValue(n *node) *code.Expr {
	if l := n.list; l != nil { // bits that lie as they should
		return bitWord(l.v, wordI)
	}
	p := e.packing()
	top := code.Num(p.top())
	word := func(i int) *code.Expr { return e.packedWord(n.args[i]) }
	differ := func(x, y *code.Expr) *code.Expr { return p.nonzero(e.set(x.Xor(y)), n.args[0].width) }
	all := func() *code.Expr { return code.Num(p.every(ones(n.args[0].width))) }
	switch n.code {
	case ir.And, ir.Or, ir.Xor:
		w := make([]*code.Expr, len(n.args))
		for i := range n.args {
			w[i] = word(i)
		}
		return code.All(symbols[n.code], w...)
	case ir.Not:
		return word(0).Xor(all())
	case ir.Mux:
		return choice(e.packedMask(n.args[0]), word(1), word(2))
	case ir.Slice:
		return e.packedSlice(n)
	case ir.ZExt, ir.Concat:
		return e.packedConcat(n)
	case ir.Ne:
		return differ(word(0), word(1))
	case ir.Eq:
		return differ(word(0), word(1)).Xor(top)
	case ir.RedAnd:
		return differ(word(0), all()).Xor(top)
	case ir.LtU:
		return word(0).Or(top).Sub(word(1)).And(top).Xor(top)
	case ir.LeU:
		return word(1).Or(top).Sub(word(0)).And(top)
	case ir.Add, ir.Sub:
		return e.packedSum(n.code, word(0), word(1), n.width)
	case ir.Lowest:
		return word(0).And(e.packedSum(ir.Sub, code.Zero, word(0), n.width))
	}
	panic(fmt.Sprintf("gosim: packed operator %s", n.code))
}

// packedSum adds or subtracts lanes of width bits.
func (e *emitter) packedSum(op ir.Op, a, b *code.Expr, width int) *code.Expr {
	if width == e.u.elem {
		a, b = e.variable(a), e.variable(b)
	}
	return e.packing().sum(op, a, b, width)
}

func (e *emitter) packedSlice(n *node) *code.Expr {
	var x *code.Expr
	lo := n.lo.add
	if n.unpacks() > 0 {
		lo = n.lo.at(0)
		x = e.set(wordIn(n.args[0].v, wordI).Pointed())
	} else {
		x = e.packedWord(n.args[0])
	}
	switch n.width {
	case 1:
		return x.Up(e.u.elem - 1 - lo).And(code.Num(e.packing().top()))
	case e.u.elem:
		return x
	}
	return x.Down(lo).And(code.Num(e.packing().every(ones(n.width))))
}

func (e *emitter) packedConcat(n *node) *code.Expr {
	var terms []*code.Expr
	at := 0
	for i := len(n.args) - 1; i >= 0; i-- {
		a := n.args[i]
		if a.width == 1 {
			terms = append(terms, e.packedMask(a).And(code.Num(e.packing().every(1<<at))))
		} else {
			terms = append(terms, e.packedWord(a).Up(at))
		}
		at += a.width
	}
	return code.All("|", terms...)
}
