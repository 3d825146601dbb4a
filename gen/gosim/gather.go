package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
)

// tabled are the words of constant k of moves, from a table.
func (e *emitter) tabled(moves []ref, width int) []*code.Expr {
	o := operand{width: width}
	for _, m := range moves {
		o.ks = append(o.ks, m.k)
	}
	e.l = elemK
	return e.table(o)
}

func (e *emitter) gather(n *node) {
	if n.out.bits() {
		for w, x := range e.bitWords(n.moves) {
			e.store(n.out, bitWord(n.out, code.Int(w)), e.variable(x))
		}
		return
	}
	for _, r := range runs(n.moves, 0) {
		if r.n < 3 && r.from.v != nil || r.n == 1 {
			for k := range r.n {
				e.storeLane(n.out, code.Int(r.lo+k), source(r, code.Int(k), n.width))
			}
			continue
		}
		e.times(elemK, r.n, func() {
			var x []*code.Expr
			if r.from.v == nil {
				x = e.tabled(n.moves[r.lo:][:r.n], n.width)
			} else {
				x = source(r, elemK, n.width)
			}
			e.storeLane(n.out, elemK.Add(code.Int(r.lo)), x)
		})
	}
}

// source is where element k of r comes from, or the constant that all of them are.
func source(r run, k *code.Expr, width int) []*code.Expr {
	if r.from.v == nil {
		return constantWords(r.from.k, width)
	}
	if r.stride == 0 {
		return lane(r.from.v, code.Int(r.from.lane))
	}
	return lane(r.from.v, laneOf(form{terms: []term{{1, 0, r.stride}}, add: r.from.lane}, k))
}

// bitWords are words of bits that come from elsewhere.
func (e *emitter) bitWords(moves []ref) []*code.Expr {
	words := make([][]*code.Expr, (len(moves)+63)/64)
	whole := make([]bool, len(words))
	for w := range words {
		part := moves[64*w : min(64*w+64, len(moves))]
		if muls, ok := binary(part); ok {
			words[w], whole[w] = []*code.Expr{e.rearrange(part[0].v, rearranged(part[0].lane, muls))}, true
		}
	}
	for _, r := range runs(moves, 64) {
		if w := r.lo / 64; !whole[w] {
			words[w] = append(words[w], e.runBits(r).Up(r.lo%64))
		}
	}
	out := make([]*code.Expr, len(words))
	for w, terms := range words {
		out[w] = code.All("|", slices.DeleteFunc(terms, (*code.Expr).IsZero)...)
	}
	return out
}

// runBits are the bits of a run, from bit 0 on.
func (e *emitter) runBits(r run) *code.Expr {
	switch {
	case r.from.v == nil:
		return code.Num(r.from.k[0])
	case r.n == 1:
		return lane(r.from.v, code.Int(r.from.lane))[0]
	case r.stride == 1:
		return e.elementBits(&list{v: r.from.v, n: r.n, stride: 1, base: form{add: r.from.lane}})[0]
	case r.stride == 0:
		return lane(r.from.v, code.Int(r.from.lane))[0].Neg().Low(r.n)
	}
	x := e.zeros(1)[0]
	e.times(elemK, r.n, func() { e.or(x, code.Op("<<", source(r, elemK, 1)[0], bitNumber(elemK))) })
	return x
}
