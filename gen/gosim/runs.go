package gosim

import "slices"

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
