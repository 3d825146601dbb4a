package cycle

import (
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// part consists of tasks of a phase. It may have several similar members, with their tasks in the
// same order.
type part struct {
	members [][]*task
	again   []*plan.Value // values that all members read
	groups  []group       // groups of the tasks, if there is one member
}

// fewestSaved is the minimum number of tasks that must be saved for a separate kernel.
const fewestSaved = 20

// family contains components that are alike.
type family struct {
	members [][]*task
	roles   [][]*plan.Value // values of each member, by role
}

// saved returns the number of tasks that need no code of their own if one kernel performs f.
func (f family) saved() int { return (len(f.members) - 1) * len(f.members[0]) }
