package cycle

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// A phase takes every task that is ready. Many values are therefore computed long before they are
// needed, and wait in memory. A second step moves tasks to other phases if that reduces the cost.

// rounds is the maximum number of moves of each task.
const rounds = 4

// arrangement contains the phase and the cost of each task, and how often phases read values.
type arrangement struct {
	*tasks
	phases []phase
	copies int
	reads  map[*plan.Value]map[int]int // by phase
	out    map[*task][]*plan.Value
	after  map[*task][]*task // tasks that a task waits for
	count  []map[int]int     // tasks of a phase, by label
}

// arranged returns the arrangement of the tasks in phases.
func (t *tasks) arranged(phases []phase, copies int) *arrangement {
	a := &arrangement{tasks: t, phases: phases, copies: copies, reads: map[*plan.Value]map[int]int{},
		out: map[*task][]*plan.Value{}, after: map[*task][]*task{}}
	for range phases {
		a.count = append(a.count, map[int]int{})
	}
	for v, x := range t.of {
		a.out[x] = append(a.out[x], v)
	}
	for _, x := range t.list {
		for _, y := range x.before {
			a.after[y] = append(a.after[y], x)
		}
		for _, v := range x.reads {
			if a.reads[v] == nil {
				a.reads[v] = map[int]int{}
			}
		}
		a.put(x, 1)
	}
	return a
}

// put adds n to the counts of x in its phase.
func (a *arrangement) put(x *task, n int) {
	if a.count[x.phase][x.label] += n; a.count[x.phase][x.label] == 0 {
		delete(a.count[x.phase], x.label)
	}
	for _, v := range x.reads {
		a.reads[v][x.phase] += n
	}
}

// kinds returns how many labels the tasks of a phase would have with some more tasks.
func (a *arrangement) kinds(phase int, more []*task) int {
	added := map[int]bool{}
	for _, x := range more {
		if a.count[phase][x.label] == 0 {
			added[x.label] = true
		}
	}
	return len(a.count[phase]) + len(added)
}

// each returns the number of vectors of a phase that hold all instances.
func (a *arrangement) each(phase int) int { return a.copies * a.phases[phase].size / 512 }

// memory returns the cost of storing v in the phase that computes it and loading it in other
// phases. It counts longer words in memory by the number of vectors that they fill.
func (a *arrangement) memory(v *plan.Value) (n int) {
	from := a.of[v]
	for phase, reads := range a.reads[v] {
		if reads > 0 && (from == nil || phase != from.phase) {
			n += a.load * max(a.each(phase), a.copies*v.LaneBits()/512)
		}
	}
	if from != nil && n > 0 {
		n += a.store * a.each(from.phase)
	}
	return n
}

// cost returns the approximate cost of all tasks.
func (a *arrangement) cost() (n int) {
	for _, x := range a.list {
		n += a.operation * a.each(x.phase)
	}
	for v := range a.reads {
		n += a.memory(v)
	}
	for phase := range a.phases {
		n += a.turn * a.turns(phase)
	}
	return n
}

// turns returns the approximate number of iterations of a phase. Similar parts have the same labels
// and run one after the other.
func (a *arrangement) turns(phase int) int {
	tasks := 0
	for _, n := range a.count[phase] {
		tasks += n
	}
	return a.each(phase) * tasks / max(1, len(a.count[phase]))
}

// at returns the approximate cost of tasks in a phase, including the values that they read and
// compute.
func (a *arrangement) at(phase int, list []*task, values []*plan.Value) (n int) {
	for _, x := range list {
		a.put(x, -1)
		x.phase = phase
		a.put(x, 1)
		n += a.moving * a.each(phase)
	}
	for _, v := range values {
		n += a.memory(v)
	}
	return n
}

// values returns the values that tasks read and compute, without duplicates.
func (a *arrangement) values(list []*task) (out []*plan.Value) {
	met := map[*plan.Value]bool{}
	for _, x := range list {
		for _, v := range slices.Concat(x.reads, a.out[x]) {
			if !met[v] {
				met[v] = true
				out = append(out, v)
			}
		}
	}
	return out
}

// alone returns x and the tasks of its phase that only x needs, directly or indirectly.
func (a *arrangement) alone(x *task) []*task {
	list := []*task{x}
	for i := 0; i < len(list); i++ {
		for _, y := range a.after[list[i]] {
			if y.phase == x.phase && !slices.Contains(list, y) && !slices.ContainsFunc(y.before, func(z *task) bool { return !slices.Contains(list, z) }) {
				list = append(list, y)
			}
		}
	}
	return list
}

// move moves tasks of a phase to the phase in which they cost least, between the tasks that they
// wait for and the tasks that wait for them. Of equal phases it takes the last, so that the tasks
// that they wait for may follow.
func (a *arrangement) move(list []*task) (moved bool) {
	first, last := 0, len(a.phases)-1
	size := 0
	for _, x := range list {
		size = max(size, x.size)
		for _, y := range a.after[x] {
			if !slices.Contains(list, y) {
				first = max(first, y.phase)
			}
		}
		for _, y := range x.before {
			if !slices.Contains(list, y) {
				last = min(last, y.phase)
			}
		}
	}
	was, values := list[0].phase, a.values(list)
	best, least := was, a.at(was, list, values)
	for phase := first; phase <= last; phase++ {
		if phase == was || a.phases[phase].size < size || a.kinds(phase, list) > most {
			continue
		}
		if n := a.at(phase, list, values); n < least || n == least && phase > best {
			best, least = phase, n
		}
	}
	a.at(best, list, values)
	return best != was
}

// moved returns the phases after all moves.
func (a *arrangement) moved() (out []phase) {
	for range rounds {
		any := false
		for _, x := range slices.Backward(a.list) {
			any = a.move([]*task{x}) || any
			if list := a.alone(x); len(list) > 1 {
				any = a.move(list) || any
			}
		}
		if !any {
			break
		}
	}
	s := a.order(func(x *task) int { return x.phase })
	for i, p := range a.phases {
		if tasks := s.follow(i); len(tasks) > 0 {
			out = append(out, phase{p.size, tasks})
		}
	}
	for i, p := range out {
		for _, x := range p.tasks {
			x.phase = i
		}
	}
	return out
}
