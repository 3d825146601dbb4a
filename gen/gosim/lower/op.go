package lower

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

func (lo *Builder) mux(n *plan.Node) kernel.Value {
	k, c := lo.Kernel, lo.Mask(n.Args[0])
	a, b := n.Args[1], n.Args[2]
	if n.Width == 1 {
		switch {
		case b.Zero():
			return k.Do(kernel.MaskAnd, lo.Mask(a), c)
		case a.Zero():
			return k.Do(kernel.MaskAndNot, lo.Mask(b), c)
		case a.K != nil:
			return k.Do(kernel.MaskOr, c, lo.Mask(b))
		}
		return k.Do(kernel.MaskOr, k.Do(kernel.MaskAnd, lo.Mask(a), c), k.Do(kernel.MaskAndNot, lo.Mask(b), c))
	}
	switch {
	case b.Zero():
		return k.Keep(c, lo.Word(a))
	case a.Zero():
		return k.Keep(k.Do(kernel.MaskNot, c), lo.Word(b))
	}
	return k.Do(kernel.Blend, c, lo.Word(a), lo.Word(b))
}

// bitwise returns an operation of masks alone.
func (lo *Builder) bitwise(n *plan.Node) kernel.Value {
	k := lo.Kernel
	x := lo.Mask(n.Args[0])
	all := func(op kernel.Op) kernel.Value {
		for _, a := range n.Args[1:] {
			x = k.Do(op, x, lo.Mask(a))
		}
		return x
	}
	switch n.Code {
	case ir.Not:
		return k.Do(kernel.MaskNot, x)
	case ir.And, ir.Mul:
		return all(kernel.MaskAnd)
	case ir.Or:
		return all(kernel.MaskOr)
	case ir.Xor, ir.Ne, ir.Add, ir.Sub:
		return all(kernel.MaskXor)
	case ir.Eq:
		return k.Do(kernel.MaskNot, all(kernel.MaskXor))
	case ir.LtU:
		return k.Do(kernel.MaskAndNot, lo.Mask(n.Args[1]), x)
	case ir.LeU:
		return k.Do(kernel.MaskNot, k.Do(kernel.MaskAndNot, x, lo.Mask(n.Args[1])))
	case ir.LtS: // -1 is less than 0
		return k.Do(kernel.MaskAndNot, x, lo.Mask(n.Args[1]))
	case ir.Shl, ir.ShrU:
		return k.Do(kernel.MaskAndNot, x, lo.Mask(n.Args[1]))
	case ir.RedAnd, ir.RedXor, ir.ZExt, ir.SExt, ir.ShrS, ir.Lowest, ir.PopCount:
		return x
	}
	return lo.Fail("%s is not an operation on bits", n.Code)
}

// operations maps operators to the instruction that implements them.
var operations = map[ir.Op]kernel.Op{ir.And: kernel.And, ir.Or: kernel.Or, ir.Xor: kernel.Xor, ir.Add: kernel.Add, ir.Sub: kernel.Sub, ir.Mul: kernel.Mul,
	ir.Shl: kernel.ShlBy, ir.ShrU: kernel.ShrBy, ir.Eq: kernel.Equal, ir.Ne: kernel.NotEqual, ir.LtU: kernel.Less, ir.LeU: kernel.LessEqual}

// compute returns an operation on words.
func (lo *Builder) compute(n *plan.Node) kernel.Value {
	k := lo.Kernel
	x := lo.Whole(n.Args[0])
	switch n.Code {
	case ir.And, ir.Or, ir.Xor:
		for _, a := range n.Args[1:] {
			x = k.Do(operations[n.Code], x, lo.Whole(a))
		}
		return x
	case ir.Not:
		return k.Do(kernel.Xor, x, k.Const(plan.Ones(n.Width)))
	case ir.Add, ir.Sub, ir.Mul:
		return k.And(k.Do(operations[n.Code], x, lo.Whole(n.Args[1])), plan.Ones(n.Width))
	case ir.Shl, ir.ShrU:
		if n.Args[1].Width > k.Size {
			return lo.Fail("an amount of %d bits", n.Args[1].Width)
		}
		return k.And(k.Do(operations[n.Code], x, lo.amount(n)), plan.Ones(n.Width))
	case ir.ShrS:
		up := k.Size - n.Args[0].Width
		return k.And(k.Shift(k.Do(kernel.SarBy, k.Shift(x, up), lo.amount(n)), -up), plan.Ones(n.Width))
	case ir.SExt:
		return lo.extended(n, x)
	case ir.ZExt:
		return x
	case ir.Concat:
		return lo.concat(n)
	case ir.Eq, ir.Ne, ir.LtU, ir.LeU:
		return k.Do(operations[n.Code], x, lo.Whole(n.Args[1]))
	case ir.LtS:
		up := k.Size - n.Args[0].Width
		return k.Do(kernel.LessSigned, k.Shift(x, up), k.Shift(lo.Whole(n.Args[1]), up))
	case ir.RedAnd:
		return k.Do(kernel.Equal, x, k.Const(plan.Ones(n.Args[0].Width)))
	case ir.RedXor:
		return k.Test(k.Do(kernel.Count, x), 1)
	case ir.PopCount:
		return k.Do(kernel.Count, x)
	case ir.Lowest:
		return k.Do(kernel.And, x, k.Do(kernel.Sub, k.Const(0), x))
	case ir.Encode:
		return lo.encode(n, x)
	}
	return lo.Fail("not an operation on words")
}

// amount returns the shift amount of n. A constant amount is limited to the width.
func (lo *Builder) amount(n *plan.Node) kernel.Value {
	if a := n.Args[1]; a.K != nil {
		return lo.Kernel.Const(uint64(plan.ConstantAmount(a.K, n.Args[0].Width)))
	}
	return lo.Whole(n.Args[1])
}

// extended returns x with copies of its top bit.
func (lo *Builder) extended(n *plan.Node, x kernel.Value) kernel.Value {
	k := lo.Kernel
	top := k.Test(x, 1<<(n.Args[0].Width-1))
	return k.Or(x, k.Keep(top, k.Const(plan.Ones(n.Width)&^plan.Ones(n.Args[0].Width))))
}

func (lo *Builder) concat(n *plan.Node) kernel.Value {
	k, at := lo.Kernel, 0
	x := k.Const(0)
	for _, a := range slices.Backward(n.Args) {
		switch {
		case a.K != nil:
			x = k.Or(x, k.Const(a.K[0]<<at))
		case a.Width == 1:
			x = k.Or(x, k.Keep(lo.Mask(a), k.Const(1<<at)))
		default:
			x = k.Or(x, k.Shift(lo.Word(a), at))
		}
		at += a.Width
	}
	return x
}

// encode returns the union of the numbers of the set bits of x.
func (lo *Builder) encode(n *plan.Node, x kernel.Value) kernel.Value {
	k, from := lo.Kernel, n.Args[0].Width
	out := k.Const(0)
	for b := 0; 1<<b < from; b++ {
		bits := uint64(0)
		for i := range from {
			bits |= uint64(i>>b&1) << i
		}
		if n.Width == 1 {
			return k.Test(x, bits)
		}
		out = k.Or(out, k.Keep(k.Test(x, bits), k.Const(1<<b)))
	}
	return out
}
