package lower

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Registers returns the kernel that stores the next values of registers with the same lanes. It
// returns none if the lanes are not words, or if the mask has a single lane.
func Registers(name string, list []*plan.Regs, group func(*plan.Value) int) ([]*kernel.Kernel, error) {
	size := list[0].Q.LaneBits()
	if size == 0 || list[0].Mask != nil && list[0].Mask.Lanes == 1 {
		return nil, nil
	}
	k := kernel.New(name, list[0].Q.Lanes, size)
	k.Doc = fmt.Sprintf("%s: next values of %d registers", name, len(list))
	for _, r := range list {
		mask := kernel.None
		if r.Mask != nil {
			mask = k.LoadMask(PlaceOf(r.Mask))
		}
		k.Store(PlaceOf(r.Q), k.Load(PlaceOf(r.D.V)), mask, group(r.Q))
	}
	if m := list[0].Mask; m != nil && !slices.ContainsFunc(list, func(r *plan.Regs) bool { return r.Mask != m }) {
		k.Mask, k.Masked = PlaceOf(m), true
	}
	return []*kernel.Kernel{k}, nil
}
