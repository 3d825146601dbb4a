package gen

import (
	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// expect returns, for the hottest share of the rows of all tables, the share of the accesses and the share of the inputs that they
// serve: as the tables' popularity and the levels say, for infinitely many inputs of infinitely many contexts on one day.
func (p Params) expect(rows float64) (accesses, inputs float64) {
	laws, hot := p.hottest(rows)
	lookups := 0.0
	inputs = 0
	served := make([]float64, p.Levels) // share of the inputs of each level
	for l := range served {
		served[l] = 1
	}
	for t, law := range laws {
		share := law.share(float64(hot[t]))
		n := p.lookups(t)
		accesses += float64(n * share)
		lookups += n
		for l := range served {
			listed := min(max(float64(share*float64(p.Levels))-float64(l), 0), 1)
			for range p.draws(t) {
				served[l] *= float64(p.Rho*listed) + float64((1-p.Rho)*share)
			}
		}
	}
	for _, s := range served {
		inputs += s / float64(p.Levels)
	}
	return accesses / lookups, inputs
}

// lookups returns how many rows of a table an input reads.
func (p Params) lookups(t int) float64 { return float64(p.Tables[t].Lookups * p.steps()) }

// draws returns how many of them are drawn.
func (p Params) draws(t int) int {
	if p.Tables[t].PerInput {
		return p.Tables[t].Lookups
	}
	return p.Tables[t].Lookups * p.steps()
}

// hottest returns the tables' laws, and how many of the rows of each are among the hottest of all.
func (p Params) hottest(share float64) ([]law, []int) {
	var laws []law
	all := 0.0
	for _, t := range p.Tables {
		laws = append(laws, newLaw(t))
		all += float64(t.Rows)
	}
	hot := make([]int, len(laws))
	low, high := -60.0, 10.0 // of the base-2 logarithm of the accesses per input from which on a row is hot
	for range 50 {
		middle := (low + high) / 2
		n := 0.0
		for t, law := range laws {
			hot[t] = above(law, p.Tables[t].Rows, detmath.Pow(2, middle)/p.lookups(t))
			n += float64(hot[t])
		}
		if n > share*all {
			low = middle
		} else {
			high = middle
		}
	}
	return laws, hot
}

// Fit says how well the parameters reach targets, by formula.
func (p Params) Fit(targets []profile.Target) []profile.Reached {
	var fit []profile.Reached
	for _, t := range targets {
		fit = append(fit, p.reach(t))
	}
	return fit
}

func (p Params) reach(t profile.Target) profile.Reached {
	all := 0
	for _, table := range p.Tables {
		if table.Name == t.Table {
			hot := t.Rows * float64(table.Rows)
			return t.Compare(int64(hot), newLaw(table).share(hot))
		}
		all += table.Rows
	}
	accesses, inputs := p.expect(t.Rows)
	hot := int64(t.Rows * float64(all))
	if t.Kind == profile.Popular {
		return t.Compare(hot, inputs)
	}
	return t.Compare(hot, accesses)
}
