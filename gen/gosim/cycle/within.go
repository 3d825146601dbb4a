package cycle

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Some tasks affect only registers and memories that change in some lanes, or the choices of an
// operation in some lanes. They are redundant if a vector has none of these lanes. Such tasks of a
// phase follow each other, and a kernel skips them together.

// lanes are the lanes in a mask, and the lanes in another mask that resets a register, if it has
// one.
type lanes struct {
	mask, clear *plan.Value // no mask for all lanes
}

// group contains consecutive tasks that are needed only in some lanes.
type group struct {
	lanes lanes
	tasks []*task
}

// least is the minimum number of operations for which it is worth checking whether a lane needs
// them.
const least = 8

// only returns, for tasks that are needed only in some lanes, these lanes. Each element is a
// sufficient condition: the task can be skipped if a vector has none of the lanes.
func (t *tasks) only() map[*task][]lanes {
	type use struct {
		by *task
		of *plan.Value
	}
	uses := map[*task][]use{}
	for _, x := range t.list {
		for _, v := range x.reads {
			if from := t.of[v]; from != nil {
				uses[from] = append(uses[from], use{x, v})
			}
		}
	}
	out, needs := map[*task][]lanes{}, map[lanes][]bool{}
	for _, x := range slices.Backward(t.list) {
		var all []lanes
		if x.lanes.mask != nil {
			all = []lanes{x.lanes}
		}
		for i, u := range uses[x] {
			some := slices.Concat(out[u.by], u.by.chosen(u.of))
			if i == 0 {
				all = some
			}
			all = slices.DeleteFunc(all, func(in lanes) bool { return !slices.Contains(some, in) })
		}
		out[x] = slices.DeleteFunc(all, func(in lanes) bool {
			if needs[in] == nil {
				needs[in] = make([]bool, len(t.list))
				t.needed(in.mask, needs[in])
				t.needed(in.clear, needs[in])
			}
			return needs[in][x.number]
		})
	}
	return out
}

// chosen returns masks outside which the result of x does not depend on v: masks that x joins to v,
// or that choose v.
func (x *task) chosen(v *plan.Value) (out []lanes) {
	if x.out == nil || x.out.Node == nil || x.out.Node.List != nil {
		return nil
	}
	n := x.out.Node
	by := n.Args
	switch {
	case n.Code == ir.Mux && n.Args[0].V != v && n.Args[2].V != v:
		by = n.Args[:1]
	case n.Code != ir.And || n.Width > 1:
		return nil
	}
	for _, a := range by {
		if a.V != nil && a.V != v {
			out = append(out, lanes{mask: a.V})
		}
	}
	return out
}

// needed adds the tasks that v needs, by number.
func (t *tasks) needed(v *plan.Value, to []bool) {
	x := t.of[v]
	if x == nil || to[x.number] {
		return
	}
	to[x.number] = true
	for _, r := range x.reads {
		t.needed(r, to)
	}
}

// grouped returns the tasks of a phase in groups. A group contains tasks that are needed only in
// the same lanes, if the phase knows these lanes and the order of the tasks allows it. Groups that
// can skip most come first.
func (t *tasks) grouped(p phase, only map[*task][]lanes) (groups []group) {
	var all []lanes
	for _, x := range p.tasks {
		groups = append(groups, group{tasks: []*task{x}})
		for _, in := range only[x] {
			if !slices.Contains(all, in) && t.known(in.mask, p) && t.known(in.clear, p) {
				all = append(all, in)
			}
		}
	}
	for len(all) > 0 {
		best, members, most := 0, []*task(nil), 0
		for i, in := range all {
			list := membersOf(groups, in, only)
			if n := t.worth(list); n > most {
				best, members, most = i, list, n
			}
		}
		if most < least {
			break
		}
		groups = t.together(groups, all[best], members)
		all = slices.Delete(all, best, best+1)
	}
	return groups
}

// membersOf returns the tasks that are needed only in some lanes and are in no group yet.
func membersOf(groups []group, in lanes, only map[*task][]lanes) (out []*task) {
	for _, g := range groups {
		if g.lanes.mask == nil && slices.Contains(only[g.tasks[0]], in) {
			out = append(out, g.tasks[0])
		}
	}
	return out
}

// worth returns the approximate number of operations saved by skipping tasks of a phase together.
// Values that other tasks read must be stored and loaded, which reduces the saving.
func (t *tasks) worth(members []*task) (n int) {
	in := map[*task]bool{}
	for _, x := range members {
		in[x] = true
		n += x.takes
	}
	across := map[*plan.Value]bool{}
	for _, x := range members {
		for _, y := range x.before {
			for _, v := range y.reads {
				across[v] = across[v] || y.phase == x.phase && !in[y] && t.of[v] == x
			}
		}
	}
	for _, out := range across {
		if out {
			n -= 2
		}
	}
	return n
}

// known reports whether tasks of phase p or of an earlier phase compute v.
func (t *tasks) known(v *plan.Value, p phase) bool {
	from := t.of[v]
	return from == nil || from.phase < p.tasks[0].phase || slices.Contains(p.tasks, from)
}

// across records the values that groups of a phase need from each other, and the masks that they
// need from other phases. A skipped task leaves its old value in memory.
func (t *tasks) across(groups []group, crossing map[*plan.Value]bool) {
	in := map[*task]int{}
	for n, g := range groups {
		for _, x := range g.tasks {
			in[x] = n
		}
	}
	for n, g := range groups {
		for _, v := range []*plan.Value{g.lanes.mask, g.lanes.clear} {
			if from := t.of[v]; from != nil && from.phase != g.tasks[0].phase {
				crossing[v] = true
			}
		}
		reads := []*plan.Value{g.lanes.mask, g.lanes.clear}
		for _, x := range g.tasks {
			reads = append(reads, x.reads...)
		}
		for _, v := range reads {
			if from, ok := in[t.of[v]]; ok && from != n && groups[from].lanes.mask != nil {
				crossing[v] = true
			}
		}
	}
}

// together makes tasks consecutive, after all tasks that they wait for. It does nothing if a task
// in between waits for one of them, or if a group needs one of them to determine its lanes.
func (t *tasks) together(groups []group, in lanes, members []*task) []group {
	member, waiting := map[*task]bool{}, map[*task]bool{}
	for _, x := range members {
		member[x] = true
		for _, y := range x.before {
			waiting[y] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return member[g.tasks[0]] })
	first, last := 0, len(rest)
	for n, g := range rest {
		if last == len(rest) && (member[t.of[g.lanes.mask]] || member[t.of[g.lanes.clear]]) {
			last = n
		}
		for _, x := range g.tasks {
			if x == t.of[in.mask] || x == t.of[in.clear] || slices.ContainsFunc(x.before, func(y *task) bool { return member[y] }) {
				first = n + 1
			}
			if last == len(rest) && waiting[x] {
				last = n
			}
		}
	}
	if first > last {
		return groups
	}
	return slices.Insert(rest, first, group{in, members})
}
