package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// Vectorable reports whether kernels support n, evaluated lane by lane.
func (n *Node) Vectorable() bool {
	switch {
	case n.Lanes < FewestLanes || n.Code == ir.DivU || n.Code == ir.ModU:
		return false
	case n.Wide():
		return n.Woven()
	case n.Code == ir.MemRead:
		return n.Mem.Width <= 64 && n.Args[0].Width <= 32
	case n.List != nil:
		l := n.List
		return l.InRow(n) || Few[n.Code] && l.N <= FewElements || n.Code == ir.Concat && l.Wordwise(n.Lanes) && l.V.Width == l.V.LaneBits()
	case n.Code == ir.Slice:
		return true
	}
	return true
}

// InRow reports whether n joins consecutive bits, few enough to fit in a word wherever they begin
// in a byte.
func (l *List) InRow(n *Node) bool {
	return n.Code == ir.Concat && l.V.Bits() && l.V.Port == "" && l.Stride == 1 && n.Width <= 57
}

// FewElements is the maximum number of elements that an operation handles one by one.
const FewElements = 8

// Few contains the operators that handle a short list of elements one by one.
var Few = map[ir.Op]bool{ir.Elem: true, ir.Select: true, ir.Or: true, ir.EqLanes: true}

// mostWords is the maximum number of words of a lane in a kernel.
const mostWords = 4

// Wide reports whether n has a value of more than 64 bits, and does more than extract a few of its
// bits from memory.
func (n *Node) Wide() bool {
	if n.Code == ir.Slice && n.Width <= 64 {
		return false
	}
	if n.Width > 64 || n.List != nil && n.List.V.Width > 64 {
		return true
	}
	for _, a := range n.Args {
		if a.Width > 64 {
			return true
		}
	}
	return false
}

// wideOps contains the operators that kernels support for wide values.
var wideOps = map[ir.Op]bool{ir.And: true, ir.Or: true, ir.Xor: true, ir.Not: true, ir.Mux: true, ir.Shl: true, ir.ShrU: true, ir.Slice: true,
	ir.Concat: true, ir.ZExt: true, ir.Eq: true, ir.Ne: true, ir.RedAnd: true, ir.RedXor: true, ir.PopCount: true}

// Woven reports whether kernels support n, which has wide values.
func (n *Node) Woven() bool {
	if l := n.List; l != nil && !(n.Code == ir.Or && l.N <= FewElements || n.Code == ir.Concat && l.Wordwise(n.Lanes) && l.V.Width == l.V.LaneBits()) {
		return false
	}
	if !wideOps[n.Code] || n.Width > 64*mostWords || n.Nout > 1 || n.Mem != nil {
		return false
	}
	for _, a := range n.Args {
		if a.Width > 64*mostWords {
			return false
		}
	}
	switch n.Code {
	case ir.Slice:
		return n.Lo.Constant()
	case ir.Shl, ir.ShrU:
		return n.Args[1].Width <= 64 || n.Args[1].K != nil
	}
	return true
}

// FewestLanes is the minimum number of lanes of a kernel.
const FewestLanes = 4
