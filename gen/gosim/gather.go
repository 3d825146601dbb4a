package gosim

import (
	"fmt"
	"slices"
	"strings"
)

// run is lanes lo to lo+n-1 of a gather that come from lanes of one value, or are
// constants.
type run struct {
	lo, n, stride int
	from          ref
}

// manyConstants in a row become a table.
const manyConstants = 16

// constants is how many of the first moves are constants.
func constants(moves []ref) int {
	if n := slices.IndexFunc(moves, func(r ref) bool { return r.v != nil }); n >= 0 {
		return n
	}
	return len(moves)
}

// tabled are the words of constant k of moves, from a table.
func (e *emitter) tabled(moves []ref, width int) []string {
	o := operand{width: width}
	for _, m := range moves {
		o.ks = append(o.ks, m.k)
	}
	e.l = "k"
	return e.table(o)
}

// runs splits moves, at multiples of limit if it is not 0.
func runs(moves []ref, limit int) []run {
	var out []run
	for l := 0; l < len(moves); {
		r := run{lo: l, n: 1, from: moves[l]}
		if k := constants(moves[l:]); k >= manyConstants && limit == 0 {
			r.n = k
		}
		for r.from.v != nil && l+r.n < len(moves) && (limit == 0 || (l+r.n)%limit != 0) {
			next := moves[l+r.n]
			if next.v != r.from.v {
				break
			}
			if d := next.lane - moves[l+r.n-1].lane; r.n == 1 {
				r.stride = d
			} else if d != r.stride {
				break
			}
			r.n++
		}
		if r.n == 2 && r.stride != 1 { // begin a run at the second one
			r.n = 1
		}
		l += r.n
		out = append(out, r)
	}
	return out
}

func (e *emitter) gather(n *node) {
	if n.out.bits() {
		e.gatherBits(n)
		return
	}
	for _, r := range runs(n.moves, 0) {
		switch {
		case r.from.v == nil && r.n > 1:
			e.f("for k := range %d {\n", r.n)
			e.storeLane(n.out, fmt.Sprintf("k+%d", r.lo), e.tabled(n.moves[r.lo:][:r.n], n.width))
			e.f("}\n")
		case r.from.v == nil:
			e.storeLane(n.out, fmt.Sprint(r.lo), constWords(r.from.k, n.width))
		case r.n < 3:
			for k := range r.n {
				e.storeLane(n.out, fmt.Sprint(r.lo+k), r.from.v.lane("", r.from.lane+k*r.stride))
			}
		default:
			e.f("for k := range %d {\n", r.n)
			e.storeLane(n.out, fmt.Sprintf("k+%d", r.lo), r.source())
			e.f("}\n")
		}
	}
}

// source is where element k of r comes from.
func (r run) source() []string {
	if r.stride == 0 {
		return r.from.v.lane("", r.from.lane)
	}
	return r.from.v.lane(fmt.Sprintf("%s+%d", times("k", r.stride), r.from.lane), -1)
}

func (e *emitter) gatherBits(n *node) {
	for w, x := range e.bitWords(n.moves) {
		e.store(n.out, n.out.bitWord(w), e.variable(x))
	}
}

// bitWords are words of bits that come from elsewhere.
func (e *emitter) bitWords(moves []ref) []string {
	words := make([][]string, (len(moves)+63)/64)
	whole := make([]bool, len(words))
	for w := range words {
		part := moves[64*w : min(64*w+64, len(moves))]
		if muls, ok := binary(part); ok {
			words[w], whole[w] = []string{e.rearrange(part[0].v, rearranged(part[0].lane, muls))}, true
		}
	}
	for _, r := range runs(moves, 64) {
		w, pos := r.lo/64, r.lo%64
		if whole[w] {
			continue
		}
		add := func(x string) {
			if pos > 0 {
				x = fmt.Sprintf("(%s)<<%d", x, pos)
			}
			words[w] = append(words[w], x)
		}
		switch {
		case r.from.v == nil && r.from.k[0] == 0:
		case r.from.v == nil:
			add("uint64(1)")
		case r.n == 1:
			add(r.from.v.lane("", r.from.lane)[0])
		case r.stride == 1:
			l := &list{v: r.from.v, n: r.n, stride: 1, base: form{add: r.from.lane}}
			add(e.elementBits(l)[0])
		case r.stride == 0:
			add(fmt.Sprintf("-%s&%s", r.from.v.lane("", r.from.lane)[0], hex(ones(r.n))))
		default:
			x := e.zeros(1)[0]
			e.f("for k := range %d {\n%s |= %s << (uint(k)&63)\n}\n", r.n, x, r.source()[0])
			add(x)
		}
	}
	out := make([]string, len(words))
	for w, terms := range words {
		out[w] = "0"
		if len(terms) > 0 {
			out[w] = "(" + strings.Join(terms, "|") + ")"
		}
	}
	return out
}
