package kernel

import (
	"maps"
	"math/bits"
	"slices"
)

// Simplify reduces the number of instructions of k and preserves its results. It removes masks of
// bits that are zero or not needed, combines shifts, and tests bits at their original position.
func (k *Kernel) Simplify() {
	for range 2 { // tests need fewer bits than the comparisons that they replace
		s := &simplifier{Kernel: k, asked: k.asked()}
		s.remake()
	}
}

// simplifier rebuilds the instructions of a kernel. A rebuilt value has the same bits as the
// original wherever they are needed.
type simplifier struct {
	*Kernel
	asked []uint64 // bits of values before
	maybe []uint64 // bits of values now that may be set
}

// remake rebuilds each instruction whose result is needed.
func (s *simplifier) remake() {
	old, size := s.Insts, s.Size
	s.Insts, s.known = make([]Inst, 0, len(old)), make(map[key]Value, len(old))
	now := make([]Value, len(old))
	var outside map[key]Value
	for v, i := range old {
		if i.Op.result() && s.asked[v] == 0 {
			continue
		}
		if i.Size > 0 {
			s.Size = i.Size
		}
		i.Args = slices.Clone(i.Args)
		for n, a := range i.Args {
			if i.Args[n] = now[a]; s.asked[a] == 0 {
				i.Args[n] = s.Const(0) // as good as any
			}
		}
		switch i.Op {
		case Begin:
			outside = maps.Clone(s.known)
		case End:
			s.known = outside
		}
		now[v] = s.simpler(i, s.asked[v])
	}
	s.Size = size
}

// simpler adds a value with the needed bits of the result of an instruction.
func (s *simplifier) simpler(i Inst, asked uint64) Value {
	if i.Op.result() && !i.Op.mask() && s.result(i)&asked == 0 {
		return s.Const(0)
	}
	switch i.Op {
	case And, Shl, Shr, Resize:
		if c, ok := s.cut(i); ok {
			if v, ok := s.least(c, i.Size, asked); ok {
				return v
			}
		}
	case Or:
		return s.Or(i.Args[0], i.Args[1])
	case MaskAnd, MaskAndNot, MaskNot:
		return s.Do(i.Op, i.Args...)
	case Test:
		return s.tested(i.Args[0], i.Imm)
	case Equal, NotEqual:
		x, c, ok := s.withConstant(i)
		if _, both := s.Constant(x); !ok || c != 0 || both {
			break
		}
		m := s.tested(x, s.ones())
		if i.Op == Equal {
			m = s.Do(MaskNot, m)
		}
		return m
	}
	return s.add(i)
}

// withConstant returns the operands of an instruction if one of them is a constant.
func (k *Kernel) withConstant(i Inst) (x Value, c uint64, ok bool) {
	if len(i.Args) != 2 {
		return None, 0, false
	}
	if c, ok := k.Constant(i.Args[1]); ok {
		return i.Args[0], c, true
	}
	c, ok = k.Constant(i.Args[0])
	return i.Args[1], c, ok
}

// tested returns a mask of the lanes in which x has one of some bits set. It tests the value from
// which x takes these bits.
func (s *simplifier) tested(x Value, some uint64) Value {
	c := s.cutOf(x)
	some = moved(some&c.bits, -c.up)
	s.Size = s.Insts[c.of].Size
	switch possible := s.possible(c.of); {
	case possible&some == 0:
		return s.Do(NotEqual, s.Const(0), s.Const(0))
	case possible&^some == 0:
		some = s.ones()
	}
	return s.Test(c.of, some)
}

// possible returns the bits of a value that may be set.
func (s *simplifier) possible(v Value) uint64 {
	for n := len(s.maybe); n <= int(v); n++ {
		i := s.Insts[n]
		s.maybe = append(s.maybe, s.result(i)&Ones(i.Size))
	}
	return s.maybe[v]
}

// result returns a superset of the bits of the result of an instruction that may be set.
func (s *simplifier) result(i Inst) uint64 {
	arg := func(n int) uint64 { return s.possible(i.Args[n]) }
	switch i.Op {
	case Const:
		return i.Imm
	case Load, Pick, Splat, Gather:
		return Ones(i.At.Size)
	case And:
		return arg(0) & arg(1)
	case Or, Xor:
		return arg(0) | arg(1)
	case Keep:
		return arg(1)
	case Blend:
		return arg(1) | arg(2)
	case Resize:
		return arg(0)
	case Shl:
		return arg(0) << i.Imm
	case Shr:
		return arg(0) >> i.Imm
	case ShrBy:
		return upTo(arg(0))
	case Count, LeadingZeros:
		return upTo(uint64(i.Size))
	case Add:
		if sum, carry := bits.Add64(arg(0), arg(1), 0); carry == 0 {
			return upTo(sum)
		}
	case Mul:
		if high, product := bits.Mul64(arg(0), arg(1)); high == 0 {
			return upTo(product)
		}
	}
	return ^uint64(0)
}

// upTo returns the bits that occur in the numbers up to x.
func upTo(x uint64) uint64 { return Ones(bits.Len64(x)) }

// asked returns the bits of each value that are needed.
func (k *Kernel) asked() []uint64 {
	asked := make([]uint64, len(k.Insts))
	for v := len(k.Insts) - 1; v >= 0; v-- {
		i := k.Insts[v]
		if i.Op.result() && asked[v] == 0 {
			continue
		}
		for n, a := range i.Args {
			if k.IsMask(a) {
				asked[a] = 1
			} else {
				asked[a] |= k.asks(i, n, asked[v]) & Ones(k.Insts[a].Size)
			}
		}
	}
	return asked
}

// asks returns the bits of an operand that an instruction needs, given the needed bits of its
// result.
func (k *Kernel) asks(i Inst, operand int, some uint64) uint64 {
	switch i.Op {
	case And:
		if c, ok := k.Constant(i.Args[1-operand]); ok {
			some &= c
		}
		return some
	case Or:
		if x, c, ok := k.withConstant(i); ok && x == i.Args[operand] && x != i.Args[1-operand] {
			some &^= c
		}
		return some
	case Xor, Keep, Blend, Resize:
		return some
	case Add, Sub, Mul:
		return upTo(some)
	case Shl:
		return some >> i.Imm
	case Shr:
		return some << i.Imm
	case Test:
		return i.Imm
	case Store:
		if i.Group < 0 {
			return Ones(i.At.Size)
		}
	}
	return ^uint64(0)
}
