package cycle

import (
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// divide finds the parts of phases. Groups decide which values wait in memory, and these values
// decide which parts are alike. Groups are therefore formed from the tasks that belong to no family
// when there are no groups.
func (t *tasks) divide(phases []phase, c *Program, r *layout) (out [][]part) {
	used := map[*plan.Value]bool{}
	for v := range r.of { // used by another program
		used[v] = true
	}
	t.common = t.commons()
	maps.Copy(c.Crossing, t.common)
	only := t.only()
	left, rests, groups := make([]map[*task]bool, len(phases)), make([][]*task, len(phases)), make([][]group, len(phases))
	var families []family
	for i, p := range phases {
		left[i] = t.leftOut(p.tasks, t.grouped(p, only))
		families = append(families, t.families(p.tasks, left[i], c.Crossing)...)
	}
	r.placeAll(families)
	for i, p := range phases {
		rests[i] = restOf(t.parts(p.tasks, left[i], c.Crossing, r.clone()))
		if len(rests[i]) > 0 {
			groups[i] = t.grouped(phase{p.size, rests[i]}, only)
			t.across(groups[i], c.Crossing)
		}
	}
	for i, p := range phases {
		parts := t.parts(p.tasks, left[i], c.Crossing, r)
		for n, x := range parts {
			switch {
			case len(x.members) > 1:
				for _, y := range slices.Concat(x.members...) {
					for _, v := range slices.Concat(y.reads, []*plan.Value{y.out, y.register}) {
						used[v] = true
					}
				}
			case slices.Equal(x.members[0], rests[i]):
				parts[n].groups = groups[i]
			default: // more than before
				parts[n].groups = []group{{tasks: x.members[0]}}
			}
		}
		out = append(out, parts)
	}
	c.Rows = slices.DeleteFunc(r.all(), func(row []*plan.Value) bool {
		return !slices.ContainsFunc(row, func(v *plan.Value) bool { return used[v] })
	})
	return out
}

// restOf returns the tasks of the part that has only one member.
func restOf(parts []part) []*task {
	for _, p := range parts {
		if len(p.members) == 1 {
			return p.members[0]
		}
	}
	return nil
}

// parts divides the tasks of a phase into parts, in the order of execution.
func (t *tasks) parts(list []*task, left map[*task]bool, crossing map[*plan.Value]bool, r *layout) []part {
	var p part
	var some []family
	try := r.clone()
	for _, f := range t.families(list, left, crossing) {
		if (p.members == nil || len(f.members) == len(p.members)) && p.add(try.sorted(f), try) {
			some = append(some, f)
		}
	}
	some, rest, first := apart(some, list)
	p = part{}
	saved := 0
	for _, f := range some {
		if p.add(r.sorted(f), r) {
			saved += f.saved()
		} else { // f needs an earlier family that apart removed
			saved = math.MinInt
		}
	}
	switch {
	case saved < fewestSaved:
		return []part{{members: [][]*task{list}}}
	case len(rest) == 0:
		return []part{p}
	case first:
		return append(t.parts(rest, left, crossing, r), p)
	}
	return append([]part{p}, t.parts(rest, left, crossing, r)...)
}

// apart returns families of a list that are independent of the rest in one direction: either no
// family waits for the rest, or the rest waits for no family. It also reports whether the rest
// comes first.
func apart(some []family, list []*task) (out []family, rest []*task, first bool) {
	for {
		of := map[*task]int{}
		for i, f := range some {
			for _, x := range slices.Concat(f.members...) {
				of[x] = i
			}
		}
		rest = slices.DeleteFunc(slices.Clone(list), func(x *task) bool { _, ok := of[x]; return ok })
		before, behind := map[int]bool{}, map[int]bool{}
		in := map[*task]bool{}
		for _, x := range rest {
			in[x] = true
			for _, y := range x.before {
				if i, ok := of[y]; ok {
					behind[i] = true
				}
			}
		}
		for x, i := range of {
			if slices.ContainsFunc(x.before, func(y *task) bool { return in[y] }) {
				before[i] = true
			}
		}
		if len(before) == 0 || len(behind) == 0 {
			return some, rest, len(behind) > 0
		}
		less := before
		if len(behind) < len(before) {
			less = behind
		}
		for i, f := range some {
			if !less[i] {
				out = append(out, f)
			}
		}
		some, out = out, nil
	}
}

// leftOut returns the tasks of groups that are skipped together but share no values. Fewer of these
// tasks run, so a shared kernel for similar tasks is not worthwhile.
func (t *tasks) leftOut(list []*task, groups []group) map[*task]bool {
	of := map[*task]int{}
	for n, c := range t.components(list) {
		for _, x := range c {
			of[x] = n
		}
	}
	left := map[*task]bool{}
	for _, g := range groups {
		if g.lanes.mask == nil || !slices.ContainsFunc(g.tasks, func(x *task) bool { return of[x] != of[g.tasks[0]] }) {
			continue
		}
		for _, x := range g.tasks {
			left[x] = true
		}
	}
	return left
}

// commons returns the values that many similar tasks of a phase read and that the phase computes.
// They wait in memory.
func (t *tasks) commons() map[*plan.Value]bool {
	type reader struct {
		of    *plan.Value
		label int
	}
	count, out := map[reader]int{}, map[*plan.Value]bool{}
	for _, x := range t.list {
		for _, v := range x.reads {
			if from := t.of[v]; x.plain && from != nil && from.phase == x.phase {
				r := reader{v, x.label}
				if count[r]++; count[r] >= fewestAlike {
					out[v] = true
				}
			}
		}
	}
	return out
}
