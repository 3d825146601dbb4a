package dispatch

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// step is a command and the status with which it must end.
type step struct {
	arch.Command
	Surroundings
	status arch.Status
}

// standingRegisters are those of the steps. The bases are unknown before they are
// written.
func standingRegisters() []arch.Command {
	list := []arch.Command{set(arch.RegSlots, 5), set(arch.RegTables, 1), set(arch.RegGPUs, 1), set(arch.RegRowLog2, 6)}
	return append(list, bases()...)
}

// bases sets all base addresses and slots of tiny to 0.
func bases() (list []arch.Command) {
	for _, group := range []struct{ first, n int }{{arch.RegTable, tiny.Tables}, {arch.RegSlot, tiny.Slots},
		{arch.RegHot, tiny.GPUs}, {arch.RegPooled, tiny.GPUs}, {arch.RegGrad, tiny.GPUs}, {arch.RegMailbox, tiny.GPUs}} {
		for i := range group.n {
			list = append(list, set(uint64(group.first+i), 0))
		}
	}
	return list
}

func set(index, v uint64) arch.Command {
	return arch.Command{Opcode: arch.SWrite, Operand1: index, Operand2: v}
}

// standingSteps show what lasts from one command to the next, in numbers. They
// are for tiny, from reset.
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
	failed := Surroundings{Error: 10}
	return map[string][]step{
		"least": {
			{gather(0, 0), Surroundings{}, 34}, {gather(0, 52), Surroundings{}, 34}, {arch.Command{Opcode: arch.DMAWrite, Operand2: 60}, Surroundings{}, 34},
			{read, Surroundings{}, 0}, {words(arch.Learn, 0, 0), Surroundings{}, 34}, {words(arch.Update, 0, 0), Surroundings{}, 34},
			{set(arch.RegRowLog2, 16), Surroundings{}, 34}, {read, Surroundings{}, 0}, {read, Surroundings{}, 0}, {read, Surroundings{}, 0},
			{arch.Command{Opcode: arch.DMARead, Operand2: 60}, Surroundings{}, 34}, {arch.Command{Opcode: arch.GPURead, Operand1: 4}, Surroundings{}, 34},
			{arch.Command{Opcode: arch.HotSet}, Surroundings{EAL: eal.NewTracker(tiny)}, 0}, {arch.Command{Opcode: arch.Fence}, Surroundings{}, 0},
		},
		"rows": {
			{mul, Surroundings{}, 37}, {add, Surroundings{}, 37}, {load, Surroundings{}, 37},
			{read, Surroundings{}, 0}, {add, Surroundings{}, 39}, {mul, Surroundings{}, 0}, {mul, Surroundings{}, 37},
			{read, Surroundings{}, 0}, {read, Surroundings{}, 0}, {read, Surroundings{}, 0}, {read, Surroundings{}, 0}, {read, Surroundings{}, 36},
			{arch.Command{Opcode: arch.GPURead}, Surroundings{}, 36},
			{words(arch.Learn, 0, 1), Surroundings{}, 38}, {words(arch.Classify, 0, 1), Surroundings{}, 38}, {words(arch.Update, 0, 1), Surroundings{}, 38}, {gather(0, 1), Surroundings{}, 38},
			{set(arch.RegRowLog2, 6), Surroundings{}, 38}, {set(arch.RegGPUs, 1), Surroundings{}, 0},
			{load, Surroundings{}, 0}, {arch.Command{Opcode: arch.GPURead}, Surroundings{}, 0}, {read, Surroundings{}, 36},
		},
		"vector": {
			{write, Surroundings{}, 39}, {read, Surroundings{}, 0}, {load, Surroundings{}, 0}, {write, Surroundings{}, 0}, {write, Surroundings{}, 39},
			{read, Surroundings{}, 0}, {read, Surroundings{}, 0}, {mul, Surroundings{}, 0}, {add, failed, 10}, {write, Surroundings{}, 39},
			{read, Surroundings{}, 0}, {mul, Surroundings{}, 0}, {set(arch.RegRowLog2, 6), Surroundings{}, 0}, {write, Surroundings{}, 39},
			{words(arch.Classify, half1, 3), batch(15), 0}, {read, Surroundings{}, 0}, {mul, Surroundings{}, 0}, {gather(half1, 1), Surroundings{}, 0}, {write, Surroundings{}, 39},
			{read, Surroundings{}, 0}, {mul, Surroundings{}, 0}, {words(arch.Update, 0, 1), Surroundings{Words: make([]uint32, 2)}, 0}, {write, Surroundings{}, 39},
		},
		"inputs": {
			{gather(half1, 1), Surroundings{}, 40}, {words(arch.Classify, half1, 3), batch(15), 0}, {gather(half1, 4), Surroundings{}, 40}, {gather(0, 1), Surroundings{}, 40},
			{gather(half1, 3), Surroundings{}, 0}, {words(arch.Learn, 0, 3), batch(15), 0}, {gather(half1, 2), Surroundings{}, 0},
			{words(arch.Learn, half1, 3), batch(15), 0}, {gather(half1, 1), Surroundings{}, 40},
			{words(arch.Classify, 0, 3), Surroundings{Words: make([]uint32, 15), Results: make([]lookup.Result, 15), Error: 11}, 11}, {gather(0, 1), Surroundings{}, 40},
			{words(arch.Classify, 0, 3), batch(15), 0}, {words(arch.Update, 0, 1), Surroundings{Words: make([]uint32, 2)}, 0}, {gather(0, 1), Surroundings{}, 40},
			{words(arch.Classify, 0, 3), batch(15), 0}, {words(arch.Classify, half1, 3), batch(15), 0}, {words(arch.Update, half1, 1), Surroundings{Words: make([]uint32, 2)}, 0},
			{words(arch.Classify, 0, 0), Surroundings{}, 34}, {set(arch.RegSlots, 128), Surroundings{}, 34}, {set(arch.RegTables, 1), Surroundings{}, 0}, {gather(0, 3), Surroundings{}, 0},
			{words(arch.Classify, half1, 3), batch(15), 0}, {set(arch.RegSlots, 5), Surroundings{}, 0}, {gather(0, 1), Surroundings{}, 40}, {gather(half1, 1), Surroundings{}, 40},
		},
	}
}

// batch is a mini-batch of so many words that all miss.
func batch(words int) Surroundings {
	return Surroundings{Words: make([]uint32, words), Results: make([]lookup.Result, words)}
}

func TestStanding(t *testing.T) {
	for name, steps := range standingSteps() {
		m := NewModel(tiny)
		for _, c := range standingRegisters() {
			require.Zero(t, m.Execute(c, Surroundings{}).Status)
		}
		for i, s := range steps {
			require.Equal(t, s.status, m.Execute(s.Command, s.Surroundings).Status, "%s, step %d", name, i)
		}
	}
	d, err := hw.Elaborate(Dispatch{tiny})
	require.NoError(t, err)
	require.NoError(t, checkStanding(d))
}

// checkStanding runs the steps in hardware.
func checkStanding(d *ir.Design) error {
	for name, steps := range standingSteps() {
		x, err := newDispatching(d, tiny, 1)
		if err != nil {
			return err
		}
		for _, c := range standingRegisters() {
			if err := x.execute(c, Surroundings{}); err != nil {
				return err
			}
		}
		for i, s := range steps {
			if err := x.execute(s.Command, s.Surroundings); err != nil {
				return fmt.Errorf("%s, step %d: %w", name, i, err)
			}
		}
	}
	return nil
}
