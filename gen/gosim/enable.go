package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// enables finds registers that hold their values in some lanes: they get a mask
// of the lanes that take a new one.
func (p *plan) enables() {
	s := &splitter{p: p, made: map[string]operand{}}
	for _, r := range p.regs {
		if !holds(r.q) {
			continue
		}
		s.r = r
		mask, data := s.split(r.d)
		if mask.k != nil { // always, or never
			continue
		}
		if data.v == nil || data.v.node == nil || !data.same(r.q.lanes) {
			data = operand{v: p.copied(r.q.lanes, r.q.width, data), at: identity, width: r.q.width}
		}
		r.d, r.mask = data, p.wholeMask(r.q.lanes, mask)
	}
}

// holds tells whether it pays to leave lanes of a register alone.
func holds(q *value) bool {
	if q.lanes == 1 {
		return q.words() > 2
	}
	return !q.bits() && maskable(q.lanes)
}

// maskable tells whether a mask of so many lanes is whole words.
func maskable(lanes int) bool { return lanes > 1 && (lanes <= 64 || lanes%64 == 0) }

// wholeMask is a one-bit operand as a value that a node computes: it must not
// change at a clock edge.
func (p *plan) wholeMask(lanes int, o operand) *value {
	if o.same(lanes) && o.v.node != nil {
		return o.v
	}
	return p.copied(lanes, 1, o)
}

// splitter separates when a register takes a value from what it takes.
type splitter struct {
	p    *plan
	r    *regs
	made map[string]operand
}

var always, never = operand{k: []uint64{1}, width: 1}, operand{k: []uint64{0}, width: 1}

func is(o operand, k uint64) bool { return o.width == 1 && o.k != nil && o.k[0] == k }

// split gives the lanes in which o is not the present value of the register, and
// the value there.
func (s *splitter) split(o operand) (mask, data operand) {
	lanes := s.r.q.lanes
	if o.v == s.r.q && o.same(lanes) {
		return never, o
	}
	if o.v == nil || o.v.node == nil || o.v.node.code != ir.Mux || !o.same(lanes) || o.v.node.lanes != lanes {
		return always, o
	}
	n := o.v.node
	c := n.args[0]
	ma, a := s.split(n.args[1])
	mb, b := s.split(n.args[2])
	if is(ma, 1) && is(mb, 1) {
		return always, o
	}
	mask = s.mux(c, ma, mb)
	switch {
	case is(ma, 0):
		return mask, b
	case is(mb, 0):
		return mask, a
	}
	return mask, s.node(ir.Mux, o.width, c, a, b)
}

// mux is a multiplexer of masks.
func (s *splitter) mux(c, a, b operand) operand {
	switch {
	case is(a, 1) && is(b, 0):
		return c
	case is(a, 0) && is(b, 1):
		return s.node(ir.Not, 1, c)
	case is(a, 0) && is(b, 0):
		return never
	case is(a, 1):
		return s.node(ir.Or, 1, c, b)
	case is(b, 0):
		return s.node(ir.And, 1, c, a)
	}
	return s.node(ir.Mux, 1, c, a, b)
}

// node is the result of an operation, which is made once.
func (s *splitter) node(code ir.Op, width int, args ...operand) operand {
	key := fmt.Sprint(code, width, s.r.q.lanes)
	for _, a := range args {
		key += " " + a.key()
	}
	if o, ok := s.made[key]; ok {
		return o
	}
	n := s.p.newNode(code, s.r.q.lanes, width, args...)
	n.place = s.r.d.v.node.place
	o := operand{v: n.out, at: identity, width: width}
	s.made[key] = o
	return o
}

func (o operand) key() string {
	if o.v == nil {
		return fmt.Sprint(o.k, o.ks)
	}
	return fmt.Sprint(o.v.id, o.at, o.table)
}

// newNode is an operation that the design does not have as such.
func (p *plan) newNode(code ir.Op, lanes, width int, args ...operand) *node {
	n := &node{id: len(p.nodes), code: code, lanes: lanes, nout: 1, width: width, args: args}
	n.out = p.newValue(width, lanes)
	n.out.node = n
	p.nodes = append(p.nodes, n)
	p.straighten(n)
	return n
}
