package oracle

import "slices"

// refusals returns the statuses with which c is refused in the current state.
func (o *Oracle) refusals(c *Command) (out []int) {
	add := func(status int, applies bool) {
		if applies {
			out = append(out, status)
		}
	}
	op := c.opcode()
	of := func(ops ...uint8) bool { return slices.Contains(ops, op) }
	_, known := Names[op]
	add(BadOpcode, !known)
	add(OutOfRange, o.outOfRange(c))
	add(TooMany, of(DMARead, GPURead) && len(o.ahead) >= o.p.Tags)
	add(NoRow, of(VAdd, VMul) && len(o.ahead) == 0)
	add(RowAhead, len(o.ahead) > 0 && (of(Learn, Classify, Gather, Update) || op == SWrite && c.operand(1) == RegRowLog2))
	add(Empty, o.buffer == nil && (op == DMAWrite || op == VAdd && c.flag() == 0))
	if op == Gather {
		h := o.halves[c.flag()]
		add(NotHeld, h == nil || c.operand(2) > uint64(h.n))
	}
	add(NoAddress, !o.located(c))
	return out
}

// located reports whether the addresses that c needs have been written since the reset.
func (o *Oracle) located(c *Command) bool {
	r := o.regs
	slots, gpus := func() bool { return r.has(RegSlot, r.slots()) }, func(first uint64) bool { return r.has(first, r.gpus()) }
	switch c.opcode() {
	case GPURead:
		return r.has(RegHot+c.operand(1), 1)
	case Learn:
		return slots()
	case Classify:
		return slots() && gpus(RegMailbox)
	case Gather:
		return slots() && gpus(RegHot) && gpus(RegPooled) && o.slotTables()
	case Update:
		return gpus(RegGrad)
	}
	return true
}

// slotTables reports whether every table to which a slot refers has an address.
func (o *Oracle) slotTables() bool {
	for t := range o.named {
		if !o.Written(RegTable + t) {
			return false
		}
	}
	return true
}

// outOfRange implements the conditions of status 34.
func (o *Oracle) outOfRange(c *Command) bool {
	op, r, p := c.opcode(), o.regs, o.p
	of := func(ops ...uint8) bool { return slices.Contains(ops, op) }
	n, l, half := c.operand(2), r.slots(), uint64(p.HalfWords())
	row := r.rowBytes()
	switch {
	case of(Learn, Classify, Gather) && (n < 1 || l == 0 || n > half/max(l, 1)),
		of(Update) && (n < 1 || n > half/2),
		of(Gather, Update) && r.gpus() < 1,
		of(Gather, Update, DMARead, DMAWrite, VAdd, VMul, GPURead) && !r.has(RegRowLog2, 1),
		of(DMARead, DMAWrite) && c.operand(2) != row,
		of(GPURead) && (c.operand(1) >= uint64(p.GPUs) || c.operand(2) >= uint64(p.Blocks)),
		of(SWrite) && !holds(p, c.operand(1), c.operand(2)),
		of(DMARead, DMAWrite, Learn, Classify, Update, HotSet) && c.operand(1)%4 != 0,
		of(Classify) && c.operand(3)%4 != 0:
		return true
	}
	return false
}
