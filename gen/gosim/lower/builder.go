package lower

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Builder adds operations of a plan to a kernel.
type Builder struct {
	Kernel *kernel.Kernel
	Use    kernel.Value                   // lanes that are needed; None for all
	Local  map[*plan.Value]kernel.Value   // results so far: words, or a mask for a one-bit value
	Places map[*plan.Value]kernel.Place   // places of values that are not in the state
	Err    error                          // reason why there is no kernel; else nil
	wide   map[*plan.Value][]kernel.Value // words of results of more than 64 bits
}

// New returns a Builder that adds operations to k, in all of its lanes.
func New(k *kernel.Kernel) *Builder {
	return &Builder{Kernel: k, Use: kernel.None, Local: map[*plan.Value]kernel.Value{}, wide: map[*plan.Value][]kernel.Value{}, Places: map[*plan.Value]kernel.Place{}}
}

// Fail records why there can be no kernel.
func (lo *Builder) Fail(reason string, args ...any) kernel.Value {
	lo.Err = fmt.Errorf(reason, args...)
	return lo.Kernel.Const(0)
}
