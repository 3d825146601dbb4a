package gen

import (
	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// expect returns the shares of accesses and inputs that the hottest rows of all tables serve. rows
// is the share of hot rows. The formula uses the popularity of tables and levels. It assumes
// infinitely many inputs and contexts on one day.
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

// lookups returns the number of rows of a table that an input reads.
func (p Params) lookups(t int) float64 { return float64(p.Tables[t].Lookups * p.steps()) }

// draws returns the number of these lookups that are sampled.
func (p Params) draws(t int) int {
	if p.Tables[t].PerInput {
		return p.Tables[t].Lookups
	}
	return p.Tables[t].Lookups * p.steps()
}

// hottest returns the tables' popularity laws, and the number of rows of each table that belong to
// the hottest rows overall.
func (p Params) hottest(share float64) ([]law, []int) {
	var laws []law
	all := 0.0
	for _, t := range p.Tables {
		laws = append(laws, newLaw(t))
		all += float64(t.Rows)
	}
	hot := make([]int, len(laws))
	low, high := -60.0, 10.0 // bounds of log2 of the hot threshold, in accesses per input
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

// Fit compares the parameters with targets, by formula.
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
