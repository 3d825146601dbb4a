package cycle

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// phase is tasks that one kernel does, in words of at most a size.
type phase struct {
	size  int
	tasks []*task
}

// most is the greatest number of tasks of a phase: so many instructions stay in the caches of
// a processor while a kernel goes through its blocks.
const most = 500

// phases puts tasks in an order in which each comes after what it waits for, and divides them
// by size of words: the shorter the words, the more copies go through a kernel at once. Words are of
// one of some sizes. What is ready and goes on longest comes next.
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

// order is tasks of which some are done.
type order struct {
	key   func(*task) int // what is done together
	waits []int           // for so many that are not done, by number
	ready map[int][]*task // what waits for none, by key, in the order of numbers
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

// add notes that x is ready.
func (s *order) add(x *task) {
	key := s.key(x)
	at, _ := slices.BinarySearchFunc(s.ready[key], x.number, func(y *task, number int) int { return y.number - number })
	s.ready[key] = slices.Insert(s.ready[key], at, x)
}

// follow does what can be done of a key, one task after the other.
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

// best returns phases of words of such sizes that they cost least for so many copies.
func (t *tasks) best(copies int) ([]phase, error) {
	all := sizesFor(copies)
	widest := 8
	for _, x := range t.list {
		widest = max(widest, x.size)
	}
	last, _ := slices.BinarySearch(all, widest)
	if last == len(all) {
		return nil, fmt.Errorf("%d copies are no vectors of %d bits each", copies, widest)
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

// moved returns phases of words of some sizes, after tasks have moved.
func (t *tasks) moved(sizes []int, copies int) []phase {
	return t.arranged(t.phases(sizes), copies).moved()
}

// cost returns about what phases take for so many copies.
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

// sizesFor returns the sizes of words of which so many copies are whole vectors.
func sizesFor(copies int) (out []int) {
	for _, size := range []int{8, 16, 32, 64} {
		if copies*size%512 == 0 {
			out = append(out, size)
		}
	}
	return out
}
