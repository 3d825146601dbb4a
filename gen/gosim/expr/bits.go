package expr

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// part is a piece of a concatenation.
type part struct {
	words []*code.Expr
	width int
}

// join concatenates parts, the least significant first.
func join(parts []part) []*code.Expr {
	total := 0
	for _, p := range parts {
		total += p.width
	}
	terms := make([][]*code.Expr, ir.Words(total))
	at := 0
	for _, p := range parts {
		for i, w := range p.words {
			lo := at + 64*i
			if w.IsZero() {
				continue
			}
			terms[lo/64] = append(terms[lo/64], w.Up(lo%64))
			if used := min(64, p.width-64*i); lo%64+used > 64 {
				terms[lo/64+1] = append(terms[lo/64+1], w.Down(64-lo%64))
			}
		}
		at += p.width
	}
	out := make([]*code.Expr, len(terms))
	for i, t := range terms {
		out[i] = code.All("|", t...)
	}
	return out
}

// pad returns w extended with zeros to width bits.
func pad(w []*code.Expr, width int) []*code.Expr {
	out := append([]*code.Expr(nil), w...)
	for len(out) < ir.Words(width) {
		out = append(out, code.Zero)
	}
	return out
}

// cut returns the width bits of a from lo on; from is the width of a.
func cut(a []*code.Expr, from, lo, width int) []*code.Expr {
	out := make([]*code.Expr, ir.Words(width))
	for i := range out {
		k, shift := (lo+64*i)/64, (lo+64*i)%64
		n := min(64, width-64*i)
		x := a[k].Down(shift)
		if shift > 0 && k+1 < len(a) && shift+n > 64 {
			x = x.Or(a[k+1].Up(64 - shift))
		}
		if lo+64*i+n < from {
			x = x.Low(n)
		}
		out[i] = x
	}
	return out
}

func (e *Evaluator) slice(n *plan.Node, a []*code.Expr) []*code.Expr {
	if n.Lo.Constant() {
		return cut(a, n.Args[0].Width, n.Lo.Add, n.Width)
	}
	if len(a) == 1 {
		return []*code.Expr{code.Op(">>", a[0], storage.BitNumber(storage.LaneOf(n.Lo, e.Lane))).Low(n.Width)}
	}
	return e.field(e.array(a), len(a), n.Lo, n.Width)
}

// field returns the width bits of an array of n words from bit lo of the lane on.
func (e *Evaluator) field(words *code.Expr, n int, lo plan.Form, width int) []*code.Expr {
	at := e.Number(storage.LaneOf(lo, e.Lane))
	if e.whole(lo, width) {
		return []*code.Expr{code.Op(">>", words.Index(storage.Masked(at.Down(6), n)), storage.BitNumber(at)).Low(width)}
	}
	out := make([]*code.Expr, ir.Words(width))
	for i := range out {
		out[i] = code.Call("bitsAt", words.Slice(), at.Add(code.Int(64*i)), code.Int(min(64, width-64*i)))
	}
	return out
}

// whole reports whether the bits from lo on are in one word in every lane.
func (e *Evaluator) whole(lo plan.Form, width int) bool {
	for l := range e.Unit.Lanes {
		if lo.At(l)%64+width > 64 {
			return false
		}
	}
	return true
}

// array puts words into a local array, or returns the array in the storage of which they are the
// elements.
func (e *Evaluator) array(a []*code.Expr) *code.Expr {
	if storage, ok := code.Array(a); ok {
		return storage
	}
	return e.Number(code.Words(a...))
}

// shiftRight returns the low bits of a shifted wide value.
func (e *Evaluator) shiftRight(n *plan.Node, a, by []*code.Expr) []*code.Expr {
	words := e.array(a)
	if n.Width == 1 && plan.Bounded(n.Args[1].Width, n.Args[0].Width) {
		at := e.Variable(by[0])
		return []*code.Expr{code.Op(">>", words.Index(storage.Masked(at.Down(6), len(a))), at.And(code.Int(63))).Low(1)}
	}
	at := e.Number(code.Call("amount", e.array(by).Slice(), code.Int(n.Args[0].Width)))
	out := make([]*code.Expr, ir.Words(n.Width))
	for i := range out { // often only some of the words are needed
		out[i] = e.Set(code.Call("bv.Word", words.Slice(), at.Add(code.Int(64*i))))
	}
	if n.Width < 64 {
		out[0] = out[0].Low(n.Width)
	}
	return out
}

// decode returns a bit shifted to the left in a wide value.
func (e *Evaluator) decode(n *plan.Node, bit *code.Expr, a []*code.Expr) []*code.Expr {
	if n.Args[0].K == nil {
		bit = e.Variable(bit)
	}
	size := ir.Words(n.Width)
	t := e.Array(size)
	if plan.Bounded(n.Args[1].Width, n.Width) {
		at := e.Variable(a[0])
		e.Put(t.Index(storage.Masked(at.Down(6), size)), code.Op("<<", code.Word(bit), at.And(code.Int(63))))
	} else {
		i := code.Name("i")
		e.Do(&code.If{
			Init: &code.Define{Name: code.Name("i, ok"), X: code.Call("bv.Index", e.array(a).Slice(), code.Int(n.Width)), Int: true},
			Cond: code.Name("ok"),
			Then: e.Within(func() { e.Put(t.Index(i.Down(6)), code.Op("<<", code.Word(bit), i.And(code.Int(63)))) }),
		})
	}
	return storage.Elements(t, size)
}
