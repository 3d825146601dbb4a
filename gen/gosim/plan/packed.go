package plan

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Widest is the maximum size in bits of a lane that is packed. Larger lanes are not worth packing.
const Widest = 32

// pack selects the nodes to evaluate several lanes at a time, in words of lanes of 8, 16 or 32
// bits. It excludes nodes whose packed evaluation would store more than it saves.
func (p *Plan) pack() {
	nodes := p.sorted()
	users := map[*Value][]*Node{}
	for _, n := range nodes {
		n.Uses(func(v *Value, same bool) {
			users[v] = append(users[v], n)
		})
	}
	rooted := map[*Value]bool{}
	p.roots(func(v *Value) { rooted[v] = true })
	for _, n := range nodes {
		if !rooted[n.Out] {
			n.stay(users[n.Out])
		}
	}
	for _, n := range nodes {
		n.elem = n.packable()
	}
	for again := true; again; {
		again = false
		for _, c := range packedParts(nodes, users) {
			stores := map[*Value]bool{}
			for _, n := range c {
				for _, a := range n.Args {
					if a.V != nil && a.V.Node != nil && !rooted[a.V] && a.V.Node.local(users[a.V]) {
						stores[a.V] = true
					}
				}
			}
			if len(c) < 2*len(stores) {
				again = true
				for _, n := range c {
					n.elem = 0
				}
			}
		}
	}
}

// stay keeps fields of lanes in lanes of the same size, if that allows their users to be packed. It
// does not apply to elements of lists, which are faster with small elements, nor to lanes of more
// than 16 bits, of which a word holds too few.
func (n *Node) stay(users []*Node) {
	size := n.fieldOf()
	listed := func(u *Node) bool { return u.List != nil && u.List.V == n.Out }
	if size <= ElemBits(n.Width) || size > 16 || n.Width == 1 || slices.ContainsFunc(users, listed) {
		return
	}
	packable := func() (count int) {
		for _, u := range users {
			if u.packable() > 0 {
				count++
			}
		}
		return count
	}
	before := packable()
	n.Out.Room = size
	if n.packable() == 0 || packable() < max(before, 1) {
		n.Out.Room = 0
	}
}

// fieldOf returns the size of the lanes of which n extracts a field, or 0 if n does something else.
func (n *Node) fieldOf() int {
	if n.Code != ir.Slice || n.Lanes < 8 || n.Args[0].V == nil {
		return 0
	}
	if size := n.Unpacks(); size > 0 || !n.Args[0].Same(n.Lanes) {
		return size
	}
	return n.Args[0].V.LaneBits()
}

// local reports whether n, evaluated lane by lane, would need no storage if it had no packed users.
func (n *Node) local(users []*Node) bool {
	if n.class().kind != Loop {
		return false
	}
	for _, u := range users {
		same := true
		u.Uses(func(v *Value, s bool) {
			if v == n.Out {
				same = same && s
			}
		})
		if !same || u.Lanes != n.Lanes || u.elem == 0 && u.class().kind != Loop {
			return false
		}
	}
	return true
}

// packedParts returns the connected sets of packed nodes.
func packedParts(nodes []*Node, users map[*Value][]*Node) [][]*Node {
	var out [][]*Node
	seen := map[*Node]bool{}
	for _, n := range nodes {
		if n.elem == 0 || seen[n] {
			continue
		}
		part := []*Node{n}
		seen[n] = true
		for i := 0; i < len(part); i++ {
			x := part[i]
			meet := func(y *Node) {
				if y != nil && y.elem == x.elem && y.Lanes == x.Lanes && !seen[y] {
					seen[y] = true
					part = append(part, y)
				}
			}
			x.Uses(func(v *Value, _ bool) { meet(v.Node) })
			for _, y := range users[x.Out] {
				meet(y)
			}
		}
		out = append(out, part)
	}
	return out
}

// packedOps contains the operators that can process several lanes of a word.
var packedOps = []ir.Op{ir.And, ir.Or, ir.Xor, ir.Not, ir.Mux, ir.Slice, ir.ZExt, ir.Concat, ir.Eq, ir.Ne, ir.LtU, ir.LeU,
	ir.RedAnd, ir.Add, ir.Sub, ir.Lowest}

// packable returns the common size of the lanes of n's operands and result, if n's operator works
// on words of such lanes, else 0.
func (n *Node) packable() int {
	if size := n.Joins(); size > 0 {
		return size
	}
	if n.Lanes < 8 || n.Nout > 1 || n.List != nil || n.Moves != nil || n.wordwise() || !slices.Contains(packedOps, n.Code) {
		return 0
	}
	size := 0
	if u := n.Unpacks(); u > 0 {
		size = u
	} else {
		size = n.operandBits()
		for _, a := range n.Args {
			if !a.packable(n.Lanes, size) {
				return 0
			}
		}
	}
	switch {
	case n.Code == ir.Slice && n.Unpacks() == 0 && !n.Lo.Constant(), // another field in each lane
		size == 0 || size > Widest || n.Lanes*size%64 != 0 || n.Lanes > 64 && n.Lanes%64 != 0,
		n.Width > 1 && n.Out.LaneBits() != size,
		(n.Code == ir.LtU || n.Code == ir.LeU) && n.Args[0].Width == size:
		return 0
	}
	return size
}

// operandBits returns the size of the lanes of the first operand of more than one bit, or of the
// result.
func (n *Node) operandBits() int {
	size := n.Out.LaneBits()
	for _, a := range slices.Backward(n.Args) {
		if a.Width > 1 && a.V == nil {
			size = ElemBits(a.Width)
		}
	}
	for _, a := range slices.Backward(n.Args) {
		if a.Width > 1 && a.V != nil {
			size = ElemBits(a.Width)
			if a.Same(n.Lanes) {
				size = a.V.LaneBits()
			}
		}
	}
	return size
}

// packable reports whether o can be read as words of lanes of that size.
func (o Operand) packable(lanes, size int) bool {
	switch {
	case o.K != nil:
		return o.Width <= size
	case o.V == nil || o.Table != nil:
		return false
	case o.Same(lanes):
		return o.Width == 1 || o.V.LaneBits() == size
	}
	return o.Width <= size && o.At.steady(64/size)
}

// Joins returns the size of the lanes if each lane of n consists of the bits at the same position
// in memory, else 0.
func (n *Node) Joins() int {
	l := n.List
	if n.Code != ir.Concat || l == nil || !l.V.Bits() || l.N != 8 && l.N != 16 && l.N != 32 || l.V.Lanes != n.Lanes*l.N || l.V.Lanes%64 != 0 ||
		n.Lanes > 64 && n.Lanes%64 != 0 {
		return 0
	}
	for i := range n.Lanes {
		if l.Base.At(i) != i*l.N {
			return 0
		}
	}
	return l.N // bits of other strides would not all exist
}

// Unpacks returns the size of the lanes if each lane of n is a field of a lane of the operand's
// words, else 0.
func (n *Node) Unpacks() int {
	if n.Code != ir.Slice || n.Args[0].V == nil || n.Args[0].Table != nil || n.Lanes < 2 {
		return 0
	}
	a := n.Args[0]
	size := n.Lo.At(1) - n.Lo.At(0)
	if size != 8 && size != 16 && size != 32 || a.Width%size != 0 || a.V.Lanes*a.Width != n.Lanes*size {
		return 0
	}
	if a.Width%64 != 0 && a.V.LaneBits() != a.Width || a.Width == 64 && a.V.Lanes == 1 {
		return 0
	}
	each := a.Width / size
	first := n.Lo.At(0)
	if first+n.Width > size {
		return 0
	}
	for l := range n.Lanes {
		if n.Lo.At(l) != l%each*size+first || a.At.At(l) != l/each {
			return 0
		}
	}
	return size
}
