package accel

import (
	"math"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
)

// execute carries out the command.
func (a *Accel) execute() {
	c := a.now.cmd
	if !c.intact {
		a.refuse(driver.StatusCRC)
		return
	}
	switch c.opcode {
	case driver.OpDMARead:
		a.readDirect(c.operand[0])
	case driver.OpGPURead:
		a.readDirect(a.hotRow(int(c.operand[0])%a.p.GPUs, uint32(c.operand[1])))
	case driver.OpVAdd:
		a.operate(func(row []byte) {
			if c.flag {
				a.row().load(row)
			} else {
				a.row().add(row)
			}
		})
	case driver.OpVMul:
		a.operate(func(row []byte) { a.row().mul(row, math.Float32frombits(uint32(c.operand[0]))) })
	case driver.OpDMAWrite:
		a.csrs.rowsWritten++
		a.write(c.operand[0], a.row())
		a.finish(0)
	case driver.OpSWrite:
		if c.operand[0] < uint64(len(a.regs)) {
			a.regs[c.operand[0]] = c.operand[1]
		}
		a.finish(0)
	case driver.OpLearn, driver.OpClassify:
		a.ranged(c, a.slots(), a.sweep)
	case driver.OpGather:
		a.ranged(c, a.slots(), a.gather)
	case driver.OpUpdate:
		a.ranged(c, entryWords, a.update)
	case driver.OpHotSet:
		a.whenReady(a.hotSet)
	case driver.OpFence:
		a.finish(0)
	default:
		a.refuse(driver.StatusOpcode)
	}
}

// refuse ends a command that cannot be executed.
func (a *Accel) refuse(status uint8) {
	a.now.status = status
	a.finish(0)
}

// finish ends the command as soon as its writes have left, but not before time
// t.
func (a *Accel) finish(t node.Time) {
	over := func() {
		a.now.over = true
		a.settle()
	}
	if t <= a.k.Now() {
		over()
		return
	}
	a.k.At(t, over)
}

// ranged runs f with the number of inputs, or list entries, of perInput words
// each, if they fit into a half.
func (a *Accel) ranged(c command, perInput int, f func(n int)) {
	n := c.operand[1]
	fits := n > 0 && n <= uint64(a.p.HalfWords()) && int(n)*perInput <= a.p.HalfWords()
	if c.opcode != driver.OpUpdate {
		fits = fits && perInput >= a.p.leastSlots() && perInput <= a.p.Slots
	}
	if !fits {
		a.refuse(driver.StatusRange)
		return
	}
	a.whenReady(func() { f(int(n)) })
}

// whenReady runs f once the EAL is cleared.
func (a *Accel) whenReady(f func()) { a.k.At(max(a.k.Now(), a.csrs.ready), f) }

// What s_wr has set.

func (a *Accel) slots() int  { return int(a.regs[driver.RegSlots] & 0xffff) }
func (a *Accel) tables() int { return int(a.regs[driver.RegTables] & 0xffff) }
func (a *Accel) gpus() int   { return min(max(1, int(a.regs[driver.RegGPUs]&0xff)), a.p.GPUs) }

// rowLog2 is bounded by what the reducer can hold: from one beat to the whole
// buffer.
func (a *Accel) rowLog2() int {
	n := int(a.regs[driver.RegRowLog2] & 0xf)
	return min(max(n, log2(a.p.StreamBytes)), log2(len(a.buffer)))
}

// row is the part of the vector buffer that a row fills.
func (a *Accel) row() vector { return a.buffer[:1<<a.rowLog2()] }

// hotRow is where a GPU keeps the row of a block.
func (a *Accel) hotRow(gpu int, block uint32) uint64 {
	return a.regs[driver.RegHot+gpu] + uint64(block)<<a.rowLog2()
}

// coldRow is where the host keeps a row.
func (a *Accel) coldRow(table int, index uint32) uint64 {
	return a.regs[driver.RegTable+table%a.p.Tables] + uint64(index)<<a.rowLog2()
}
