package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// Wordwise reports whether the elements of each of the given number of lanes fill whole words of
// storage, one lane after the other.
func (l *List) Wordwise(lanes int) bool {
	size := l.V.LaneBits()
	if size == 0 || l.Stride != 1 || l.N*size%64 != 0 {
		return false
	}
	for lane := range lanes {
		if l.Base.At(lane) != lane*l.N {
			return false
		}
	}
	return true
}

// Adjacent returns the operands of a concatenation as a list if they are contiguous in storage,
// else nil.
func (n *Node) Adjacent() *List {
	if n.Code != ir.Concat || n.List != nil || len(n.Args) < 2 || n.Args[0].V == nil {
		return nil
	}
	count := len(n.Args)
	l := &List{V: n.Args[0].V, N: count, Stride: 1, Base: scaled(count)}
	for k := range count {
		a := n.Args[count-1-k] // the most significant operand is first
		if a.V != l.V || a.Table != nil || a.Width != l.V.LaneBits() {
			return nil
		}
		for lane := range n.Lanes {
			if a.At.At(lane) != lane*count+k {
				return nil
			}
		}
	}
	if !l.Wordwise(n.Lanes) {
		return nil
	}
	return l
}
