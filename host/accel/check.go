package accel

import (
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/host/driver"
)

// verdict is the status with which a command is refused, or driver.StatusOK.
// The least that applies counts.
func (a *Accel) verdict(c command) uint8 {
	switch {
	case c.lost:
		return driver.StatusFetch
	case !c.intact:
		return driver.StatusCRC
	}
	legal, known := a.legal(c)
	switch {
	case !known:
		return driver.StatusOpcode
	case !legal:
		return driver.StatusRange
	}
	return a.conflict(c)
}

// legal tells whether operands and registers are in range, and whether there is
// such an opcode.
func (a *Accel) legal(c command) (legal, known bool) {
	p, n, address := a.p, c.operand[1], c.operand[0]%4 == 0
	fits := func(each int) bool {
		return n > 0 && n <= uint64(p.HalfWords()) && int(n)*each <= p.HalfWords()
	}
	batch := fits(a.slots()) && a.slots() >= p.leastSlots() && a.slots() <= p.Slots
	gpus := a.gpus() <= p.GPUs
	row := a.rowLog2() >= log2(p.StreamBytes) && a.rowLog2() <= log2(len(a.buffer))
	switch c.opcode {
	case driver.OpLearn:
		return batch && address, true
	case driver.OpClassify:
		return batch && address && gpus && c.operand[2]%4 == 0, true
	case driver.OpGather:
		return batch && gpus && a.gpus() > 0 && a.tables() <= p.Tables && row, true
	case driver.OpUpdate:
		return fits(entryWords) && gpus && a.gpus() > 0 && row && address, true
	case driver.OpDMARead, driver.OpDMAWrite:
		return row && address && n == 1<<a.rowLog2(), true
	case driver.OpGPURead:
		return row && c.operand[0] < uint64(p.GPUs) && n < uint64(p.Blocks), true
	case driver.OpVAdd, driver.OpVMul:
		return row, true
	case driver.OpSWrite:
		return a.holds(c.operand[0], c.operand[1]), true
	case driver.OpHotSet:
		return address, true
	}
	return true, c.opcode == driver.OpFence
}

// holds tells whether there is a register of that index which can hold a value.
func (a *Accel) holds(index, value uint64) bool {
	p := a.p
	scalar := func(most int) bool { return bits.Len64(value) <= bits.Len(uint(most)) }
	switch {
	case index < driver.RegSlot:
		return index < uint64(p.Tables) && value%4 == 0
	case index < driver.RegHot:
		id, table := value&math.MaxUint32, int(value>>driver.SlotTableLo&0xff)
		return index-driver.RegSlot < uint64(p.Slots) && id>>p.IDBits() == 0 && table < p.Tables && value>>(driver.SlotLastBit+1) == 0
	case index < driver.RegSlots:
		return index%8 < uint64(p.GPUs) && value%4 == 0
	case index == driver.RegSlots:
		return scalar(p.Slots)
	case index == driver.RegTables:
		return scalar(p.Tables)
	case index == driver.RegRowLog2:
		return scalar(15)
	case index == driver.RegGPUs:
		return scalar(p.GPUs)
	}
	return index == driver.RegScale && value <= math.MaxUint32
}

// conflict is the status with which what earlier commands left refuses one.
func (a *Accel) conflict(c command) uint8 {
	ahead := a.direct.ahead
	switch c.opcode {
	case driver.OpDMARead, driver.OpGPURead:
		if ahead == a.p.Tags {
			return driver.StatusRowsFull
		}
	case driver.OpVAdd, driver.OpVMul:
		if ahead == 0 {
			return driver.StatusNoRow
		}
		if c.opcode == driver.OpVAdd && !c.flag && !a.held {
			return driver.StatusNoVector
		}
	case driver.OpDMAWrite:
		if !a.held {
			return driver.StatusNoVector
		}
	case driver.OpSWrite:
		if ahead > 0 && c.operand[0] == driver.RegRowLog2 {
			return driver.StatusRowsAhead
		}
	case driver.OpLearn, driver.OpClassify, driver.OpUpdate, driver.OpGather:
		if ahead > 0 {
			return driver.StatusRowsAhead
		}
		if c.opcode == driver.OpGather && int(c.operand[1]) > a.halves[c.half].inputs {
			return driver.StatusNoInputs
		}
	}
	return driver.StatusOK
}

// remember notes what the command, which was not refused, leaves behind.
func (a *Accel) remember() {
	c := a.now.cmd
	h := &a.halves[c.half]
	switch c.opcode {
	case driver.OpDMAWrite, driver.OpGather:
		a.held = false
	case driver.OpLearn:
		h.inputs = 0
	case driver.OpUpdate:
		a.held, h.inputs = false, 0
	case driver.OpClassify:
		h.inputs = int(c.operand[1])
		if a.failed() {
			h.inputs = 0
		}
	case driver.OpSWrite:
		switch c.operand[0] {
		case driver.RegSlots:
			a.halves[0].inputs, a.halves[1].inputs = 0, 0
		case driver.RegRowLog2:
			a.held = false
		}
	}
}
