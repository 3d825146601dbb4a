package cycle

import (
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// part is tasks of a phase, or as many of each of several parts that are alike, in the same order.
type part struct {
	members [][]*task
	again   []*plan.Value // that all members read
	groups  []group       // of the tasks of the only member
}

// fewestSaved is the least number of tasks that are not in code of their own for others to be a kernel of their own.
const fewestSaved = 20

// family is components that are alike.
type family struct {
	members [][]*task
	roles   [][]*plan.Value // of each member
}

// saved returns the tasks that are not in code of their own if f is done by one kernel.
func (f family) saved() int { return (len(f.members) - 1) * len(f.members[0]) }
