package dispatchtest

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
)

// RandomIndex returns a register number, mostly of an existing register.
func RandomIndex(r *rand.Rand, p arch.Params) uint64 {
	switch r.IntN(4) {
	case 0:
		return arch.RegTable + uint64(r.IntN(p.Tables+1))
	case 1:
		return arch.RegSlot + uint64(r.IntN(p.Slots+1))
	case 2:
		return arch.RegHot + uint64(r.IntN(arch.RegCount+2-arch.RegHot))
	}
	return r.Uint64N(1 << address.IndexBits)
}

// RandomValue returns a value for a register, sometimes out of its range.
func RandomValue(r *rand.Rand, p arch.Params, index uint64) uint64 {
	width := 64
	switch {
	case r.IntN(8) == 0:
	case index >= arch.RegSlot && index < arch.RegHot:
		id, table := r.Uint64()>>(64-p.IDBits()), r.Uint64N(uint64(p.Tables))
		return id | table<<arch.SlotTableLo | r.Uint64N(4)<<arch.SlotFirstBit | r.Uint64()&(1<<r.IntN(64))&-uint64(r.IntN(2))
	case index == arch.RegScale:
		width = 32 + r.IntN(2)
	case index >= arch.RegSlots:
		width = 1 + r.IntN(10)
	}
	v := r.Uint64() >> (64 - width)
	if base := index < arch.RegSlot || index >= arch.RegHot && index < arch.RegSlots; base && r.IntN(8) > 0 {
		v &^= 3
	}
	return v
}
