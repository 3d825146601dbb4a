package lower

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// What only leads to registers and memories that take something in some lanes is of no use if a vector has none of
// these: such tasks of a phase follow each other, and a kernel leaves them out together.

// lanes are those in a mask, and those in another that has a register begin again, if it has one.
type lanes struct {
	mask, clear *plan.Value // no mask for all lanes
}

// group is tasks that follow each other, and of use in some lanes alone.
type group struct {
	lanes lanes
	tasks []*task
}

// least is the fewest tasks for which it is worth to ask whether a lane needs them.
const least = 8

// only finds for tasks in which lanes alone they are of use.
func (t *tasks) only() map[*task]lanes {
	readers := map[*task][]*task{}
	for _, x := range t.list {
		for _, v := range x.reads {
			if from := t.of[v]; from != nil {
				readers[from] = append(readers[from], x)
			}
		}
	}
	out, needs := map[*task]lanes{}, map[lanes]map[*task]bool{}
	for _, x := range slices.Backward(t.list) {
		in := x.lanes
		if r := readers[x]; len(r) > 0 && !slices.ContainsFunc(r, func(y *task) bool { return out[y] != out[r[0]] }) {
			in = out[r[0]]
		}
		if in.mask == nil {
			continue
		}
		if needs[in] == nil {
			needs[in] = map[*task]bool{}
			t.needed(in.mask, needs[in])
			t.needed(in.clear, needs[in])
		}
		if !needs[in][x] {
			out[x] = in
		}
	}
	return out
}

// needed adds the tasks that v needs.
func (t *tasks) needed(v *plan.Value, to map[*task]bool) {
	x := t.of[v]
	if x == nil || to[x] {
		return
	}
	to[x] = true
	for _, r := range x.reads {
		t.needed(r, to)
	}
}

// grouped is the tasks of a phase, those that are of use in the same lanes alone together, as far as their order allows
// and if the phase knows these lanes.
func (t *tasks) grouped(p phase, only map[*task]lanes, crossing map[*plan.Value]bool) (out []group) {
	var all []lanes
	count := map[lanes]int{}
	for _, x := range p.tasks {
		out = append(out, group{tasks: []*task{x}})
		in := only[x]
		if count[in]++; count[in] == least && in.mask != nil && t.known(in.mask, x.phase, crossing) && t.known(in.clear, x.phase, crossing) {
			all = append(all, in)
		}
	}
	for _, in := range all {
		out = t.together(out, in, func(x *task) bool { return only[x] == in })
	}
	return out
}

// known tells whether a phase computes v, or can load it.
func (t *tasks) known(v *plan.Value, phase int, crossing map[*plan.Value]bool) bool {
	from := t.of[v]
	return from == nil || from.phase == phase || from.phase < phase && crossing[v]
}

// together has tasks follow each other behind all that they wait for, unless something in between waits for one of
// them.
func (t *tasks) together(groups []group, in lanes, member func(*task) bool) []group {
	var members []*task
	var rest []group
	for _, g := range groups {
		if member(g.tasks[0]) {
			members = append(members, g.tasks...)
		} else {
			rest = append(rest, g)
		}
	}
	first, last := 0, len(rest)
	for n, g := range rest {
		for _, x := range g.tasks {
			if x == t.of[in.mask] || x == t.of[in.clear] || slices.ContainsFunc(x.before, member) {
				first = n + 1
			}
			if last == len(rest) && slices.ContainsFunc(members, func(y *task) bool { return slices.Contains(y.before, x) }) {
				last = n
			}
		}
	}
	if first > last {
		return groups
	}
	return slices.Insert(rest, first, group{in, members})
}

// group does tasks.
func (b *blocked) group(g group) {
	all := func() {
		for _, x := range g.tasks {
			if b.err == nil {
				x.do(b)
			}
		}
	}
	if g.lanes.mask == nil {
		all()
		return
	}
	mask := b.present(g.lanes.mask)
	if g.lanes.clear != nil {
		mask = b.k.Do(kernel.MaskOr, mask, b.present(g.lanes.clear))
	}
	b.k.Within(mask, all)
}
