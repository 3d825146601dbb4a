package plan

import "slices"

// Run is a range of lanes Lo to Lo+N-1 of a gather. The lanes come from evenly spaced lanes of one
// value, or are constants.
type Run struct {
	Lo, N, Stride int
	From          Ref
}

// manyConstants is the minimum number of consecutive constants that become a table.
const manyConstants = 16

// constants returns how many of the first moves are constants.
func constants(moves []Ref) int {
	if n := slices.IndexFunc(moves, func(r Ref) bool { return r.V != nil }); n >= 0 {
		return n
	}
	return len(moves)
}

// Runs splits moves into runs, also at multiples of limit if it is not 0.
func Runs(moves []Ref, limit int) []Run {
	var out []Run
	for l := 0; l < len(moves); {
		r := Run{Lo: l, N: 1, From: moves[l]}
		if k := constants(moves[l:]); k >= manyConstants && limit == 0 {
			r.N = k
		}
		for r.From.V != nil && l+r.N < len(moves) && (limit == 0 || (l+r.N)%limit != 0) {
			next := moves[l+r.N]
			if next.V != r.From.V {
				break
			}
			if d := next.Lane - moves[l+r.N-1].Lane; r.N == 1 {
				r.Stride = d
			} else if d != r.Stride {
				break
			}
			r.N++
		}
		if r.N == 2 && r.Stride != 1 { // begin a run at the second move
			r.N = 1
		}
		l += r.N
		out = append(out, r)
	}
	return out
}
