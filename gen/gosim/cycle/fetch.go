package cycle

import (
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// line is the number of bits of a cache line, and of the longest vectors.
const line = 512

// fetch selects the kernel that prefetches the inputs of the next cycle, one cache line per
// iteration. If the loads of the present inputs prefetched them, they would issue many prefetches
// at a time and delay other loads. fetch selects the kernel with the fewest iterations among the
// kernels with an iteration for each line. If there is none, loads prefetch.
func fetch(kernels []*kernel.Kernel, copies int, inputs map[*plan.Value]kernel.Place) {
	bits := 0
	for _, at := range inputs {
		bits += copies * at.Size
	}
	turns := func(k *kernel.Kernel) int { return k.Lanes * k.Widest / line }
	able := slices.DeleteFunc(slices.Clone(kernels), func(k *kernel.Kernel) bool { return turns(k)*line < bits })
	if bits == 0 || len(able) == 0 {
		return
	}
	for _, k := range kernels {
		k.Next.Loads = false
	}
	part := slices.Collect(maps.Values(inputs))[0].Part
	slices.MinFunc(able, func(j, k *kernel.Kernel) int { return turns(j) - turns(k) }).Next.Turns = part
}
