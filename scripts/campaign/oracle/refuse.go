package oracle

import "slices"

// refusals are the statuses with which the present state has c refused.
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
	return out
}

// outOfRange is the table of status 34.
func (o *Oracle) outOfRange(c *Command) bool {
	op, r, p := c.opcode(), o.regs, o.p
	of := func(ops ...uint8) bool { return slices.Contains(ops, op) }
	n, l, half := c.operand(2), r.slots(), uint64(p.HalfWords())
	row := r.rowBytes()
	switch {
	case of(Learn, Classify, Gather) && (n < 1 || l < uint64(p.Engines/4) || l > uint64(p.Slots) || n > half/max(l, 1)),
		of(Update) && (n < 1 || n > half/2),
		of(Gather, Update) && r.gpus() < 1,
		of(Gather) && r.tables() > uint64(p.Tables),
		of(Classify, Gather, Update) && r.gpus() > uint64(p.GPUs),
		of(Gather, Update, DMARead, DMAWrite, VAdd, VMul, GPURead) && (row < uint64(p.StreamBytes()) || row > uint64(4*p.VectorValues)),
		of(DMARead, DMAWrite) && c.operand(2) != row,
		of(GPURead) && (c.operand(1) >= uint64(p.GPUs) || c.operand(2) >= uint64(p.Blocks)),
		of(SWrite) && !holds(p, c.operand(1), c.operand(2)),
		of(DMARead, DMAWrite, Learn, Classify, Update, HotSet) && c.operand(1)%4 != 0,
		of(Classify) && c.operand(3)%4 != 0:
		return true
	}
	return false
}
