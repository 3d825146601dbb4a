package kernel

// cut is a moved range of bits of a value, surrounded by zeros.
type cut struct {
	of   Value
	up   int    // number of positions by which the bits have moved up
	bits uint64 // bits of the result that may be set
	cost int    // cost of the instructions that compute it
}

// cutOf returns v as a cut of the value from which its bits originate.
func (s *simplifier) cutOf(v Value) cut {
	if c, ok := s.cut(s.Insts[v]); ok {
		return c
	}
	return cut{of: v, bits: Ones(s.Insts[v].Size)}
}

// cut returns the result of i as a cut, if i moves or cuts bits.
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

// shifted returns the number of bits by which an instruction moves its operand up.
func shifted(i Inst) int {
	if i.Op == Shr {
		return -int(i.Imm)
	}
	return int(i.Imm)
}

// costOf returns the approximate cost of an instruction on words of a size. Processors have twice
// as many units for instructions that do not shift.
func costOf(op Op, size int) int {
	if op == And {
		return size
	}
	return 2 * size
}

// moved returns x shifted up, or down if up is negative.
func moved(x uint64, up int) uint64 {
	if up < 0 {
		return x >> -up
	}
	return x << up
}

// least adds the cheapest instructions that compute the requested bits of a cut, in words of a
// size, if they cost less than the present instructions.
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
