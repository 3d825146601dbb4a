package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// kind is how a unit runs over its lanes.
type kind uint8

const (
	scalar kind = iota // one lane
	words              // 64 one-bit lanes at a time
	packed             // several lanes in a word at a time
	loop               // lane by lane
	alone              // one node that loops itself
)

// unit is a sequence of nodes that are evaluated together: one Go function.
type unit struct {
	id    int
	kind  kind
	lanes int
	nodes []*node
	mask  *value // lanes to evaluate; nil for all
	elem  int    // bits of a lane of packed ones
}

// class is what the nodes of a unit have in common.
type class struct {
	kind  kind
	lanes int
	place string
	mask  int // value, or -1
	elem  int
	way   way
}

// bitwise are the operators that work on 64 one-bit lanes at a time.
var bitwise = map[ir.Op]bool{ir.Not: true, ir.And: true, ir.Or: true, ir.Xor: true, ir.Mux: true, ir.Eq: true, ir.Ne: true,
	ir.Add: true, ir.Sub: true, ir.Mul: true, ir.LtU: true, ir.LeU: true,
	ir.RedAnd: true, ir.RedXor: true, ir.ZExt: true, ir.Slice: true, ir.Concat: true}

// wordwise tells whether n can be evaluated 64 lanes at a time.
func (n *node) wordwise() bool {
	if n.lanes == 1 || n.width != 1 || n.list != nil || n.moves != nil || !bitwise[n.code] || n.lanes > 64 && n.lanes%64 != 0 {
		return false
	}
	for _, a := range n.args {
		if a.width != 1 {
			return false
		}
	}
	return true
}

// straighten gives wordwise nodes operands that are words, too.
func (p *plan) straighten(n *node) {
	if !n.wordwise() {
		return
	}
	for i := range n.args {
		o := &n.args[i]
		if o.v != nil && !o.same(n.lanes) && (o.table != nil || !o.at.constant()) || o.ks != nil {
			src := *o
			*o = operand{v: p.gather(n.lanes, 1, func(l int) ref { return src.ref(l) }), at: identity, width: 1}
		}
	}
}

// ref is what o reads in lane l.
func (o operand) ref(l int) ref {
	switch {
	case o.k != nil:
		return ref{k: o.k}
	case o.ks != nil:
		return ref{k: o.ks[l]}
	case o.table != nil:
		return ref{v: o.v, lane: o.table[l]}
	}
	return ref{v: o.v, lane: o.at.at(l)}
}

func (n *node) class() class {
	switch {
	case n.moves != nil || n.code == ir.Update || n.code == ir.Route:
		return class{alone, n.id, "", -1, 0, inGo}
	case n.lanes == 1:
		return class{scalar, 1, prefix(n.place, 2), -1, 0, inGo}
	case n.wordwise():
		return class{words, n.lanes, prefix(n.place, 1), -1, 0, inGo}
	case n.elem != 0:
		return class{packed, n.lanes, prefix(n.place, 1), -1, n.elem, inVectors}
	case n.mask != nil:
		return class{loop, n.lanes, "", n.mask.id, 0, n.way()}
	}
	return class{loop, n.lanes, prefix(n.place, 1), -1, 0, n.way()}
}

// way is how a node can be evaluated best if there are vectors.
type way uint8

const (
	inVectors way = iota
	inGo
	reading // in vectors of long words
	weaving // in vectors of the longest
)

func (n *node) way() way {
	switch {
	case !n.vectorable():
		return inGo
	case n.wide():
		return weaving
	case n.code == ir.MemRead:
		return reading
	}
	return inVectors
}

// prefix is the first parts of a place.
func prefix(place string, parts int) string {
	s := strings.SplitN(place, ".", parts+2)
	return strings.Join(s[:min(len(s), parts+1)], ".")
}

// uses calls f for every value that n reads; same tells that lane l of n reads
// lane l of it.
func (n *node) uses(f func(v *value, same bool)) {
	for _, a := range n.args {
		if a.v != nil {
			f(a.v, a.same(n.lanes))
		}
	}
	if n.list != nil {
		f(n.list.v, false)
	}
	for _, r := range n.moves {
		if v := r.v; v != nil {
			if v.of != nil {
				v = v.of
			}
			f(v, false)
		}
	}
	if n.mask != nil {
		f(n.mask, false)
	}
}

// largest is the greatest number of nodes in a unit: the Go compiler takes more
// than linear time.
const largest = 300

// small is the greatest size of a design that is one unit.
const small = 600

// scheduler orders nodes.
type scheduler struct {
	p       *plan
	users   map[*node][]use
	waiting map[*node]int // producers that have no unit yet
	ready   map[class][]*node
	largest int // nodes in a unit
}

type use struct {
	n    *node
	same bool
}

// schedule puts all nodes into units, in an order in which every operand is
// computed before it is used.
func (p *plan) schedule() {
	p.nodes = p.sorted()
	s := &scheduler{p: p, users: map[*node][]use{}, waiting: map[*node]int{}, ready: map[class][]*node{}, largest: largest}
	if p.inOne() {
		s.largest = small
	}
	for _, n := range p.nodes {
		n.uses(func(v *value, same bool) {
			if v.node != nil {
				s.users[v.node] = append(s.users[v.node], use{n, same})
				s.waiting[n]++
			}
		})
	}
	left := len(p.nodes)
	for _, n := range p.nodes {
		if s.waiting[n] == 0 {
			s.ready[n.class()] = append(s.ready[n.class()], n)
		}
	}
	for left > 0 {
		left -= s.next()
	}
}

// inOne gives all single lanes of a small design one place, and so one unit: all of
// it costs no more than finding out what has changed. It tells whether the design
// is small.
func (p *plan) inOne() bool {
	size := 0
	for _, n := range p.nodes {
		size += n.lanes * ir.Words(n.width)
	}
	if size > small {
		return false
	}
	for _, n := range p.nodes {
		n.place = ""
	}
	return true
}

// next makes the next unit.
func (s *scheduler) next() int {
	var classes []class
	for c, l := range s.ready {
		if len(l) > 0 {
			classes = append(classes, c)
		}
	}
	slices.SortFunc(classes, func(a, b class) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	var best []*node
	var of class
	for _, c := range classes {
		nodes := s.closure(c)
		if best == nil || rank(c) < rank(of) || rank(c) == rank(of) && len(nodes) > len(best) {
			best, of = nodes, c
		}
	}
	if best == nil {
		panic("gosim: nodes depend on each other")
	}
	s.take(best, of)
	return len(best)
}

// rank orders classes: what other classes may wait for and costs least first.
func rank(c class) int {
	switch c.kind {
	case alone, words, packed:
		return 0
	case scalar:
		return 1
	}
	return 2
}

// closure are the nodes of class c that can be evaluated now, one after another.
func (s *scheduler) closure(c class) []*node {
	out := slices.Clone(s.ready[c])
	met := map[*node]int{}
	for i := 0; i < len(out) && len(out) < s.largest; i++ {
		for _, u := range s.users[out[i]] {
			if !u.same || u.n.class() != c {
				continue
			}
			if met[u.n]++; met[u.n] == s.waiting[u.n] {
				out = append(out, u.n)
			}
		}
	}
	return out
}

// take makes a unit of nodes.
func (s *scheduler) take(nodes []*node, c class) {
	u := &unit{id: len(s.p.units), kind: c.kind, lanes: c.lanes, nodes: nodes, mask: nodes[0].mask, elem: c.elem}
	if c.kind == alone {
		u.lanes = nodes[0].lanes
	}
	s.p.units = append(s.p.units, u)
	for _, n := range nodes {
		n.unit = u
	}
	s.ready[c] = slices.DeleteFunc(s.ready[c], func(n *node) bool { return n.unit != nil })
	for _, n := range nodes {
		for _, x := range s.users[n] {
			if s.waiting[x.n]--; s.waiting[x.n] == 0 && x.n.unit == nil {
				s.ready[x.n.class()] = append(s.ready[x.n.class()], x.n)
			}
		}
	}
}
