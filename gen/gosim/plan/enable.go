package plan

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// enables finds registers that hold their values in some lanes. They get a mask of the lanes that
// take a new value.
func (p *Plan) enables() {
	s := &splitter{p: p, made: map[string]Operand{}}
	for _, r := range p.Regs {
		if !holds(r.Q) {
			continue
		}
		s.r = r
		mask, data := s.split(r.D)
		if mask.K != nil { // always, or never
			continue
		}
		if data.V == nil || data.V.Node == nil || !data.Same(r.Q.Lanes) {
			data = Operand{V: p.copied(r.Q.Lanes, r.Q.Width, data, p.placeOf(r)), At: Identity, Width: r.Q.Width}
		}
		r.D, r.Mask = data, p.wholeMask(r, mask)
	}
}

// holds reports whether it is worth leaving lanes of a register unchanged.
func holds(q *Value) bool {
	if q.Lanes == 1 {
		return q.Words() > 2
	}
	return !q.Bits() && maskable(q.Lanes)
}

// maskable reports whether a mask of that many lanes fills whole words or fits in one.
func maskable(lanes int) bool { return lanes > 1 && (lanes <= 64 || lanes%64 == 0) }

// wholeMask returns a one-bit operand as a value that a node computes, with a lane for each lane of
// the register. A mask must not change at a clock edge.
func (p *Plan) wholeMask(r *Regs, o Operand) *Value {
	if o.Same(r.Q.Lanes) && o.V.Node != nil {
		return o.V
	}
	return p.copied(r.Q.Lanes, 1, o, p.placeOf(r))
}

// splitter separates the condition under which a register takes a value from the value itself.
type splitter struct {
	p    *Plan
	r    *Regs
	made map[string]Operand
}

var Always, Never = Operand{K: []uint64{1}, Width: 1}, Operand{K: []uint64{0}, Width: 1}

func is(o Operand, k uint64) bool { return o.Width == 1 && o.K != nil && o.K[0] == k }

// split returns the lanes in which o is not the present value of the register, and the value of o
// in these lanes.
func (s *splitter) split(o Operand) (mask, data Operand) {
	lanes := s.r.Q.Lanes
	if o.V == s.r.Q && o.Same(lanes) {
		return Never, o
	}
	if o.V == nil || o.V.Node == nil || !o.Same(lanes) {
		return Always, o
	}
	n := o.V.Node
	if n.Code == ir.Update {
		return s.update(o)
	}
	if n.Code != ir.Mux || n.Lanes != lanes {
		return Always, o
	}
	c := n.Args[0]
	ma, a := s.split(n.Args[1])
	mb, b := s.split(n.Args[2])
	if is(ma, 1) && is(mb, 1) {
		return Always, o
	}
	mask = s.mux(c, ma, mb)
	switch {
	case is(ma, 0):
		return mask, b
	case is(mb, 0):
		return mask, a
	}
	return mask, s.node(ir.Mux, o.Width, c, a, b)
}

// update splits an Update of the register, which replaces one of its elements.
func (s *splitter) update(o Operand) (mask, data Operand) {
	q, n := s.r.Q, o.V.Node
	l, index := n.List, n.Args[0]
	if n.Lanes > 1 || l.V != q || l.N != q.Lanes || l.Stride != 1 || l.Base.At(0) != 0 || index.V == nil {
		return Always, o
	}
	numbers := Operand{Width: index.Width}
	for k := range q.Lanes {
		numbers.Ks = append(numbers.Ks, []uint64{uint64(k)})
	}
	return s.node(ir.Eq, 1, index.everywhere(), numbers), n.Args[1].everywhere()
}

// everywhere returns an operand that reads in all lanes what o reads in its first lane.
func (o Operand) everywhere() Operand {
	if o.V != nil {
		o.At = Form{Add: o.Ref(0).Lane}
	}
	return o
}

// mux returns the mask c ? a : b.
func (s *splitter) mux(c, a, b Operand) Operand {
	switch {
	case is(a, 1) && is(b, 0):
		return c
	case is(a, 0) && is(b, 1):
		return s.node(ir.Not, 1, c)
	case is(a, 0) && is(b, 0):
		return Never
	case is(a, 1):
		return s.node(ir.Or, 1, c, b)
	case is(b, 0):
		return s.node(ir.And, 1, c, a)
	}
	return s.node(ir.Mux, 1, c, a, b)
}

// node returns the result of an operation, and creates the node at most once.
func (s *splitter) node(code ir.Op, width int, args ...Operand) Operand {
	key := fmt.Sprint(code, width, s.r.Q.Lanes)
	for _, a := range args {
		key += " " + a.key()
	}
	if o, ok := s.made[key]; ok {
		return o
	}
	n := s.p.newNode(code, s.r.Q.Lanes, width, args...)
	n.Place = s.r.D.V.Node.Place
	o := Operand{V: n.Out, At: Identity, Width: width}
	s.made[key] = o
	return o
}

func (o Operand) key() string {
	if o.V == nil {
		return fmt.Sprint(o.K, o.Ks)
	}
	return fmt.Sprint(o.V.ID, o.At, o.Table)
}

// newNode adds an operation that is not in the design.
func (p *Plan) newNode(code ir.Op, lanes, width int, args ...Operand) *Node {
	n := &Node{id: len(p.nodes), Code: code, Lanes: lanes, Nout: 1, Width: width, Args: args}
	n.Out = p.newValue(width, lanes)
	n.Out.Node = n
	p.nodes = append(p.nodes, n)
	p.straighten(n)
	return n
}
