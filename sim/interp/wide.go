package interp

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// wideOp is an operation with a value of more than 64 bits. Its eval computes count results of size
// words each, in consecutive words.
type wideOp struct {
	eval        func(dst []uint64)
	count, size int
}

func (s *Sim) evalWide(in *instr) {
	op := &s.wide[in.imm]
	t := s.temp[:op.count*op.size]
	op.eval(t)
	fans := s.spans[in.fan:]
	for k := range op.count {
		x := t[k*op.size:][:op.size]
		o := int(in.out) + k*op.size
		if old := s.vals[o:][:op.size]; !bv.Equal(x, old) {
			copy(old, x)
			for _, m := range s.marks[fans[k].lo:fans[k].hi] {
				s.pending.add(m)
			}
		}
	}
}

func flag(f func() bool) func([]uint64) { return func(dst []uint64) { dst[0] = bit(f()) } }

// wideOp compiles op.
func (c *compiler) wideOp(op *netlist.Op) wideOp {
	out := wideOp{count: int(op.NOut), size: c.words(op.Out)}
	args := make([][]uint64, len(op.Args))
	for i, n := range op.Args {
		args[i] = c.net(n)
	}
	if out.eval = c.wideScalar(op, args); out.eval == nil {
		out.eval = c.wideListed(op, args)
	}
	if out.eval == nil {
		panic(fmt.Sprintf("interp: operator %s in a flat design", op.Code))
	}
	return out
}

// wideScalar compiles operators with a fixed number of operands.
func (c *compiler) wideScalar(op *netlist.Op, args [][]uint64) func(dst []uint64) {
	w, v := c.width(op.Out), c.width(op.Args[0])
	a := args[0]
	var b []uint64
	if len(args) > 1 {
		b = args[1]
	}
	switch op.Code {
	case ir.Not:
		return func(dst []uint64) { bv.Not(dst, a, w) }
	case ir.RedAnd:
		return flag(func() bool { return bv.AllOnes(a, v) })
	case ir.RedXor:
		return func(dst []uint64) { dst[0] = uint64(bv.PopCount(a) & 1) }
	case ir.Add:
		return func(dst []uint64) { bv.Add(dst, a, b, w) }
	case ir.Sub:
		return func(dst []uint64) { bv.Sub(dst, a, b, w) }
	case ir.Mul:
		return func(dst []uint64) { bv.Mul(dst, a, b, w) }
	case ir.DivU:
		rest := make([]uint64, len(a))
		return func(dst []uint64) { bv.DivMod(dst, rest, a, b, w) }
	case ir.ModU:
		quotient := make([]uint64, len(a))
		return func(dst []uint64) { bv.DivMod(quotient, dst, a, b, w) }
	case ir.And:
		return func(dst []uint64) { bv.And(dst, a, b) }
	case ir.Xor:
		return func(dst []uint64) { bv.Xor(dst, a, b) }
	case ir.Eq:
		return flag(func() bool { return bv.Equal(a, b) })
	case ir.Ne:
		return flag(func() bool { return !bv.Equal(a, b) })
	case ir.LtU:
		return flag(func() bool { return bv.LtU(a, b) })
	case ir.LeU:
		return flag(func() bool { return !bv.LtU(b, a) })
	case ir.LtS:
		return flag(func() bool { return bv.LtS(a, b, v) })
	case ir.Shl, ir.ShrU, ir.ShrS:
		return shift(op.Code, a, b, w)
	case ir.Slice:
		lo := int(op.Lo)
		return func(dst []uint64) { bv.Slice(dst, a, lo, w) }
	case ir.ZExt:
		return func(dst []uint64) { bv.ZExt(dst, a) }
	case ir.SExt:
		return func(dst []uint64) { bv.SExt(dst, a, v, w) }
	case ir.Lowest:
		return func(dst []uint64) { bv.Lowest(dst, a) }
	case ir.Encode:
		return func(dst []uint64) { dst[0] = bv.Encode(a) }
	case ir.PopCount:
		return func(dst []uint64) { dst[0] = uint64(bv.PopCount(a)) }
	}
	return nil
}

func shift(code ir.Op, a, b []uint64, w int) func(dst []uint64) {
	amount := func() int {
		if n, ok := bv.Index(b, w); ok {
			return n
		}
		return w
	}
	switch code {
	case ir.Shl:
		return func(dst []uint64) { bv.Shl(dst, a, amount(), w) }
	case ir.ShrU:
		return func(dst []uint64) { bv.ShrU(dst, a, amount()) }
	}
	return func(dst []uint64) { bv.ShrS(dst, a, amount(), w) }
}

// wideListed compiles operators that select or concatenate.
func (c *compiler) wideListed(op *netlist.Op, args [][]uint64) func(dst []uint64) {
	a, rest := args[0], args[1:]
	size := c.words(op.Out)
	switch op.Code {
	case ir.Mux:
		return func(dst []uint64) {
			if a[0] != 0 {
				copy(dst, rest[0])
			} else {
				copy(dst, rest[1])
			}
		}
	case ir.Or:
		return func(dst []uint64) {
			copy(dst, a)
			for _, x := range rest {
				bv.Or(dst, dst, x)
			}
		}
	case ir.Concat:
		return c.wideConcat(op, args)
	case ir.MemRead:
		m := &c.mems[op.Lo]
		return func(dst []uint64) {
			clear(dst)
			if i, ok := bv.Index(a, m.depth); ok {
				copy(dst, m.word(i))
			}
		}
	case ir.Elem:
		return func(dst []uint64) {
			clear(dst)
			if i, ok := bv.Index(a, len(rest)); ok {
				copy(dst, rest[i])
			}
		}
	case ir.Update:
		return func(dst []uint64) {
			for k, e := range rest[1:] {
				copy(dst[k*size:], e)
			}
			if i, ok := bv.Index(a, len(rest)-1); ok {
				copy(dst[i*size:], rest[0])
			}
		}
	case ir.EqLanes:
		return func(dst []uint64) {
			clear(dst)
			for i, e := range rest {
				if bv.Equal(a, e) {
					bv.SetBit(dst, i)
				}
			}
		}
	case ir.Select:
		return func(dst []uint64) {
			clear(dst)
			for i, e := range rest {
				if bv.Bit(a, i) {
					bv.Or(dst, dst, e)
				}
			}
		}
	case ir.Route:
		n := int(op.NOut)
		return func(dst []uint64) {
			clear(dst)
			for i, e := range rest {
				if d, ok := bv.Index(e, n); ok && bv.Bit(a, i) {
					bv.SetBit(dst[d*size:], i)
				}
			}
		}
	}
	return nil
}

func (c *compiler) wideConcat(op *netlist.Op, args [][]uint64) func(dst []uint64) {
	at, lo := make([]int, len(args)), 0
	for k := len(args) - 1; k >= 0; k-- {
		at[k] = lo
		lo += c.width(op.Args[k])
	}
	widths := make([]int, len(args))
	for k, n := range op.Args {
		widths[k] = c.width(n)
	}
	return func(dst []uint64) {
		clear(dst)
		for k, x := range args {
			bv.Insert(dst, at[k], x, widths[k])
		}
	}
}
