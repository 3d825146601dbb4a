package gosim

import "github.com/hotline-rtl/hotline/hw/ir"

// vectorable tells whether kernels have what n does, evaluated lane by lane.
func (n *node) vectorable() bool {
	switch {
	case n.lanes < fewestLanes || n.code == ir.DivU || n.code == ir.ModU:
		return false
	case n.wide():
		return n.woven()
	case n.code == ir.MemRead:
		return n.mem.width <= 64 && n.args[0].width <= 32
	case n.list != nil:
		l := n.list
		return l.inRow(n) || few[n.code] && l.n <= fewElements || n.code == ir.Concat && l.wordwise(n.lanes) && l.v.width == l.v.laneBits()
	case n.code == ir.Slice:
		return true
	}
	return true
}

// inRow tells whether n joins bits that follow each other, few enough for a word wherever they
// begin in a byte.
func (l *list) inRow(n *node) bool {
	return n.code == ir.Concat && l.v.bits() && l.v.port == "" && l.stride == 1 && n.width <= 57
}

// fewElements are so few that an operation takes them one by one.
const fewElements = 8

// few are the operators that do.
var few = map[ir.Op]bool{ir.Elem: true, ir.Select: true, ir.Or: true, ir.EqLanes: true}

// mostWords is the greatest number of words of a lane in a kernel.
const mostWords = 4

// wide tells whether n has a value of more than 64 bits, and does more with it than take a few of
// its bits from memory.
func (n *node) wide() bool {
	if n.code == ir.Slice && n.width <= 64 {
		return false
	}
	if n.width > 64 || n.list != nil && n.list.v.width > 64 {
		return true
	}
	for _, a := range n.args {
		if a.width > 64 {
			return true
		}
	}
	return false
}

// wideOps are the operators that kernels have for wide values.
var wideOps = map[ir.Op]bool{ir.And: true, ir.Or: true, ir.Xor: true, ir.Not: true, ir.Mux: true, ir.Shl: true, ir.ShrU: true, ir.Slice: true,
	ir.Concat: true, ir.ZExt: true, ir.Eq: true, ir.Ne: true, ir.RedAnd: true, ir.RedXor: true, ir.PopCount: true}

// woven tells whether kernels have what n does with wide values.
func (n *node) woven() bool {
	if l := n.list; l != nil && !(n.code == ir.Or && l.n <= fewElements || n.code == ir.Concat && l.wordwise(n.lanes) && l.v.width == l.v.laneBits()) {
		return false
	}
	if !wideOps[n.code] || n.width > 64*mostWords || n.nout > 1 || n.mem != nil {
		return false
	}
	for _, a := range n.args {
		if a.width > 64*mostWords {
			return false
		}
	}
	switch n.code {
	case ir.Slice:
		return n.lo.constant()
	case ir.Shl, ir.ShrU:
		return n.args[1].width <= 64 || n.args[1].k != nil
	}
	return true
}

// fewestLanes is how many a kernel has at least.
const fewestLanes = 4
