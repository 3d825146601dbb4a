package expr

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// Tabled returns the words of constant k of moves, from a table.
func (e *Evaluator) Tabled(moves []plan.Ref, width int) []*code.Expr {
	o := plan.Operand{Width: width}
	for _, m := range moves {
		o.Ks = append(o.Ks, m.K)
	}
	e.Lane = storage.ElemK
	return e.table(o)
}

// Source returns element k of the source of r, or the constant that all elements equal.
func Source(r plan.Run, k *code.Expr, width int) []*code.Expr {
	if r.From.V == nil {
		return storage.Constant(r.From.K, width)
	}
	if r.Stride == 0 {
		return storage.Lane(r.From.V, code.Int(r.From.Lane))
	}
	return storage.Lane(r.From.V, storage.LaneOf(plan.Form{Terms: []plan.Term{{Div: 1, Mul: r.Stride}}, Add: r.From.Lane}, k))
}

// BitWords returns words of gathered bits.
func (e *Evaluator) BitWords(moves []plan.Ref) []*code.Expr {
	words := make([][]*code.Expr, (len(moves)+63)/64)
	whole := make([]bool, len(words))
	for w := range words {
		part := moves[64*w : min(64*w+64, len(moves))]
		if muls, ok := plan.Binary(part); ok {
			words[w], whole[w] = []*code.Expr{e.rearrange(part[0].V, plan.Rearranged(part[0].Lane, muls))}, true
		}
	}
	for _, r := range plan.Runs(moves, 64) {
		if w := r.Lo / 64; !whole[w] {
			words[w] = append(words[w], e.runBits(r).Up(r.Lo%64))
		}
	}
	out := make([]*code.Expr, len(words))
	for w, terms := range words {
		out[w] = code.All("|", slices.DeleteFunc(terms, (*code.Expr).IsZero)...)
	}
	return out
}

// runBits returns the bits of a run, from bit 0 on.
func (e *Evaluator) runBits(r plan.Run) *code.Expr {
	switch {
	case r.From.V == nil:
		return code.Num(r.From.K[0])
	case r.N == 1:
		return storage.Lane(r.From.V, code.Int(r.From.Lane))[0]
	case r.Stride == 1:
		return e.elementBits(&plan.List{V: r.From.V, N: r.N, Stride: 1, Base: plan.Form{Add: r.From.Lane}})[0]
	case r.Stride == 0:
		return storage.Lane(r.From.V, code.Int(r.From.Lane))[0].Neg().Low(r.N)
	}
	x := e.Zeros(1)[0]
	e.Times(storage.ElemK, r.N, func() { e.Or(x, code.Op("<<", Source(r, storage.ElemK, 1)[0], storage.BitNumber(storage.ElemK))) })
	return x
}
