package cycle

import "github.com/hotline-rtl/hotline/gen/gosim/plan"

// costs are approximate costs of tasks.
type costs struct {
	operation int // an operation of a task
	moving    int // an operation that may move: less, because readers of the same values then follow
	load      int // a load of a vector
	store     int
	turn      int // overhead of a kernel for each vector
}

// near and far are the costs for batches whose registers fit into the first-level cache, and for
// larger batches. For larger batches, memory costs three times as much relative to operations.
var near, far = costs{3, 2, 2, 4, 3}, costs{2, 1, 4, 8, 3}

// firstCache is the size in bytes of a processor's first-level cache.
const firstCache = 32 << 10

// costsOf returns the costs for a batch of instances, by the memory size of its registers.
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
