package cycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// A design often contains the same part many times, such as a lane of an ALU or an entry of a
// queue. Parts of a phase that do the same with different values share one kernel, which processes
// one part after the other: processors take long to fetch instructions that run once per cycle.
// Values with the same role in such parts form a row, contiguous in memory.

// fewestAlike is the minimum number of parts that share a kernel.
const fewestAlike = 4

// components returns the tasks grouped by values that they share. Only values that one of the tasks
// computes count, without values that many tasks read.
func (t *tasks) components(list []*task) [][]*task {
	of := map[*task]*task{}
	var root func(x *task) *task
	root = func(x *task) *task {
		if of[x] != x {
			of[x] = root(of[x])
		}
		return of[x]
	}
	for _, x := range list {
		of[x] = x
	}
	for _, x := range list {
		for _, v := range x.reads {
			if y := t.of[v]; y != nil && of[y] != nil && !t.common[v] {
				of[root(y)] = root(x)
			}
		}
	}
	members := map[*task][]*task{}
	for _, x := range list {
		members[root(x)] = append(members[root(x)], x)
	}
	out := slices.Collect(maps.Values(members))
	for _, c := range out {
		slices.SortFunc(c, func(x, y *task) int { return x.number - y.number })
	}
	slices.SortFunc(out, func(c, d []*task) int { return c[0].number - d[0].number })
	return out
}

// shape returns a description of the operations of a component, the external values that it reads,
// and the values that others read from memory. The description is empty if no other component can
// be alike.
func (t *tasks) shape(c []*task, left map[*task]bool, crossing map[*plan.Value]bool) (string, []*plan.Value) {
	var b strings.Builder
	var roles []*plan.Value
	role := map[*plan.Value]int{}
	see := func(v *plan.Value) {
		if _, ok := role[v]; !ok {
			role[v] = len(roles)
			roles = append(roles, v)
		}
		fmt.Fprint(&b, " ", role[v])
	}
	local := map[*plan.Value]int{}
	for i, x := range c {
		if !x.plain || left[x] {
			return "", nil
		}
		fmt.Fprint(&b, ";", x.label)
		for _, v := range x.reads {
			if n, ok := local[v]; ok {
				fmt.Fprint(&b, " t", n)
			} else {
				see(v)
			}
		}
		if x.out != nil {
			local[x.out] = i
		}
		for _, v := range []*plan.Value{x.out, x.register} {
			if v != nil && (v == x.register || crossing[v]) {
				b.WriteString(" >")
				see(v)
			}
		}
	}
	return b.String(), roles
}

// families returns the families of tasks of a phase, sorted by size, the largest first.
func (t *tasks) families(list []*task, left map[*task]bool, crossing map[*plan.Value]bool) (out []family) {
	by := map[string]*family{}
	var all []*family
	for _, c := range t.components(list) {
		shape, roles := t.shape(c, left, crossing)
		if shape == "" {
			continue
		}
		if by[shape] == nil {
			by[shape] = &family{}
			all = append(all, by[shape])
		}
		f := by[shape]
		f.members, f.roles = append(f.members, c), append(f.roles, roles)
	}
	for _, f := range all {
		if len(f.members) >= fewestAlike {
			out = append(out, *f)
		}
	}
	slices.SortStableFunc(out, func(f, g family) int {
		return cmp.Compare(len(g.members)*len(g.members[0]), len(f.members)*len(f.members[0]))
	})
	return out
}

// add makes p also perform the tasks of f. It returns false if that is impossible.
func (p *part) add(f family, r *layout) bool {
	members := make([][]*task, len(f.members))
	for n, c := range f.members {
		members[n] = slices.Clone(c)
		if p.members != nil {
			members[n] = append(slices.Clone(p.members[n]), c...)
		}
	}
	members, ok := inOrder(members)
	if !ok {
		return false
	}
	again, ok := r.place(f)
	if !ok {
		return false
	}
	p.members, p.again = members, append(p.again, again...)
	return true
}

// inOrder returns members with their tasks in the same order, in which each task follows the tasks
// that it waits for. It returns false if there is no such order, or if members wait for each other.
func inOrder(members [][]*task) ([][]*task, bool) {
	count := len(members[0])
	waits, then := make([]int, count), make([][]int, count)
	type index struct{ member, n int }
	at := map[*task]index{}
	for m, list := range members {
		for n, x := range list {
			at[x] = index{m, n}
		}
	}
	for m, list := range members {
		for n, x := range list {
			for _, y := range x.before {
				to, ok := at[y]
				if ok && to.member != m {
					return nil, false
				}
				if ok && !slices.Contains(then[n], to.n) {
					then[n] = append(then[n], to.n)
					waits[to.n]++
				}
			}
		}
	}
	out := make([][]*task, len(members))
	for range count {
		n := slices.Index(waits, 0)
		if n < 0 {
			return nil, false
		}
		waits[n] = -1
		for m, list := range members {
			out[m] = append(out[m], list[n])
		}
		for _, y := range then[n] {
			waits[y]--
		}
	}
	return out, true
}
