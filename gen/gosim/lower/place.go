package lower

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// PlaceOf returns the beginning of the storage of v in the state.
func PlaceOf(v *plan.Value) kernel.Place {
	if v.Of != nil {
		v = v.Of
	}
	return kernel.Place{Field: names.Field(v), Size: v.LaneBits()}
}

// lanesOf returns the lanes that o reads.
func (lo *Builder) lanesOf(o plan.Operand) []int {
	out := make([]int, lo.Kernel.Lanes)
	for l := range out {
		out[l] = o.Ref(l).Lane
	}
	return out
}

// wordBytes returns the size in bytes of a word of m.
func wordBytes(m *plan.Memory) int { return plan.ElemBits(m.Width) / 8 * ir.Words(m.Width) }

// PlaceOfMemory returns the beginning of m, with the size of its words.
func PlaceOfMemory(m *plan.Memory) kernel.Place {
	return kernel.Place{Field: fmt.Sprintf("m%d", m.ID), Size: 8 * wordBytes(m)}
}

// Address returns the offset in bytes of the word at addr from the beginning of m, for memory at(l)
// in lane l.
func (lo *Builder) Address(m *plan.Memory, addr kernel.Value, at plan.Form) kernel.Value {
	k, size := lo.Kernel, wordBytes(m)
	if bytes := (m.Room + m.Gap()) * m.Lanes * size; bytes > math.MaxInt32 { // offsets are signed
		return lo.Fail("a memory of %d bytes", bytes)
	}
	word, lane := m.Steps()
	starts := make([]int, lo.Kernel.Lanes)
	for l := range starts {
		starts[l] = at.At(l) * lane * size
	}
	if word *= size; word&(word-1) == 0 {
		addr = k.Shift(addr, bits.TrailingZeros(uint(word)))
	} else {
		addr = k.Do(kernel.Mul, addr, k.Const(uint64(word)))
	}
	return k.Do(kernel.Add, addr, k.Table(starts))
}
