package expr

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// packing describes several lanes of size bits in a word.
type packing struct{ size int }

// every returns a word with x, of at most 64 bits, in each lane.
func (p packing) every(x uint64) uint64 {
	for s := p.size; s < 64; s *= 2 {
		x |= x << s
	}
	return x
}

// top returns the most significant bits of the lanes.
func (p packing) top() uint64 { return p.every(1 << (p.size - 1)) }

// nonzero returns the most significant bits of the lanes of the variable x, values of width
// bits, that are not zero.
func (p packing) nonzero(x *code.Expr, width int) *code.Expr {
	low, top := code.Num(^p.top()), code.Num(p.top())
	if width < p.size {
		return code.Op("+", x, low).And(top)
	}
	return code.Op("+", x.And(low), low).Or(x).And(top)
}

// sum adds or subtracts lanes of width bits without a carry between them. For whole lanes, a and b
// must be variables.
func (p packing) sum(op ir.Op, a, b *code.Expr, width int) *code.Expr {
	top, low, all := code.Num(p.top()), code.Num(^p.top()), code.Num(p.every(plan.Ones(width)))
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

// packing returns the packing of the lanes of a packed unit.
func (e *Evaluator) packing() packing { return packing{e.Unit.Elem} }

// LanesInWord returns how many lanes of a packed unit a word has.
func (e *Evaluator) LanesInWord() int { return 64 / e.Unit.Elem }

// FirstBit returns the number of the first lane of the present word among 64 lanes.
func (e *Evaluator) FirstBit() *code.Expr {
	return storage.BitNumber(storage.WordI.Mul(code.Int(e.LanesInWord())))
}

// packedWord returns the present word of an operand of more than one bit.
func (e *Evaluator) packedWord(o plan.Operand) *code.Expr {
	switch {
	case o.K != nil:
		return code.Num(e.packing().every(o.K[0]))
	case o.Same(e.Unit.Lanes):
		w, ok := e.Local[o.V]
		if !ok {
			w = []*code.Expr{e.Set(storage.WordIn(o.V, storage.WordI).Pointed())}
			e.Local[o.V] = w
		}
		return w[0]
	}
	return e.Set(code.Op("*", e.ofAll(o), code.Num(e.packing().every(1))))
}

// ofAll returns the value that all lanes of the present word read.
func (e *Evaluator) ofAll(o plan.Operand) *code.Expr {
	return storage.Lane(o.V, storage.LaneOf(o.At, storage.WordI.Mul(code.Int(e.LanesInWord()))))[0]
}

// packedMask returns the present word of a one-bit operand: lanes all ones or zero.
func (e *Evaluator) packedMask(o plan.Operand) *code.Expr {
	switch {
	case o.K != nil:
		return code.Num(-o.K[0])
	case !o.Same(e.Unit.Lanes):
		return e.Set(e.ofAll(o).Neg())
	}
	if m, ok := e.full[o.V]; ok {
		return m
	}
	var m *code.Expr
	if w, ok := e.Local[o.V]; ok {
		m = e.Set(code.Op("*", w[0].Down(e.Unit.Elem-1), code.Num(plan.Ones(e.Unit.Elem))))
	} else {
		m = e.Set(code.Call(fmt.Sprintf("model.Spread%d", e.Unit.Elem), code.Op(">>", storage.BitWord(o.V, storage.WordW), e.FirstBit())))
	}
	e.full[o.V] = m
	return m
}

// PackedValue returns the word of n's results. One-bit results are the most significant bits of
// lanes.
func (e *Evaluator) PackedValue(n *plan.Node) *code.Expr {
	if l := n.List; l != nil { // bits in the order of lanes
		return storage.BitWord(l.V, storage.WordI)
	}
	p := e.packing()
	top := code.Num(p.top())
	word := func(i int) *code.Expr { return e.packedWord(n.Args[i]) }
	differ := func(x, y *code.Expr) *code.Expr { return p.nonzero(e.Set(x.Xor(y)), n.Args[0].Width) }
	all := func() *code.Expr { return code.Num(p.every(plan.Ones(n.Args[0].Width))) }
	switch n.Code {
	case ir.And, ir.Or, ir.Xor:
		w := make([]*code.Expr, len(n.Args))
		for i := range n.Args {
			w[i] = word(i)
		}
		return code.All(symbols[n.Code], w...)
	case ir.Not:
		return word(0).Xor(all())
	case ir.Mux:
		return choice(e.packedMask(n.Args[0]), word(1), word(2))
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
		return e.packedSum(n.Code, word(0), word(1), n.Width)
	case ir.Lowest:
		return word(0).And(e.packedSum(ir.Sub, code.Zero, word(0), n.Width))
	}
	panic(fmt.Sprintf("gosim: packed operator %s", n.Code))
}

// packedSum adds or subtracts lanes of width bits.
func (e *Evaluator) packedSum(op ir.Op, a, b *code.Expr, width int) *code.Expr {
	if width == e.Unit.Elem {
		a, b = e.Variable(a), e.Variable(b)
	}
	return e.packing().sum(op, a, b, width)
}

func (e *Evaluator) packedSlice(n *plan.Node) *code.Expr {
	var x *code.Expr
	lo := n.Lo.Add
	if n.Unpacks() > 0 {
		lo = n.Lo.At(0)
		x = e.Set(storage.WordIn(n.Args[0].V, storage.WordI).Pointed())
	} else {
		x = e.packedWord(n.Args[0])
	}
	switch n.Width {
	case 1:
		return x.Up(e.Unit.Elem - 1 - lo).And(code.Num(e.packing().top()))
	case e.Unit.Elem:
		return x
	}
	return x.Down(lo).And(code.Num(e.packing().every(plan.Ones(n.Width))))
}

func (e *Evaluator) packedConcat(n *plan.Node) *code.Expr {
	var terms []*code.Expr
	at := 0
	for i := len(n.Args) - 1; i >= 0; i-- {
		a := n.Args[i]
		if a.Width == 1 {
			terms = append(terms, e.packedMask(a).And(code.Num(e.packing().every(1<<at))))
		} else {
			terms = append(terms, e.packedWord(a).Up(at))
		}
		at += a.Width
	}
	return code.All("|", terms...)
}
