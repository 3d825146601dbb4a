package cycle

import (
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// line is the bits of a line of a processor's caches, and of its longest vectors.
const line = 512

// fetch has one kernel fetch the inputs of the next cycle, a line in each turn. Loads of the present inputs that fetched
// them would do so many at a time, and have other loads wait. Of the kernels that have a turn for each line it is the one
// with fewest; if there is none loads do.
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
