package cycle

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Phases take what is ready, so that much is done long before something needs it, and waits in memory
// until then. Afterwards tasks move to other phases if that costs less.

// rounds is how often each task may move.
const rounds = 4

// arrangement is tasks in phases, what each costs, and how often phases read values.
type arrangement struct {
	*tasks
	phases []phase
	copies int
	reads  map[*plan.Value]map[int]int // by phase
	out    map[*task][]*plan.Value
	after  map[*task][]*task // what a task waits for
	count  []map[int]int     // tasks of a phase, by label
}

// arranged returns the tasks as they are in phases.
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

// put counts x where it is, n times more.
func (a *arrangement) put(x *task, n int) {
	if a.count[x.phase][x.label] += n; a.count[x.phase][x.label] == 0 {
		delete(a.count[x.phase], x.label)
	}
	for _, v := range x.reads {
		a.reads[v][x.phase] += n
	}
}

// kinds returns how many labels tasks of a phase would have with some more.
func (a *arrangement) kinds(phase int, more []*task) int {
	added := map[int]bool{}
	for _, x := range more {
		if a.count[phase][x.label] == 0 {
			added[x.label] = true
		}
	}
	return len(a.count[phase]) + len(added)
}

// each returns how many vectors of words of a phase all copies are.
func (a *arrangement) each(phase int) int { return a.copies * a.phases[phase].size / 512 }

// memory returns what it costs that v is loaded in phases other than that which computes it, and stored there. What are
// longer words in memory is as many vectors as these fill.
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

// cost returns about what all tasks take.
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

// turns returns about how many a phase takes: parts that are alike have the same labels, and are done one after the other.
func (a *arrangement) turns(phase int) int {
	tasks := 0
	for _, n := range a.count[phase] {
		tasks += n
	}
	return a.each(phase) * tasks / max(1, len(a.count[phase]))
}

// at returns about what some tasks, and the values that they read and compute, would take in a phase.
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

// values returns those that tasks read and compute, each once.
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

// alone returns x and the tasks of its phase that it alone needs, and they in turn.
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

// move puts tasks of a phase into that in which they cost least, of those behind what they wait for and before what
// waits for them; the latest of several, so that what they wait for may follow.
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

// moved returns the phases after tasks have moved.
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
