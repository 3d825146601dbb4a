package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// tabled are the words of constant k of moves, from a table.
func (e *emitter) tabled(moves []plan.Ref, width int) []*code.Expr {
	o := plan.Operand{Width: width}
	for _, m := range moves {
		o.Ks = append(o.Ks, m.K)
	}
	e.l = elemK
	return e.table(o)
}

func (e *emitter) gather(n *plan.Node) {
	if n.Out.Bits() {
		for w, x := range e.bitWords(n.Moves) {
			e.store(n.Out, bitWord(n.Out, code.Int(w)), e.variable(x))
		}
		return
	}
	for _, r := range plan.Runs(n.Moves, 0) {
		if r.N < 3 && r.From.V != nil || r.N == 1 {
			for k := range r.N {
				e.storeLane(n.Out, code.Int(r.Lo+k), source(r, code.Int(k), n.Width))
			}
			continue
		}
		e.times(elemK, r.N, func() {
			var x []*code.Expr
			if r.From.V == nil {
				x = e.tabled(n.Moves[r.Lo:][:r.N], n.Width)
			} else {
				x = source(r, elemK, n.Width)
			}
			e.storeLane(n.Out, elemK.Add(code.Int(r.Lo)), x)
		})
	}
}

// source is where element k of r comes from, or the constant that all of them are.
func source(r plan.Run, k *code.Expr, width int) []*code.Expr {
	if r.From.V == nil {
		return constantWords(r.From.K, width)
	}
	if r.Stride == 0 {
		return lane(r.From.V, code.Int(r.From.Lane))
	}
	return lane(r.From.V, laneOf(plan.Form{Terms: []plan.Term{{Div: 1, Mul: r.Stride}}, Add: r.From.Lane}, k))
}

// bitWords are words of bits that come from elsewhere.
func (e *emitter) bitWords(moves []plan.Ref) []*code.Expr {
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

// runBits are the bits of a run, from bit 0 on.
func (e *emitter) runBits(r plan.Run) *code.Expr {
	switch {
	case r.From.V == nil:
		return code.Num(r.From.K[0])
	case r.N == 1:
		return lane(r.From.V, code.Int(r.From.Lane))[0]
	case r.Stride == 1:
		return e.elementBits(&plan.List{V: r.From.V, N: r.N, Stride: 1, Base: plan.Form{Add: r.From.Lane}})[0]
	case r.Stride == 0:
		return lane(r.From.V, code.Int(r.From.Lane))[0].Neg().Low(r.N)
	}
	x := e.zeros(1)[0]
	e.times(elemK, r.N, func() { e.or(x, code.Op("<<", source(r, elemK, 1)[0], bitNumber(elemK))) })
	return x
}
