package lower

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Registers of a pipeline are best done from its end on: each then takes its next value soon after what it has is
// read for the last time, and what is computed for it need not wait in memory until then. So stages follow each other,
// each with the registers on which those of earlier stages alone depend, and with what is first needed for them.

// inStages finds the stages of tasks, which begin with 0. Of registers that depend on each other any may come first.
func (t *tasks) inStages() {
	s := staging{t, map[*plan.Value][]*task{}, map[*task]int{}}
	for _, x := range t.list {
		for _, v := range x.reads {
			s.readers[v] = append(s.readers[v], x)
		}
	}
	for _, x := range slices.Backward(t.list) {
		if x.register != nil {
			x.stage = s.last(x)
			continue
		}
		x.stage = 0
		for n, y := range s.needing(x) {
			if n == 0 || y.stage < x.stage {
				x.stage = y.stage
			}
		}
	}
}

// staging is tasks while their stages are found.
type staging struct {
	*tasks
	readers map[*plan.Value][]*task
	known   map[*task]int
}

// needing are the tasks that read what x computes.
func (s *staging) needing(x *task) (out []*task) {
	for _, y := range x.before {
		if slices.ContainsFunc(y.reads, func(v *plan.Value) bool { return s.of[v] == x }) {
			out = append(out, y)
		}
	}
	return out
}

// last is the stage of the last register that depends on x, or of that which takes its next value then.
func (s *staging) last(x *task) int {
	if n, ok := s.known[x]; ok {
		return n
	}
	s.known[x] = 0 // for one that depends on itself
	n := 0
	if x.register != nil {
		for _, y := range s.readers[x.register] {
			if y != x {
				n = max(n, 1+s.last(y))
			}
		}
	} else {
		for _, y := range s.needing(x) {
			n = max(n, s.last(y))
		}
	}
	s.known[x] = n
	return n
}
