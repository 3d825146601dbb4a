package kernel

// cut is some bits of a value, moved, and zeros around them.
type cut struct {
	of   Value
	up   int    // by which the bits have moved
	bits uint64 // of the result that are no zeros
	cost int    // of the instructions that make it
}

// cutOf returns v as a cut of the value that its bits come from.
func (s *simplifier) cutOf(v Value) cut {
	if c, ok := s.cut(s.Insts[v]); ok {
		return c
	}
	return cut{of: v, bits: Ones(s.Insts[v].Size)}
}

// cut returns the result of i if that moves or cuts bits.
func (s *simplifier) cut(i Inst) (c cut, ok bool) {
	switch i.Op {
	case And:
		x, bits, ok := s.withConstant(i)
		if !ok {
			return cut{}, false
		}
		c = s.cutOf(x)
		c.bits &= bits
		c.cost += costOf(And, i.Size)
	case Shl, Shr, Resize:
		c = s.cutOf(i.Args[0])
		up := shifted(i)
		c.up += up
		c.bits = moved(c.bits, up) & Ones(i.Size)
		c.cost += costOf(i.Op, max(i.Size, s.Insts[i.Args[0]].Size))
	default:
		return cut{}, false
	}
	return c, true
}

// shifted returns by how many bits an instruction moves its operand up.
func shifted(i Inst) int {
	if i.Op == Shr {
		return -int(i.Imm)
	}
	return int(i.Imm)
}

// costOf returns about what an instruction on words of a size costs: processors have twice as many units for what moves no
// bits.
func costOf(op Op, size int) int {
	if op == And {
		return size
	}
	return 2 * size
}

// moved returns x moved up, or down.
func moved(x uint64, up int) uint64 {
	if up < 0 {
		return x >> -up
	}
	return x << up
}

// least adds the instructions that make those bits of a cut that something asks for, in words of a size, if they cost
// less than those that make it now.
func (s *simplifier) least(c cut, size int, asked uint64) (v Value, ok bool) {
	from := s.Insts[c.of].Size
	cost, in := 0, from // which words it moves in
	if c.up > 0 {
		in = size
	}
	if c.up != 0 {
		cost += costOf(Shl, in)
	}
	if from != size {
		cost += costOf(Resize, max(from, size))
	}
	rest := asked&moved(s.possible(c.of), c.up)&^c.bits != 0
	if rest {
		cost += costOf(And, size)
	}
	if cost >= c.cost {
		return None, false
	}
	s.Size = in
	v = s.Shift(s.Resize(c.of), c.up)
	s.Size = size
	v = s.Resize(v)
	if rest {
		v = s.And(v, c.bits)
	}
	return v, true
}
