package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// widest is the largest lane of which several are worth having in a word.
const widest = 32

// pack finds the nodes that are evaluated several lanes at a time, in words of
// lanes of 8, 16 or 32 bits. It leaves out those for which more would have to be
// stored than is won.
func (p *plan) pack() {
	nodes := p.sorted()
	users := map[*value][]*node{}
	for _, n := range nodes {
		n.uses(func(v *value, same bool) {
			users[v] = append(users[v], n)
		})
	}
	rooted := map[*value]bool{}
	p.roots(func(v *value) { rooted[v] = true })
	for _, n := range nodes {
		if !rooted[n.out] {
			n.stay(users[n.out])
		}
	}
	for _, n := range nodes {
		n.elem = n.packable()
	}
	for again := true; again; {
		again = false
		for _, c := range packedParts(nodes, users) {
			stores := map[*value]bool{}
			for _, n := range c {
				for _, a := range n.args {
					if a.v != nil && a.v.node != nil && !rooted[a.v] && a.v.node.local(users[a.v]) {
						stores[a.v] = true
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

// stay leaves fields of lanes in lanes of the same size, if that keeps together what
// is done with them. Lists are the quicker the smaller their elements, and of larger
// lanes too few are in a word.
func (n *node) stay(users []*node) {
	size := n.fieldOf()
	listed := func(u *node) bool { return u.list != nil && u.list.v == n.out }
	if size <= elemBits(n.width) || size > 16 || n.width == 1 || slices.ContainsFunc(users, listed) {
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
	n.out.room = size
	if n.packable() == 0 || packable() < max(before, 1) {
		n.out.room = 0
	}
}

// fieldOf is the size of the lanes that n takes a field of; 0 if it does something else.
func (n *node) fieldOf() int {
	if n.code != ir.Slice || n.lanes < 8 || n.args[0].v == nil {
		return 0
	}
	if size := n.unpacks(); size > 0 || !n.args[0].same(n.lanes) {
		return size
	}
	return n.args[0].v.laneBits()
}

// local tells whether n, evaluated lane by lane, would need no storage were it
// not for packed users.
func (n *node) local(users []*node) bool {
	if n.class().kind != loop {
		return false
	}
	for _, u := range users {
		same := true
		u.uses(func(v *value, s bool) {
			if v == n.out {
				same = same && s
			}
		})
		if !same || u.lanes != n.lanes || u.elem == 0 && u.class().kind != loop {
			return false
		}
	}
	return true
}

// packedParts are the sets of packed nodes that depend on each other.
func packedParts(nodes []*node, users map[*value][]*node) [][]*node {
	var out [][]*node
	seen := map[*node]bool{}
	for _, n := range nodes {
		if n.elem == 0 || seen[n] {
			continue
		}
		part := []*node{n}
		seen[n] = true
		for i := 0; i < len(part); i++ {
			x := part[i]
			meet := func(y *node) {
				if y != nil && y.elem == x.elem && y.lanes == x.lanes && !seen[y] {
					seen[y] = true
					part = append(part, y)
				}
			}
			x.uses(func(v *value, _ bool) { meet(v.node) })
			for _, y := range users[x.out] {
				meet(y)
			}
		}
		out = append(out, part)
	}
	return out
}

// packedOps are the operators that work on several lanes of a word.
var packedOps = []ir.Op{ir.And, ir.Or, ir.Xor, ir.Not, ir.Mux, ir.Slice, ir.ZExt, ir.Concat, ir.Eq, ir.Ne, ir.LtU, ir.LeU,
	ir.RedAnd, ir.Add, ir.Sub, ir.Lowest}

// packable is the size of the lanes of n's operands and result, if they are the
// same and its operator works on words of such lanes; else 0.
func (n *node) packable() int {
	if size := n.joins(); size > 0 {
		return size
	}
	if n.lanes < 8 || n.nout > 1 || n.list != nil || n.moves != nil || n.wordwise() || !slices.Contains(packedOps, n.code) {
		return 0
	}
	size := 0
	if u := n.unpacks(); u > 0 {
		size = u
	} else {
		size = n.operandBits()
		for _, a := range n.args {
			if !a.packable(n.lanes, size) {
				return 0
			}
		}
	}
	switch {
	case n.code == ir.Slice && n.unpacks() == 0 && !n.lo.constant(), // another field in each lane
		size == 0 || size > widest || n.lanes*size%64 != 0 || n.lanes > 64 && n.lanes%64 != 0,
		n.width > 1 && n.out.laneBits() != size,
		(n.code == ir.LtU || n.code == ir.LeU) && n.args[0].width == size:
		return 0
	}
	return size
}

// operandBits is the size of the lanes of the first operand of more than one bit, or of
// the result.
func (n *node) operandBits() int {
	size := n.out.laneBits()
	for _, a := range slices.Backward(n.args) {
		if a.width > 1 && a.v == nil {
			size = elemBits(a.width)
		}
	}
	for _, a := range slices.Backward(n.args) {
		if a.width > 1 && a.v != nil {
			size = elemBits(a.width)
			if a.same(n.lanes) {
				size = a.v.laneBits()
			}
		}
	}
	return size
}

// packable tells whether o can be read as words of lanes of that size.
func (o operand) packable(lanes, size int) bool {
	switch {
	case o.k != nil:
		return o.width <= size
	case o.v == nil || o.table != nil:
		return false
	case o.same(lanes):
		return o.width == 1 || o.v.laneBits() == size
	}
	return o.width <= size && o.at.steady(64/size)
}

// joins is the size of the lanes if each is made of the bits that lie where it does;
// else 0.
func (n *node) joins() int {
	l := n.list
	if n.code != ir.Concat || l == nil || !l.v.bits() || l.n != 8 && l.n != 16 && l.n != 32 || l.v.lanes != n.lanes*l.n || l.v.lanes%64 != 0 ||
		n.lanes > 64 && n.lanes%64 != 0 {
		return 0
	}
	for i := range n.lanes {
		if l.base.at(i) != i*l.n {
			return 0
		}
	}
	return l.n // bits of other strides would not all exist
}

// unpacks is the size of the lanes if n takes a field of each of the lanes of
// which the words of its operand consist; else 0.
func (n *node) unpacks() int {
	if n.code != ir.Slice || n.args[0].v == nil || n.args[0].table != nil || n.lanes < 2 {
		return 0
	}
	a := n.args[0]
	size := n.lo.at(1) - n.lo.at(0)
	if size != 8 && size != 16 && size != 32 || a.width%size != 0 || a.v.lanes*a.width != n.lanes*size {
		return 0
	}
	if a.width%64 != 0 && a.v.laneBits() != a.width || a.width == 64 && a.v.lanes == 1 {
		return 0
	}
	each := a.width / size
	first := n.lo.at(0)
	if first+n.width > size {
		return 0
	}
	for l := range n.lanes {
		if n.lo.at(l) != l%each*size+first || a.at.at(l) != l/each {
			return 0
		}
	}
	return size
}
