package cycle

import "github.com/hotline-rtl/hotline/gen/gosim/plan"

// costs are about what tasks cost.
type costs struct {
	operation int // of a task
	moving    int // of one that may move: less, as others then follow which read the same
	load      int // of a vector
	store     int
	turn      int // of a kernel for each vector, apart from tasks
}

// near and far are costs for copies whose registers fit into the first cache, and for others. For these, memory costs
// three times as much compared with operations.
var near, far = costs{3, 2, 2, 4, 3}, costs{2, 1, 4, 8, 3}

// firstCache is the bytes of a processor's first cache.
const firstCache = 32 << 10

// costsOf returns the costs for copies, by the memory that their registers take.
func costsOf(p *plan.Plan) costs {
	bits := 0
	for _, r := range p.Regs {
		if r.Q.Bits() {
			bits += r.Q.Lanes
		} else {
			bits += r.Q.Lanes * r.Q.LaneBits()
		}
	}
	if bits/8 > firstCache {
		return far
	}
	return near
}
