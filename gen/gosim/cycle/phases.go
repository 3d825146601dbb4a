package cycle

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// phase contains the tasks of one kernel, with words of at most a given size.
type phase struct {
	size  int
	tasks []*task
}

// most is the maximum number of tasks of a phase. That many instructions fit in the caches of a
// processor while a kernel iterates over its blocks.
const most = 500

// phases sorts tasks so that each follows the tasks that it waits for, and divides them by size of
// words. Shorter words let more instances share a vector. Words have one of the given sizes. Of the
// ready sizes, the one with the longest run of tasks comes next.
func (t *tasks) phases(sizes []int) (out []phase) {
	s := t.order(func(x *task) int {
		n, _ := slices.BinarySearch(sizes, x.size)
		return sizes[n]
	})
	for left := len(t.list); left > 0; {
		best := phase{}
		for _, size := range sizes {
			if list := s.copy().follow(size); len(list) > len(best.tasks) {
				best = phase{size, list}
			}
		}
		if len(best.tasks) == 0 {
			panic(fmt.Sprintf("gosim: %d tasks wait for each other", left))
		}
		for _, x := range s.follow(best.size) {
			x.phase = len(out)
		}
		out = append(out, best)
		left -= len(best.tasks)
	}
	return out
}

// order contains tasks, some of which are done.
type order struct {
	key   func(*task) int // key of tasks that are done together
	waits []int           // number of pending tasks that a task waits for, by task number
	ready map[int][]*task // tasks that wait for none, by key, in order of their numbers
}

// order returns the order before any task is done.
func (t *tasks) order(key func(*task) int) *order {
	s := &order{key, make([]int, len(t.list)), map[int][]*task{}}
	for i, x := range t.list {
		if s.waits[i] = x.waits; x.waits == 0 {
			s.add(x)
		}
	}
	return s
}

func (s *order) copy() *order {
	c := &order{s.key, slices.Clone(s.waits), map[int][]*task{}}
	for key, list := range s.ready {
		c.ready[key] = slices.Clone(list)
	}
	return c
}

// add records that x is ready.
func (s *order) add(x *task) {
	key := s.key(x)
	at, _ := slices.BinarySearchFunc(s.ready[key], x.number, func(y *task, number int) int { return y.number - number })
	s.ready[key] = slices.Insert(s.ready[key], at, x)
}

// follow performs the tasks with a key that can be done, one after the other.
func (s *order) follow(key int) (out []*task) {
	labels := map[int]bool{}
	for len(s.ready[key]) > 0 {
		x := s.ready[key][0]
		if len(labels) == most && !labels[x.label] {
			break
		}
		s.ready[key] = s.ready[key][1:]
		out = append(out, x)
		labels[x.label] = true
		for _, y := range x.before {
			if s.waits[y.number]--; s.waits[y.number] == 0 {
				s.add(y)
			}
		}
	}
	return out
}

// best returns the phases with the sizes of words that cost least for a batch of instances.
func (t *tasks) best(copies int) ([]phase, error) {
	all := sizesFor(copies)
	widest := 8
	for _, x := range t.list {
		widest = max(widest, x.size)
	}
	last, _ := slices.BinarySearch(all, widest)
	if last == len(all) {
		return nil, fmt.Errorf("%d instances are not vectors of %d bits each", copies, widest)
	}
	var best []int
	least := 0
	for set := range 1 << last { // of sizes below that
		var sizes []int
		for i, size := range all[:last+1] {
			if i == last || set>>i&1 != 0 {
				sizes = append(sizes, size)
			}
		}
		if n := t.cost(t.moved(sizes, copies), copies); best == nil || n < least {
			best, least = sizes, n
		}
	}
	return t.moved(best, copies), nil
}

// moved returns phases with words of the given sizes, after tasks have moved.
func (t *tasks) moved(sizes []int, copies int) []phase {
	return t.arranged(t.phases(sizes), copies).moved()
}

// cost returns the approximate cost of phases for a batch of instances.
func (t *tasks) cost(phases []phase, copies int) int { return t.arranged(phases, copies).cost() }

// crossing returns the values that tasks of another phase read.
func (t *tasks) crossing() map[*plan.Value]bool {
	out := map[*plan.Value]bool{}
	for _, x := range t.list {
		for _, v := range x.reads {
			if from := t.of[v]; from != nil && from.phase != x.phase {
				out[v] = true
			}
		}
	}
	return out
}

// sizesFor returns the sizes of words for which the instances fill whole vectors.
func sizesFor(copies int) (out []int) {
	for _, size := range []int{8, 16, 32, 64} {
		if copies*size%512 == 0 {
			out = append(out, size)
		}
	}
	return out
}
