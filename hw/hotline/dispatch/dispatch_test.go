package dispatch_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeDispatch(p arch.Params) hw.Generator[dispatch.Ports] { return dispatch.Of(p) }

func TestDispatch(t *testing.T) { dispatchtest.ForSizes(t, describeDispatch, checkDispatch) }

func TestElaborates(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		_, err := hw.Elaborate(dispatch.Of(p))
		require.NoError(t, err)
	}
}

// checkDispatch uses all registers, runs random programs with random registers, and then the
// longest commands.
func checkDispatch(d *ir.Design, p arch.Params, seed uint64) error {
	x, err := newDispatching(d, p, seed)
	if err != nil {
		return err
	}
	if err := x.addresses(); err != nil {
		return err
	}
	for range 3 {
		if err := x.configure(dispatchtest.RandomRegisters(x.Rand, p)); err != nil {
			return err
		}
		for range 40 {
			c, s := x.random()
			x.loadReq.Rate, x.rowReq.Rate, x.opq.Rate = dispatchtest.Rate(x.Rand), dispatchtest.Rate(x.Rand), dispatchtest.Rate(x.Rand)
			x.writer.Packet.Rate, x.writer.Data.Rate = dispatchtest.Rate(x.Rand), dispatchtest.Rate(x.Rand)
			if err := x.execute(c, s); err != nil {
				return err
			}
		}
		if err := x.execute(arch.Command{Opcode: arch.Fence}, dispatch.Environment{}); err != nil {
			return err
		}
	}
	if err := x.most(); err != nil {
		return err
	}
	return x.rest()
}

// most runs the largest gathers and updates.
func (x *dispatching) most() error {
	return x.use(dispatchtest.MostRegisters(x.Rand, x.p), 0)
}

// addresses uses every base address, and then its complement, so that each bit takes both values.
func (x *dispatching) addresses() error {
	r := dispatchtest.AllRegisters(x.Rand, x.p)
	for range 2 {
		if err := x.use(r, 0.5); err != nil {
			return err
		}
		for _, bases := range [][]uint64{r.TableBase, r.Hot, r.Pooled, r.Grad, r.Mailbox} {
			for i := range bases {
				bases[i] ^= ^uint64(3)
			}
		}
	}
	return nil
}

// use classifies, gathers and updates the maximum number of inputs. hot is the share of hot rows.
func (x *dispatching) use(r *dispatch.RegisterModel, hot float64) error {
	if err := x.configure(r); err != nil {
		return err
	}
	for _, c := range []arch.Command{
		{Opcode: arch.Classify, Operand2: uint64(x.p.HalfWords() / r.Slots)},
		{Opcode: arch.Gather, Operand2: uint64(x.p.HalfWords() / r.Slots)},
		{Opcode: arch.Update, Operand2: uint64(x.p.HalfWords() / sizes.EntryWords)},
	} {
		s := dispatch.Environment{Words: make([]uint32, x.p.HalfWords()), Results: make([]lookup.Result, x.p.HalfWords())}
		for i := range s.Words {
			s.Words[i] = x.Rand.Uint32()
			s.Results[i] = lookup.Result{Hit: x.Rand.Float64() < hot, Way: x.Rand.IntN(x.p.Ways)}
		}
		if err := x.execute(c, s); err != nil {
			return err
		}
	}
	return nil
}

// rest checks that no register changes once nothing arrives.
func (x *dispatching) rest() error {
	for range 10 {
		if err := x.cycle(); err != nil {
			return err
		}
	}
	return dispatchtest.Quiet(x.Bench)
}

// configure writes all registers.
func (x *dispatching) configure(r *dispatch.RegisterModel) error {
	write := func(index int, v uint64) arch.Command {
		return arch.Command{Opcode: arch.SWrite, Operand1: uint64(index), Operand2: v}
	}
	list := []arch.Command{
		write(arch.RegSlots, uint64(r.Slots)), write(arch.RegTables, uint64(r.Tables)), write(arch.RegRowLog2, uint64(r.RowLog2)),
		write(arch.RegGPUs, uint64(r.GPUs)), write(arch.RegScale, uint64(math.Float32bits(r.Scale))),
	}
	for t, base := range r.TableBase {
		list = append(list, write(arch.RegTable+t, base))
	}
	for i, s := range r.SlotTable {
		list = append(list, write(arch.RegSlot+i, uint64(s.Base)|uint64(s.Table)<<arch.SlotTableLo|bench.Bit(s.First)<<arch.SlotFirstBit|bench.Bit(s.Last)<<arch.SlotLastBit))
	}
	for g := range r.Hot {
		list = append(list, write(arch.RegHot+g, r.Hot[g]), write(arch.RegPooled+g, r.Pooled[g]), write(arch.RegGrad+g, r.Grad[g]), write(arch.RegMailbox+g, r.Mailbox[g]))
	}
	for _, c := range list {
		if err := x.execute(c, dispatch.Environment{}); err != nil {
			return err
		}
	}
	return nil
}

// random returns a random command, mostly a legal one.
func (x *dispatching) random() (c arch.Command, s dispatch.Environment) {
	r, m := x.Rand, x.model
	opcodes := []arch.Opcode{arch.DMARead, arch.DMAWrite, arch.VAdd, arch.VMul, arch.SWrite, arch.GPURead, arch.Learn, arch.Classify, arch.Classify,
		arch.Gather, arch.Gather, arch.Update, arch.HotSet, arch.Fence, 0, 7, arch.Opcode(r.Uint32())}
	if m.RowsAhead > 0 && r.IntN(3) > 0 {
		opcodes = []arch.Opcode{arch.VAdd, arch.VMul}
	}
	c = arch.Command{Opcode: opcodes[r.IntN(len(opcodes))], Flags: uint8(r.Uint32()), Operand1: r.Uint64(), Operand2: r.Uint64(), Operand3: r.Uint64() &^ 63}
	switch c.Opcode {
	case arch.DMARead, arch.DMAWrite:
		c.Operand1, c.Operand2 = c.Operand1&^3, 1<<m.RowLog2
	case arch.HotSet:
		c.Operand1 &^= 3
	case arch.GPURead:
		c.Operand1, c.Operand2 = r.Uint64N(uint64(x.p.GPUs)), r.Uint64N(uint64(x.p.Blocks))
	case arch.SWrite:
		c.Operand1 = dispatchtest.RandomIndex(r, x.p)
		c.Operand2 = dispatchtest.RandomValue(r, x.p, c.Operand1)
		if c.Operand1 == arch.RegSlots && r.IntN(2) == 0 {
			c.Operand2 = uint64(dispatch.LeastSlots(x.p) + r.IntN(x.p.Slots-dispatch.LeastSlots(x.p)+1))
		}
	case arch.Learn, arch.Classify:
		c.Operand1, c.Operand2 = r.Uint64()>>1&^63, uint64(x.inputs(m.Slots))
	case arch.Update:
		c.Operand1, c.Operand2 = r.Uint64()>>1&^63, uint64(x.inputs(sizes.EntryWords))
	case arch.Gather:
		x.gatherable(&c)
	}
	x.spoil(&c)
	return c, x.surround(c)
}

// inputs returns a random number of inputs, or list entries, of each words.
func (x *dispatching) inputs(each int) int {
	most := x.p.HalfWords() / max(1, each)
	return []int{most, 1 + x.Rand.IntN(min(20, most)), 1 + x.Rand.IntN(most)}[x.Rand.IntN(3)]
}

// gatherable changes c, a gather, so that its inputs have been classified and are still in the
// half, if there are any.
func (x *dispatching) gatherable(c *arch.Command) {
	for range 2 {
		if n := x.model.Inputs(int(c.Flags & 1)); n > 0 {
			c.Operand2 = uint64(1 + x.Rand.IntN(n))
			return
		}
		c.Flags ^= 1
	}
	c.Operand2 = 1
}

// spoil sometimes makes an operand illegal.
func (x *dispatching) spoil(c *arch.Command) {
	r := x.Rand
	if r.IntN(6) > 0 {
		return
	}
	switch r.IntN(6) {
	case 0:
		c.Operand1 |= 1 << r.IntN(64)
	case 1:
		c.Operand2 |= 1 << r.IntN(64)
	case 2:
		c.Operand2 = []uint64{0, 1, uint64(x.p.HalfWords()), uint64(x.p.HalfWords()) + 1, uint64(x.p.HalfWords()/2 + 1)}[r.IntN(5)]
	case 3:
		c.Operand1 = uint64(x.p.GPUs)
	case 4:
		c.Operand2++
	case 5:
		c.Operand3 |= 1 << r.IntN(6)
	}
}

// surround returns a random behaviour of the other blocks.
func (x *dispatching) surround(c arch.Command) dispatch.Environment {
	r := x.Rand
	var s dispatch.Environment
	if x.model.Check(c) != arch.StatusOK {
		return s
	}
	if waits(c.Opcode) && r.IntN(8) == 0 {
		s.Error = arch.DMAError(1 + r.IntN(11))
	}
	each := x.model.Slots
	switch c.Opcode {
	case arch.HotSet:
		s.EAL = dispatchtest.SomeBlocks(r, x.p, []int{1, 2, 50}[r.IntN(3)])
	case arch.Update:
		each = sizes.EntryWords
		fallthrough
	case arch.Learn, arch.Classify:
		s.NoLoad = s.Error != 0 && (c.Opcode == arch.Learn || r.IntN(2) == 0) // the only reads of a learn are its load
		s.Words = make([]uint32, int(c.Operand2)*each)
		s.Results = make([]lookup.Result, len(s.Words))
		for i := range s.Words {
			s.Words[i] = r.Uint32() & uint32(math.MaxUint32>>r.IntN(32))
			s.Results[i] = lookup.Result{Hit: r.IntN(each+1) > 0, Way: r.IntN(x.p.Ways)}
		}
	}
	return s
}

// checkRanges tries every command with each register and operand at and beyond the bounds of its
// range.
func checkRanges(d *ir.Design, p arch.Params, seed uint64) error {
	x, err := newDispatching(d, p, seed)
	if err != nil {
		return err
	}
	r := dispatchtest.RandomRegisters(x.Rand, p)
	if err := x.configure(r); err != nil {
		return err
	}
	all := []arch.Opcode{arch.DMARead, arch.DMAWrite, arch.VAdd, arch.VMul, arch.GPURead, arch.Learn, arch.Classify, arch.Gather, arch.Update, arch.HotSet, arch.Fence}
	for register, values := range map[uint64][]int{
		arch.RegSlots:   {0, dispatch.LeastSlots(p) - 1, dispatch.LeastSlots(p), p.Slots, p.Slots + 1},
		arch.RegTables:  {0, p.Tables, p.Tables + 1},
		arch.RegGPUs:    {0, 1, p.GPUs, p.GPUs + 1},
		arch.RegRowLog2: {0, sizes.LeastRowLog2(p.Stream()) - 1, sizes.LeastRowLog2(p.Stream()), sizes.MostRowLog2(p.VectorValues), sizes.MostRowLog2(p.VectorValues) + 1},
	} {
		for _, v := range values {
			if err := x.execute(arch.Command{Opcode: arch.SWrite, Operand1: register, Operand2: uint64(v)}, dispatch.Environment{}); err != nil {
				return err
			}
			for _, o := range all {
				if err := x.attempt(arch.Command{Opcode: o, Operand2: x.operand2(o)}); err != nil {
					return err
				}
			}
		}
		if err := x.configure(r); err != nil {
			return err
		}
	}
	return x.operands()
}

// operand2 returns a legal second operand.
func (x *dispatching) operand2(o arch.Opcode) uint64 {
	if o == arch.DMARead || o == arch.DMAWrite {
		return 1 << x.model.RowLog2
	}
	return 1
}

// operands tries operands at and beyond the bounds of their ranges.
func (x *dispatching) operands() error {
	half := uint64(x.p.HalfWords())
	if err := x.execute(arch.Command{Opcode: arch.SWrite, Operand1: arch.RegSlots, Operand2: uint64(dispatch.LeastSlots(x.p))}, dispatch.Environment{}); err != nil {
		return err
	}
	for _, o := range []arch.Opcode{arch.Learn, arch.Classify, arch.Gather, arch.Update} {
		each := uint64(x.model.Slots)
		if o == arch.Update {
			each = sizes.EntryWords
		}
		for _, n := range []uint64{0, half / each, half/each + 1, half, 1<<sizes.HalvesOf(x.p).InputsBits() | 1, 1 << 32, 1 << 63} {
			if err := x.attempt(arch.Command{Opcode: o, Operand2: n}); err != nil {
				return err
			}
		}
	}
	for _, c := range []arch.Command{
		{Opcode: arch.GPURead, Operand1: uint64(x.p.GPUs - 1)}, {Opcode: arch.GPURead, Operand1: uint64(x.p.GPUs)}, {Opcode: arch.GPURead, Operand1: 16},
		{Opcode: arch.GPURead, Operand2: uint64(x.p.Blocks - 1)}, {Opcode: arch.GPURead, Operand2: uint64(x.p.Blocks)}, {Opcode: arch.GPURead, Operand2: 1 << 63},
		{Opcode: arch.DMARead, Operand2: 2 << x.model.RowLog2}, {Opcode: arch.DMAWrite, Operand2: 3 << x.model.RowLog2}, {Opcode: arch.DMARead, Operand2: 1 << 40},
		{Opcode: arch.SWrite, Operand1: 1 << 10}, {Opcode: arch.SWrite, Operand1: arch.RegCount}, {Opcode: arch.SWrite, Operand1: arch.RegScale, Operand2: 1 << 32},
		{Opcode: 0}, {Opcode: 0x16}, {Opcode: 0xff},
	} {
		if err := x.attempt(c); err != nil {
			return err
		}
	}
	return x.attempt(arch.Command{Opcode: arch.Fence})
}

// attempt executes a command, preceded by the commands that it depends on. It consumes rows that
// the command leaves ahead.
func (x *dispatching) attempt(c arch.Command) error {
	list := []arch.Command{c}
	switch x.model.Check(c) {
	case arch.StatusNoInputs:
		list = []arch.Command{c, {Opcode: arch.Classify, Flags: c.Flags, Operand2: c.Operand2}, c}
	case arch.StatusNoRow, arch.StatusNoVector:
		row := arch.Command{Opcode: arch.DMARead, Operand2: 1 << x.model.RowLog2}
		list = []arch.Command{c, row, c, row, {Opcode: arch.VMul}, row, c}
	}
	for _, c := range list {
		if err := x.execute(c, x.surround(c)); err != nil {
			return err
		}
	}
	for x.model.RowsAhead > 0 {
		if err := x.execute(arch.Command{Opcode: arch.VMul}, dispatch.Environment{}); err != nil {
			return err
		}
	}
	return nil
}

func TestRanges(t *testing.T) {
	for _, p := range dispatchtest.Sizes {
		d, err := hw.Elaborate(dispatch.Of(p.Params))
		require.NoError(t, err)
		require.NoError(t, checkRanges(d, p.Params, 1), p.Name)
	}
}

// TestCheck checks the statuses of Model.Check, and of the hardware, against a table.
func TestCheck(t *testing.T) {
	p := dispatchtest.Tiny // 4 engines, 8 slots, 4 tables, 4 GPUs, 256 words in a half, rows of 16 to 128 bytes
	m := dispatch.NewModel(p)
	d, err := hw.Elaborate(dispatch.Of(p))
	require.NoError(t, err)
	x, err := newDispatching(d, p, 1)
	require.NoError(t, err)
	for _, c := range append(bases(), set(arch.RegSlots, 5), set(arch.RegTables, 4), set(arch.RegGPUs, 4), set(arch.RegRowLog2, 6)) {
		require.True(t, m.Write(c.Operand1, c.Operand2))
		require.NoError(t, x.execute(c, dispatch.Environment{}))
	}
	for _, c := range []struct {
		arch.Command
		status arch.Status
	}{
		{arch.Command{Opcode: arch.Learn, Operand2: 51}, 0},
		{arch.Command{Opcode: arch.Learn, Operand2: 52}, 34},
		{arch.Command{Opcode: arch.Classify, Operand2: 51}, 0},
		{arch.Command{Opcode: arch.Gather, Operand2: 0}, 34},
		{arch.Command{Opcode: arch.Update, Operand2: 128}, 0},
		{arch.Command{Opcode: arch.Update, Operand2: 129}, 34},
		{arch.Command{Opcode: arch.DMARead, Operand2: 64}, 0},
		{arch.Command{Opcode: arch.DMAWrite, Operand2: 60}, 34},
		{arch.Command{Opcode: arch.GPURead, Operand1: 3, Operand2: 255}, 0},
		{arch.Command{Opcode: arch.GPURead, Operand1: 4}, 34},
		{arch.Command{Opcode: arch.GPURead, Operand2: 256}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegTable + 3, Operand2: 1 << 63}, 0},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegTable + 4}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegSlot + 7, Operand2: 0x303_00001FFF}, 0},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegSlot + 7, Operand2: 0x303_00002000}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegSlot + 7, Operand2: 0x304_00000000}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegSlot + 7, Operand2: 0x400_00000000}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegSlot + 8}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegScale, Operand2: 1 << 32}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegGPUs, Operand2: 8}, 34},
		{arch.Command{Opcode: arch.HotSet}, 0},
		{arch.Command{Opcode: arch.Fence}, 0},
		{arch.Command{Opcode: 0}, 32},
		{arch.Command{Opcode: 0x16}, 32},
		{arch.Command{Opcode: arch.DMARead, Operand1: 2, Operand2: 64}, 34},
		{arch.Command{Opcode: arch.DMAWrite, Operand1: 1, Operand2: 64}, 34},
		{arch.Command{Opcode: arch.Learn, Operand1: 2, Operand2: 1}, 34},
		{arch.Command{Opcode: arch.Classify, Operand1: 3, Operand2: 1}, 34},
		{arch.Command{Opcode: arch.Classify, Operand2: 1, Operand3: 2}, 34},
		{arch.Command{Opcode: arch.Update, Operand1: 1, Operand2: 1}, 34},
		{arch.Command{Opcode: arch.HotSet, Operand1: 2}, 34},
		{arch.Command{Opcode: arch.HotSet, Operand1: 1}, 34},
		{arch.Command{Opcode: arch.Learn, Operand1: 4, Operand2: 1}, 0},
		{arch.Command{Opcode: arch.Learn, Operand1: 1, Operand2: 1}, 34},
		{arch.Command{Opcode: arch.Classify, Operand2: 1, Operand3: 4}, 0},
		{arch.Command{Opcode: arch.Classify, Operand2: 1, Operand3: 1}, 34},
		{arch.Command{Opcode: arch.Update, Operand1: 2, Operand2: 1}, 34},
		{arch.Command{Opcode: arch.DMARead, Operand1: 1, Operand2: 64}, 34},
		{arch.Command{Opcode: arch.DMARead, Operand1: 4, Operand2: 64}, 0},
		{arch.Command{Opcode: arch.DMAWrite, Operand1: 2, Operand2: 64}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegPooled, Operand2: 1}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegGrad, Operand2: 2}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegTable, Operand2: 2}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegTable, Operand2: 5}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegHot + 1, Operand2: 2}, 34},
		{arch.Command{Opcode: arch.SWrite, Operand1: arch.RegMailbox + 3, Operand2: 3}, 34},
	} {
		require.Equal(t, c.status, m.Check(c.Command), "%+v", c.Command)
		require.NoError(t, x.attempt(c.Command), "%+v", c.Command)
	}
}
