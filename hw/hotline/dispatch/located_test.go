package dispatch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Sizes of the tests of missing addresses. Slots 0 to 4, GPUs 0 and 1 and tables 0 and 1 of
// dispatchtest.Tiny are in use.
const slotsInUse, gpusInUse = 5, 2

// located lists the commands that need addresses. If all addresses are written, each command
// succeeds after its predecessors.
var located = []arch.Command{
	{Opcode: arch.Learn, Operand2: 3}, {Opcode: arch.Classify, Operand2: 3}, {Opcode: arch.Gather, Operand2: 2}, {Opcode: arch.Update, Operand2: 3},
	{Opcode: arch.GPURead, Operand1: 0}, {Opcode: arch.GPURead, Operand1: 1}, {Opcode: arch.GPURead, Operand1: 2},
}

// withoutRegister returns, for each register, the statuses of these commands if the register was
// not written.
func withoutRegister() map[uint64][]arch.Status {
	want := map[uint64][]arch.Status{}
	for index := range uint64(arch.RegSlots) {
		s := make([]arch.Status, len(located))
		const none = arch.StatusNoAddress
		switch gpu := index & 7; {
		case index < 2: // tables that slots refer to
			s[2], s[3] = none, arch.StatusNoTable
		case index < arch.RegSlot:
		case index < arch.RegSlot+slotsInUse:
			s[0], s[1], s[2] = none, none, arch.StatusNoInputs
		case index < arch.RegHot:
		case index < arch.RegPooled && gpu < 3:
			s[4+gpu] = none
			if gpu < gpusInUse {
				s[2] = none
			}
		case gpu >= gpusInUse:
		case index < arch.RegGrad:
			s[2] = none
		case index < arch.RegMailbox:
			s[3] = none
		default:
			s[1], s[2] = none, arch.StatusNoInputs
		}
		want[index] = s
	}
	return want
}

// checkLocated omits each register, one at a time.
func checkLocated(d *ir.Design) error {
	p := dispatchtest.Tiny
	for _, group := range []struct{ first, n int }{{arch.RegTable, 3}, {arch.RegSlot, slotsInUse + 1}, {arch.RegHot, 3}, {arch.RegPooled, 3}, {arch.RegGrad, 3}, {arch.RegMailbox, 3}} {
		for i := range group.n {
			missing := uint64(group.first + i)
			x, err := newDispatching(d, p, missing)
			if err != nil {
				return err
			}
			if err := x.without(missing, withoutRegister()[missing]); err != nil {
				return fmt.Errorf("without register %#x: %w", missing, err)
			}
		}
	}
	return checkLists(d, p)
}

// without writes all registers but one and checks the statuses.
func (x *dispatching) without(missing uint64, want []arch.Status) error {
	list := []arch.Command{set(arch.RegSlots, slotsInUse), set(arch.RegTables, 2), set(arch.RegGPUs, gpusInUse), set(arch.RegRowLog2, 5)}
	for _, c := range bases() {
		if c.Operand1 >= arch.RegSlot && c.Operand1 < arch.RegHot { // slots of tables 0 and 1
			c.Operand2 = arch.Slot{Table: int(c.Operand1 & 1), First: true, Last: true}.Bits()
		}
		if c.Operand1 != missing {
			list = append(list, c)
		}
	}
	for _, c := range list {
		if err := x.execute(c, dispatch.Environment{}); err != nil {
			return err
		}
	}
	for i, c := range located {
		s := batch(3 * slotsInUse)
		if c.Opcode == arch.Update {
			s = dispatch.Environment{Words: []uint32{0, 7, 1, 8, 4, 9}} // table 4 is table 0 again
		}
		if x.model.Check(c) != arch.StatusOK {
			s = dispatch.Environment{}
		}
		if err := x.execute(c, s); err != nil {
			return err
		}
		if x.status != want[i] {
			return fmt.Errorf("%v: status %d, want %d", c, x.status, want[i])
		}
	}
	return nil
}

// checkLists updates lists in which one entry, or none, has a table without an address. The rest of
// the last beat is arbitrary.
func checkLists(d *ir.Design, p arch.Params) error {
	x, err := newDispatching(d, p, 1)
	if err != nil {
		return err
	}
	for _, c := range []arch.Command{set(arch.RegGPUs, 1), set(arch.RegGrad, 0x1000), set(arch.RegRowLog2, 5), set(arch.RegTable+2, 0x2000)} {
		if err := x.execute(c, dispatch.Environment{}); err != nil {
			return err
		}
	}
	for n := 1; n <= p.HalfWords()/2; n += 1 + n/6*3 {
		for bad := -1; bad < n; bad += 1 + n/6*5 {
			s := dispatch.Environment{Words: make([]uint32, 2*n)}
			for k := range n {
				s.Words[2*k], s.Words[2*k+1] = 2|x.Rand.Uint32()<<2, x.Rand.Uint32()
			}
			if bad >= 0 {
				s.Words[2*bad] ^= 1 + x.Rand.Uint32N(3)
			}
			if err := x.execute(arch.Command{Opcode: arch.Update, Flags: uint8(n & 1), Operand2: uint64(n)}, s); err != nil {
				return fmt.Errorf("entry %d of %d: %w", bad, n, err)
			}
			if bad < 0 { // the status must not leak into a later command
				s.Words[0] = 1
				s.Error, s.NoLoad = 9, true
				for _, c := range []arch.Command{{Opcode: arch.Update, Operand2: uint64(n)}, {Opcode: arch.Fence}} {
					if err := x.execute(c, s); err != nil {
						return err
					}
					s = dispatch.Environment{}
				}
			}
		}
	}
	return nil
}

func TestLocated(t *testing.T) {
	d, err := hw.Elaborate(dispatch.Of(dispatchtest.Tiny))
	require.NoError(t, err)
	require.NoError(t, checkLocated(d))
	for _, p := range dispatchtest.Sizes {
		d, err := hw.Elaborate(dispatch.Of(p.Params))
		require.NoError(t, err)
		require.NoError(t, checkLists(d, p.Params), p.Name)
	}
}
