package model_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/model"
)

// Memory map: two tables of rows of 16 values in host memory, and the areas of a GPU.
const (
	rowBytes, values            = 64, 16
	words, list, bitmap, hotSet = 0x1000, 0x2000, 0x3000, 0x4000
	tableA, tableB, spare       = 0x10_0000, 0x20_0000, 0x30_0000
	gpu                         = 1 << 40
	hot, pooled, grad, mailbox  = gpu, gpu + 1<<30, gpu + 2<<30, gpu + 3<<30
	firstOfB                    = 1000 // id of row 0 of table B
)

// harness is a model with a memory and registers for two tables.
type harness struct {
	t      *testing.T
	model  *model.Model
	memory dma.Pages
}

func newHarness(t *testing.T) *harness {
	r := &harness{t, model.New(arch.Small()), dma.Pages{}}
	for _, w := range [][2]uint64{
		{arch.RegTable, tableA}, {arch.RegTable + 1, tableB}, {arch.RegHot, hot}, {arch.RegPooled, pooled}, {arch.RegGrad, grad}, {arch.RegMailbox, mailbox},
		{arch.RegSlot, arch.Slot{Table: 0, First: true, Last: true}.Bits()},
		{arch.RegSlot + 1, arch.Slot{Base: firstOfB, Table: 1, First: true}.Bits()}, {arch.RegSlot + 2, arch.Slot{Base: firstOfB, Table: 1, Last: true}.Bits()},
		{arch.RegSlots, 3}, {arch.RegTables, 2}, {arch.RegRowLog2, 6}, {arch.RegGPUs, 1}, {arch.RegScale, uint64(math.Float32bits(-0.5))},
	} {
		r.do(arch.Command{Opcode: arch.SWrite, Operand1: w[0], Operand2: w[1]})
	}
	for i := range uint64(50) {
		r.fill(tableA+i*rowBytes, float32(i))
		r.fill(tableB+i*rowBytes, float32(100+i))
	}
	return r
}

// fill sets value k of a row to first + k/16.
func (r *harness) fill(addr uint64, first float32) {
	var b []byte
	for k := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(first+float32(k)/values))
	}
	r.memory.WriteAt(addr, b)
}

// values returns the values of a row.
func (r *harness) values(addr uint64) (out []float32) {
	for k := range uint64(values) {
		out = append(out, math.Float32frombits(r.word(addr+4*k)))
	}
	return out
}

func (r *harness) word(addr uint64) uint32 {
	var b [4]byte
	r.memory.ReadAt(addr, b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (r *harness) place(addr uint64, list ...uint32) {
	for i, w := range list {
		r.memory.WriteAt(addr+uint64(4*i), binary.LittleEndian.AppendUint32(nil, w))
	}
}

// do runs a command, which must succeed, and performs its writes.
func (r *harness) do(c arch.Command) model.Outcome {
	o := r.model.Execute(c, r.memory)
	require.Equal(r.t, arch.StatusOK, o.Status, "%v", c)
	for _, w := range o.Writes {
		r.memory.WriteAt(w.Addr, w.Data)
	}
	return o
}

// TestTableI: the commands of Table I read rows when they are requested, and consume them in that
// order.
func TestTableI(t *testing.T) {
	r := newHarness(t)
	r.fill(hot+7*rowBytes, 1000)
	r.do(arch.Command{Opcode: arch.DMARead, Operand1: tableA + 3*rowBytes, Operand2: rowBytes})
	r.do(arch.Command{Opcode: arch.GPURead, Operand2: 7})
	r.fill(tableA+3*rowBytes, -1) // after the read
	r.do(arch.Command{Opcode: arch.VMul, Operand1: uint64(math.Float32bits(2))})
	r.do(arch.Command{Opcode: arch.VAdd})
	o := r.do(arch.Command{Opcode: arch.DMAWrite, Operand1: spare, Operand2: rowBytes})
	require.Len(t, o.Writes, 1)
	for k, v := range r.values(spare) {
		require.Equal(t, 1006+3*float32(k)/values, v)
	}
	refused := r.model.Execute(arch.Command{Opcode: arch.VAdd}, r.memory)
	require.Equal(t, model.Outcome{Status: arch.StatusNoRow}, refused)
}

// TestMiniBatch: the hot set lists the learned rows. Inputs with hot rows only are popular. The
// rows of the other inputs are pooled from GPU and host memory, and cold rows are updated.
func TestMiniBatch(t *testing.T) {
	r := newHarness(t)
	r.place(words, 1, 2, 3, 4, 2, 3) // two inputs, with rows A1 B2 B3 and A4 B2 B3
	require.Equal(t, [2]uint32{6, 0}, r.do(arch.Command{Opcode: arch.Learn, Operand1: words, Operand2: 2}).Values)
	require.Equal(t, [2]uint32{4, 0}, r.do(arch.Command{Opcode: arch.HotSet, Operand1: hotSet}).Values)
	block := map[uint32]uint64{}
	for i := range uint64(4) {
		block[r.word(hotSet+8*i)] = uint64(r.word(hotSet + 8*i + 4))
	}
	require.Len(t, block, 4)
	for _, id := range []uint32{1, 4, firstOfB + 2, firstOfB + 3} {
		require.Contains(t, block, id)
	}
	require.EqualValues(t, math.MaxUint32, r.word(hotSet+8*4), "filled up")
	r.fill(hot+block[4]*rowBytes, 5000)
	r.fill(hot+block[firstOfB+3]*rowBytes, 7000)

	r.place(words, 1, 3, 2, 4, 9, 3) // the second input has a cold row, B9
	require.Equal(t, [2]uint32{1, 6}, r.do(arch.Command{Opcode: arch.Classify, Flags: 1, Operand1: words, Operand2: 2, Operand3: bitmap}).Values)
	require.Equal(t, []uint32{1, 1}, []uint32{r.word(bitmap), r.word(mailbox)})
	o := r.do(arch.Command{Opcode: arch.Gather, Flags: 1, Operand2: 2})
	require.Equal(t, [2]uint32{2, 1}, o.Values)
	require.Equal(t, []uint64{pooled, pooled + rowBytes}, addresses(o.Writes))
	for k := range values {
		x := float32(k) / values
		require.Equal(t, []float32{5000 + x, (109 + x) + (7000 + x)}, []float32{r.values(pooled)[k], r.values(pooled + rowBytes)[k]})
	}

	r.fill(grad, 20)
	r.place(list, 1, 9)
	o = r.do(arch.Command{Opcode: arch.Update, Operand1: list, Operand2: 1})
	require.Equal(t, []uint64{tableB + 9*rowBytes}, addresses(o.Writes))
	for k, v := range r.values(tableB + 9*rowBytes) {
		x := float32(k) / values
		require.Equal(t, (109+x)+(20+x)*-0.5, v)
	}
	require.Equal(t, arch.StatusNoInputs, r.model.Execute(arch.Command{Opcode: arch.Gather, Operand2: 1}, r.memory).Status)
}

func addresses(list []dispatch.Write) (out []uint64) {
	for _, w := range list {
		out = append(out, w.Addr)
	}
	return out
}
