package expr

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// wide returns an operation with a value of more than 64 bits.
func (e *Evaluator) wide(n *plan.Node, args [][]*code.Expr) []*code.Expr {
	a := args[0]
	var b []*code.Expr
	if len(args) > 1 {
		b = args[1]
	}
	if x := e.wideWords(n, a, b); x != nil {
		return x
	}
	switch n.Code {
	case ir.ShrU:
		return e.shiftRight(n, a, b)
	case ir.Shl:
		if n.Args[0].One() || n.Args[0].Width == 1 {
			return e.decode(n, a[0], b)
		}
	}
	return e.wideCall(n, a, b)
}

// wideWords returns an operation that is evaluated word by word, or nil for other operations.
func (e *Evaluator) wideWords(n *plan.Node, a, b []*code.Expr) []*code.Expr {
	pairs := func(operator, joint string) *code.Expr {
		return code.Bit(code.All(joint, each([][]*code.Expr{a, b}, func(w ...*code.Expr) *code.Expr { return code.Op(operator, w[0], w[1]) })...))
	}
	switch n.Code {
	case ir.Not:
		out := each([][]*code.Expr{a}, func(w ...*code.Expr) *code.Expr { return w[0].Not() })
		if used := n.Width % 64; used != 0 {
			out[len(out)-1] = out[len(out)-1].Low(used)
		}
		return out
	case ir.Eq:
		return []*code.Expr{pairs("==", "&&")}
	case ir.Ne:
		if n.Args[1].Zero() {
			return []*code.Expr{code.Bit(code.All("|", a...).Differs(code.Zero))}
		}
		return []*code.Expr{pairs("!=", "||")}
	case ir.RedXor:
		return []*code.Expr{code.Word(code.Call("bits.OnesCount64", code.All("^", a...)).Low(1))}
	case ir.PopCount:
		count := each([][]*code.Expr{a}, func(w ...*code.Expr) *code.Expr { return code.Call("bits.OnesCount64", w[0]) })
		return []*code.Expr{code.Word(code.All("+", count...))}
	}
	return nil
}

// wideCall returns an operation that package bv implements.
func (e *Evaluator) wideCall(n *plan.Node, a, b []*code.Expr) []*code.Expr {
	w, v := n.Width, code.Int(n.Args[0].Width)
	x := e.array(a).Slice()
	var y *code.Expr
	if b != nil {
		y = e.array(b).Slice()
	}
	switch n.Code {
	case ir.RedAnd:
		return []*code.Expr{code.Bit(code.Call("bv.AllOnes", x, v))}
	case ir.LtU:
		return []*code.Expr{code.Bit(code.Call("bv.LtU", x, y))}
	case ir.LeU:
		return []*code.Expr{code.Bit(code.Call("bv.LtU", y, x).False())}
	case ir.LtS:
		return []*code.Expr{code.Bit(code.Call("bv.LtS", x, y, v))}
	case ir.Encode:
		return []*code.Expr{code.Call("bv.Encode", x)}
	}
	size, width := ir.Words(w), code.Int(w)
	t := e.Array(size)
	amount := func() *code.Expr { return code.Call("amount", y, width) }
	call := func(function string, args ...*code.Expr) {
		e.Do(&code.Do{X: code.Call(function, append([]*code.Expr{t.Slice()}, args...)...)})
	}
	switch n.Code {
	case ir.Add:
		call("bv.Add", x, y, width)
	case ir.Sub:
		call("bv.Sub", x, y, width)
	case ir.Mul:
		call("bv.Mul", x, y, width)
	case ir.DivU:
		call("bv.DivMod", e.Array(size).Slice(), x, y, width)
	case ir.ModU:
		quotient := e.Array(size).Slice()
		e.Do(&code.Do{X: code.Call("bv.DivMod", quotient, t.Slice(), x, y, width)})
	case ir.Shl:
		call("bv.Shl", x, amount(), width)
	case ir.ShrS:
		call("bv.ShrS", x, amount(), width)
	case ir.SExt:
		call("bv.SExt", x, v, width)
	case ir.Lowest:
		call("bv.Lowest", x)
	default:
		panic(fmt.Sprintf("gosim: operator %s", n.Code))
	}
	return storage.Elements(t, size)
}
