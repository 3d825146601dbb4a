package gen

import "sort"

// law is the popularity of the rows of a table. Rows with lower ranks are read more often.
type law interface {
	// rank returns the rank at quantile u of the accesses, 0 <= u < 1.
	rank(u float64) uint32
	// share returns the share of the accesses to the first n rows.
	share(n float64) float64
}

func newLaw(t Table) law {
	if len(t.Curve) > 0 {
		return newCurve(t.Rows, t.Curve)
	}
	return newZipf(t.Rows, t.Zipf)
}

// guide is a law with a lookup table for the most popular ranks. An entry covers an equal share of
// the accesses. It contains the rank that gets all of them, or mixed.
type guide struct {
	law
	ranks [1 << 11]uint32
}

const mixed = 1<<32 - 1

func newGuide(l law) *guide {
	g := &guide{law: l}
	const n = float64(len(g.ranks))
	for i := range g.ranks {
		first, last := l.rank(float64(i)/n), l.rank((float64(i)+1-0x1p-42)/n)
		g.ranks[i] = mixed
		if first == last {
			g.ranks[i] = first
		}
	}
	return g
}

func (g *guide) rank(u float64) uint32 {
	if r := g.ranks[int(u*float64(len(g.ranks)))]; r != mixed {
		return r
	}
	return g.law.rank(u)
}

// above returns how many of n rows get at least the share least of the accesses each.
func above(l law, n int, least float64) int {
	return sort.Search(n, func(r int) bool { return l.share(float64(r+1))-l.share(float64(r)) < least })
}

// clampRank truncates a rank to an integer from 0 to n-1.
func clampRank(x float64, n int) uint32 {
	switch {
	case x < 0:
		return 0
	case x >= float64(n):
		return uint32(n - 1)
	}
	return uint32(x)
}
