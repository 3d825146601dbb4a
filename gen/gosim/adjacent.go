package gosim

import "github.com/hotline-rtl/hotline/hw/ir"

// wordwise tells whether the elements of each of so many lanes are whole words of
// storage, one lane after the other.
func (l *list) wordwise(lanes int) bool {
	size := l.v.laneBits()
	if size == 0 || l.stride != 1 || l.n*size%64 != 0 {
		return false
	}
	for lane := range lanes {
		if l.base.at(lane) != lane*l.n {
			return false
		}
	}
	return true
}

// adjacent is the list of the operands of a concatenation if they follow each
// other in storage without gaps; else nil.
func (n *node) adjacent() *list {
	if n.code != ir.Concat || n.list != nil || len(n.args) < 2 || n.args[0].v == nil {
		return nil
	}
	count := len(n.args)
	l := &list{v: n.args[0].v, n: count, stride: 1, base: scaled(count)}
	for k := range count {
		a := n.args[count-1-k] // the most significant stands first
		if a.v != l.v || a.table != nil || a.width != l.v.laneBits() {
			return nil
		}
		for lane := range n.lanes {
			if a.at.at(lane) != lane*count+k {
				return nil
			}
		}
	}
	if !l.wordwise(n.lanes) {
		return nil
	}
	return l
}
