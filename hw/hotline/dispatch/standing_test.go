package dispatch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// step is a command and its expected status.
type step struct {
	arch.Command
	dispatch.Environment
	status arch.Status
}

// standingRegisters returns the commands that write the registers for the steps.
func standingRegisters() []arch.Command {
	list := []arch.Command{set(arch.RegSlots, 5), set(arch.RegTables, 1), set(arch.RegGPUs, 1), set(arch.RegRowLog2, 6)}
	return append(list, bases()...)
}

// bases sets all base addresses and slots of dispatchtest.Tiny to 0.
func bases() (list []arch.Command) {
	for _, group := range []struct{ first, n int }{{arch.RegTable, dispatchtest.Tiny.Tables}, {arch.RegSlot, dispatchtest.Tiny.Slots},
		{arch.RegHot, dispatchtest.Tiny.GPUs}, {arch.RegPooled, dispatchtest.Tiny.GPUs}, {arch.RegGrad, dispatchtest.Tiny.GPUs}, {arch.RegMailbox, dispatchtest.Tiny.GPUs}} {
		for i := range group.n {
			list = append(list, set(uint64(group.first+i), 0))
		}
	}
	return list
}

func set(index, v uint64) arch.Command {
	return arch.Command{Opcode: arch.SWrite, Operand1: index, Operand2: v}
}

// standingSteps lists sequences of commands that test the state that persists between commands.
// They start from reset and require dispatchtest.Tiny.
func standingSteps() map[string][]step {
	const half1 = 1
	read, mul, load := arch.Command{Opcode: arch.DMARead, Operand2: 64}, arch.Command{Opcode: arch.VMul}, arch.Command{Opcode: arch.VAdd, Flags: 1}
	add, write := arch.Command{Opcode: arch.VAdd}, arch.Command{Opcode: arch.DMAWrite, Operand2: 64}
	gather := func(half uint8, n uint64) arch.Command {
		return arch.Command{Opcode: arch.Gather, Flags: half, Operand2: n}
	}
	words := func(o arch.Opcode, half uint8, n uint64) arch.Command {
		return arch.Command{Opcode: o, Flags: half, Operand2: n}
	}
	failed := dispatch.Environment{Error: 10}
	hotSet, nothing := arch.Command{Opcode: arch.HotSet}, dispatch.Environment{EAL: eal.NewTracker(dispatchtest.Tiny)}
	lost, unread := nothing, batch(15)
	lost.Error, unread.Error, unread.NoLoad = 10, 9, true
	return map[string][]step{
		"least": {
			{gather(0, 0), dispatch.Environment{}, 34}, {gather(0, 52), dispatch.Environment{}, 34}, {arch.Command{Opcode: arch.DMAWrite, Operand2: 60}, dispatch.Environment{}, 34},
			{read, dispatch.Environment{}, 0}, {words(arch.Learn, 0, 0), dispatch.Environment{}, 34}, {words(arch.Update, 0, 0), dispatch.Environment{}, 34},
			{set(arch.RegRowLog2, 16), dispatch.Environment{}, 34}, {read, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 0},
			{arch.Command{Opcode: arch.DMARead, Operand2: 60}, dispatch.Environment{}, 34}, {arch.Command{Opcode: arch.GPURead, Operand1: 4}, dispatch.Environment{}, 34},
			{arch.Command{Opcode: arch.HotSet}, dispatch.Environment{EAL: eal.NewTracker(dispatchtest.Tiny)}, 0}, {arch.Command{Opcode: arch.Fence}, dispatch.Environment{}, 0},
		},
		"rows": {
			{mul, dispatch.Environment{}, 37}, {add, dispatch.Environment{}, 37}, {load, dispatch.Environment{}, 37},
			{read, dispatch.Environment{}, 0}, {add, dispatch.Environment{}, 39}, {mul, dispatch.Environment{}, 0}, {mul, dispatch.Environment{}, 37},
			{read, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 36},
			{arch.Command{Opcode: arch.GPURead}, dispatch.Environment{}, 36},
			{words(arch.Learn, 0, 1), dispatch.Environment{}, 38}, {words(arch.Classify, 0, 1), dispatch.Environment{}, 38}, {words(arch.Update, 0, 1), dispatch.Environment{}, 38}, {gather(0, 1), dispatch.Environment{}, 38},
			{set(arch.RegRowLog2, 6), dispatch.Environment{}, 38}, {set(arch.RegGPUs, 1), dispatch.Environment{}, 0},
			{load, dispatch.Environment{}, 0}, {arch.Command{Opcode: arch.GPURead}, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 36},
		},
		"vector": {
			{write, dispatch.Environment{}, 39}, {read, dispatch.Environment{}, 0}, {load, dispatch.Environment{}, 0}, {write, dispatch.Environment{}, 0}, {write, dispatch.Environment{}, 39},
			{read, dispatch.Environment{}, 0}, {read, dispatch.Environment{}, 0}, {mul, dispatch.Environment{}, 0}, {add, failed, 10}, {write, dispatch.Environment{}, 39},
			{read, dispatch.Environment{}, 0}, {mul, dispatch.Environment{}, 0}, {set(arch.RegRowLog2, 6), dispatch.Environment{}, 0}, {write, dispatch.Environment{}, 39},
			{words(arch.Classify, half1, 3), batch(15), 0}, {read, dispatch.Environment{}, 0}, {mul, dispatch.Environment{}, 0}, {gather(half1, 1), dispatch.Environment{}, 0}, {write, dispatch.Environment{}, 39},
			{read, dispatch.Environment{}, 0}, {mul, dispatch.Environment{}, 0}, {words(arch.Update, 0, 1), dispatch.Environment{Words: make([]uint32, 2)}, 0}, {write, dispatch.Environment{}, 39},
		},
		"stretch": {
			{words(arch.Learn, 0, 3), batch(15), 0}, {hotSet, nothing, 0}, {hotSet, nothing, 0}, {words(arch.Learn, 0, 3), batch(15), 0}, {words(arch.Learn, 0, 3), batch(15), 0},
			{hotSet, lost, 10}, {words(arch.Learn, 0, 3), batch(15), 0}, {hotSet, nothing, 0}, {hotSet, lost, 10}, {words(arch.Learn, 0, 3), unread, 9}, {words(arch.Classify, 0, 3), batch(15), 0},
			{words(arch.Learn, 0, 0), dispatch.Environment{}, 34}, {words(arch.Learn, 0, 3), batch(15), 0}, {words(arch.Learn, half1, 3), batch(15), 0}, {hotSet, nothing, 0}, {words(arch.Learn, half1, 3), batch(15), 0},
		},
		"inputs": {
			{gather(half1, 1), dispatch.Environment{}, 40}, {words(arch.Classify, half1, 3), batch(15), 0}, {gather(half1, 4), dispatch.Environment{}, 40}, {gather(0, 1), dispatch.Environment{}, 40},
			{gather(half1, 3), dispatch.Environment{}, 0}, {words(arch.Learn, 0, 3), batch(15), 0}, {gather(half1, 2), dispatch.Environment{}, 0},
			{words(arch.Learn, half1, 3), batch(15), 0}, {gather(half1, 1), dispatch.Environment{}, 40},
			{words(arch.Classify, 0, 3), dispatch.Environment{Words: make([]uint32, 15), Results: make([]lookup.Result, 15), Error: 11}, 11}, {gather(0, 1), dispatch.Environment{}, 40},
			{words(arch.Classify, 0, 3), batch(15), 0}, {words(arch.Update, 0, 1), dispatch.Environment{Words: make([]uint32, 2)}, 0}, {gather(0, 1), dispatch.Environment{}, 40},
			{words(arch.Classify, 0, 3), batch(15), 0}, {words(arch.Classify, half1, 3), batch(15), 0}, {words(arch.Update, half1, 1), dispatch.Environment{Words: make([]uint32, 2)}, 0},
			{gather(half1, 1), dispatch.Environment{}, 40}, {words(arch.Classify, 0, 0), dispatch.Environment{}, 34}, {set(arch.RegSlots, 128), dispatch.Environment{}, 34}, {set(arch.RegTables, 1), dispatch.Environment{}, 0}, {gather(0, 3), dispatch.Environment{}, 0},
			{words(arch.Classify, half1, 3), batch(15), 0}, {set(arch.RegSlots, 5), dispatch.Environment{}, 0}, {gather(0, 1), dispatch.Environment{}, 40}, {gather(half1, 1), dispatch.Environment{}, 40},
		},
	}
}

// batch returns an environment whose words all miss.
func batch(words int) dispatch.Environment {
	return dispatch.Environment{Words: make([]uint32, words), Results: make([]lookup.Result, words)}
}

func TestStanding(t *testing.T) {
	for name, steps := range standingSteps() {
		m := dispatch.NewModel(dispatchtest.Tiny)
		for _, c := range standingRegisters() {
			require.Zero(t, m.Execute(c, dispatch.Environment{}).Status)
		}
		for i, s := range steps {
			require.Equal(t, s.status, m.Execute(s.Command, s.Environment).Status, "%s, step %d", name, i)
		}
	}
	d, err := hw.Elaborate(dispatch.Of(dispatchtest.Tiny))
	require.NoError(t, err)
	require.NoError(t, checkStanding(d))
}

// checkStanding runs the steps in hardware.
func checkStanding(d *ir.Design) error {
	for name, steps := range standingSteps() {
		x, err := newDispatching(d, dispatchtest.Tiny, 1)
		if err != nil {
			return err
		}
		for _, c := range standingRegisters() {
			if err := x.execute(c, dispatch.Environment{}); err != nil {
				return err
			}
		}
		for i, s := range steps {
			if err := x.execute(s.Command, s.Environment); err != nil {
				return fmt.Errorf("%s, step %d: %w", name, i, err)
			}
		}
	}
	return nil
}
