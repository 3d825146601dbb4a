package accel

import (
	"math"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
)

// execute carries out the command.
func (a *Accel) execute() {
	c := a.now.cmd
	if status := a.verdict(c); status != driver.StatusOK {
		a.refuse(status)
		return
	}
	n := int(c.operand[1])
	switch c.opcode {
	case driver.OpDMARead:
		a.readDirect(c.operand[0])
	case driver.OpGPURead:
		a.readDirect(a.hotRow(int(c.operand[0]), uint32(c.operand[1])))
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
		a.writeRow(c.operand[0], a.row())
		a.finish(0)
	case driver.OpSWrite:
		a.regs[c.operand[0]] = c.operand[1]
		a.finish(0)
	case driver.OpLearn, driver.OpClassify:
		a.whenReady(func() { a.sweep(n) })
	case driver.OpGather:
		a.gather(n)
	case driver.OpUpdate:
		a.whenReady(func() { a.update(n) })
	case driver.OpHotSet:
		a.whenReady(a.hotSet)
	default:
		a.finish(0)
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
	a.at(t, over)
}

// whenReady runs f once the EAL is cleared.
func (a *Accel) whenReady(f func()) { a.at(max(a.k.Now(), a.csrs.ready), f) }

// What s_wr has set.

func (a *Accel) slots() int   { return int(a.regs[driver.RegSlots]) }
func (a *Accel) tables() int  { return int(a.regs[driver.RegTables]) }
func (a *Accel) gpus() int    { return int(a.regs[driver.RegGPUs]) }
func (a *Accel) rowLog2() int { return int(a.regs[driver.RegRowLog2]) }

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
