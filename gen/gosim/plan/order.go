package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Kind defines how a unit iterates over its lanes.
type Kind uint8

const (
	Scalar Kind = iota // one lane
	Words              // 64 one-bit lanes at a time
	Packed             // several lanes in a word at a time
	Loop               // lane by lane
	Alone              // a single node with a loop of its own
)

// Unit is a sequence of nodes that are evaluated together: one Go function.
type Unit struct {
	ID    int
	Kind  Kind
	Lanes int
	Nodes []*Node
	Mask  *Value          // lanes to evaluate; nil for all
	Elem  int             // bits of a lane, if the unit is Packed
	Body  *Block          // nodes of a unit of single lanes, with branches
	From  map[*Value]bool // registers that derived values depend on; nil for other units
	Kept  []*Value        // registers that are set before their present values are read for the last time
}

// class contains the properties that all nodes of a unit share.
type class struct {
	kind  Kind
	lanes int
	place string
	mask  int // value, or -1
	elem  int
	way   way
}

// bitwise contains the operators that can process 64 one-bit lanes at a time.
var bitwise = map[ir.Op]bool{ir.Not: true, ir.And: true, ir.Or: true, ir.Xor: true, ir.Mux: true, ir.Eq: true, ir.Ne: true,
	ir.Add: true, ir.Sub: true, ir.Mul: true, ir.LtU: true, ir.LeU: true,
	ir.RedAnd: true, ir.RedXor: true, ir.ZExt: true, ir.Slice: true, ir.Concat: true}

// wordwise reports whether n can be evaluated 64 lanes at a time.
func (n *Node) wordwise() bool {
	if n.Lanes == 1 || n.Width != 1 || n.List != nil || n.Moves != nil || !bitwise[n.Code] || n.Lanes > 64 && n.Lanes%64 != 0 {
		return false
	}
	for _, a := range n.Args {
		if a.Width != 1 {
			return false
		}
	}
	return true
}

// straighten makes the operands of a wordwise node whole words too.
func (p *Plan) straighten(n *Node) {
	if !n.wordwise() {
		return
	}
	for i := range n.Args {
		o := &n.Args[i]
		if o.V != nil && !o.Same(n.Lanes) && (o.Table != nil || !o.At.Constant()) || o.Ks != nil {
			src := *o
			*o = Operand{V: p.gather(n.Lanes, 1, func(l int) Ref { return src.Ref(l) }), At: Identity, Width: 1}
		}
	}
}

// Ref returns the value and lane, or the constant, that o reads in lane l.
func (o Operand) Ref(l int) Ref {
	switch {
	case o.K != nil:
		return Ref{K: o.K}
	case o.Ks != nil:
		return Ref{K: o.Ks[l]}
	case o.Table != nil:
		return Ref{V: o.V, Lane: o.Table[l]}
	}
	return Ref{V: o.V, Lane: o.At.At(l)}
}

// Own reports whether n has a loop of its own, and stores its result.
func (n *Node) Own() bool { return n.Moves != nil || n.Code == ir.Update || n.Code == ir.Route }

func (n *Node) class() class {
	switch {
	case n.Own():
		return class{Alone, n.id, "", -1, 0, inGo}
	case n.Lanes == 1:
		return class{Scalar, 1, prefix(n.Place, 2), -1, 0, inGo}
	case n.wordwise():
		return class{Words, n.Lanes, prefix(n.Place, 1), -1, 0, inGo}
	case n.elem != 0:
		return class{Packed, n.Lanes, prefix(n.Place, 1), -1, n.elem, inVectors}
	case n.mask != nil:
		return class{Loop, n.Lanes, "", n.mask.ID, 0, n.way()}
	}
	return class{Loop, n.Lanes, prefix(n.Place, 1), -1, 0, n.way()}
}

// way is the best way to evaluate a node if the processor has vectors.
type way uint8

const (
	inVectors way = iota
	inGo
	reading // in vectors of long words
	weaving // in vectors of the longest words
)

func (n *Node) way() way {
	switch {
	case !n.Vectorable():
		return inGo
	case n.Wide():
		return weaving
	case n.Code == ir.MemRead:
		return reading
	}
	return inVectors
}

// prefix returns the first parts of a place.
func prefix(place string, parts int) string {
	s := strings.SplitN(place, ".", parts+2)
	return strings.Join(s[:min(len(s), parts+1)], ".")
}

// Uses calls f for every value that n reads; same reports whether lane l of n reads lane l of the
// value.
func (n *Node) Uses(f func(v *Value, same bool)) {
	for _, a := range n.Args {
		if a.V != nil {
			f(a.V, a.Same(n.Lanes))
		}
	}
	if n.List != nil {
		f(n.List.V, false)
	}
	for _, r := range n.Moves {
		if v := r.V; v != nil {
			if v.Of != nil {
				v = v.Of
			}
			f(v, false)
		}
	}
	if n.mask != nil {
		f(n.mask, false)
	}
}

// largest is the maximum number of nodes in a unit. The compile time of a Go function is more than
// linear.
const largest = 300

// small is the maximum size of a design that becomes one unit.
const small = 600

// mostNodes is the maximum size of a design of single lanes that is evaluated as a whole.
const mostNodes = 2000

// scheduler orders nodes.
type scheduler struct {
	p       *Plan
	users   map[*Node][]use
	waiting map[*Node]int // producers that have no unit yet
	ready   map[class][]*Node
	largest int // nodes in a unit
	texts   map[class]string
	closed  map[class][]*Node // closures that are still valid
}

type use struct {
	n    *Node
	same bool
	of   class
}

// schedule assigns all nodes to units, in an order in which every operand is computed before it is
// used.
func (p *Plan) schedule() {
	p.nodes = p.sorted()
	if p.Immediate = p.single(); p.Immediate {
		p.atOnce()
		return
	}
	s := &scheduler{p: p, users: map[*Node][]use{}, waiting: map[*Node]int{}, ready: map[class][]*Node{}, largest: largest,
		texts: map[class]string{}, closed: map[class][]*Node{}}
	if p.inOne() {
		s.largest = small
	}
	for _, n := range p.nodes {
		of := n.class()
		n.Uses(func(v *Value, same bool) {
			if v.Node != nil {
				s.users[v.Node] = append(s.users[v.Node], use{n, same, of})
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

// single reports whether the design is so small, with single lanes only, that it is evaluated as a
// whole at each edge. Comparing each register would cost as much. It excludes what needs lanes of
// bits: inputs, which the state stores differently, and registers with conditions.
func (p *Plan) single() bool {
	if len(p.nodes) == 0 || len(p.nodes) > mostNodes {
		return false
	}
	for _, n := range p.nodes {
		if k := n.class().kind; k != Scalar && k != Alone {
			return false
		}
	}
	for _, v := range p.Inputs {
		if v != nil && v.Bits() {
			return false
		}
	}
	for _, r := range p.Regs {
		if r.Q.Lanes > 1 && (r.Mask != nil || r.Clear != nil) {
			return false
		}
	}
	for _, m := range p.Mems {
		if slices.ContainsFunc(m.Writes, func(w *Write) bool { return w.Lanes > 1 }) {
			return false
		}
	}
	return true
}

// atOnce puts all nodes into a unit that executes an edge. Those that outputs need are also in a
// unit that fills the outputs between edges.
func (p *Plan) atOnce() {
	p.Preview = &Unit{Kind: Scalar, Lanes: 1}
	edge := &Unit{Kind: Scalar, Lanes: 1, Nodes: p.nodes}
	p.Units = []*Unit{edge}
	shown := map[*Node]bool{}
	p.shown(func(v *Value) { shown[v.Node] = true })
	for _, n := range slices.Backward(p.nodes) {
		n.Unit = edge
		if shown[n] {
			p.Preview.Nodes = append(p.Preview.Nodes, n)
			n.Uses(func(v *Value, _ bool) { shown[v.Node] = true })
		}
	}
	slices.Reverse(p.Preview.Nodes)
}

// inOne assigns the same place to all nodes of a small design, and so one unit for its single
// lanes. Evaluating that unit costs no more than checking which values have changed. inOne reports
// whether the design is small.
func (p *Plan) inOne() bool {
	size := 0
	for _, n := range p.nodes {
		size += n.Lanes * ir.Words(n.Width)
	}
	if size > small {
		return false
	}
	for _, n := range p.nodes {
		n.Place = ""
	}
	return true
}

// next creates the next unit and returns its number of nodes.
func (s *scheduler) next() int {
	var best []*Node
	var of class
	for c, ready := range s.ready {
		if len(ready) == 0 {
			continue
		}
		if nodes := s.closure(c); best == nil || s.before(c, len(nodes), of, len(best)) {
			best, of = nodes, c
		}
	}
	if best == nil {
		panic("gosim: nodes form a combinational loop")
	}
	s.take(best, of)
	return len(best)
}

// before reports whether a unit of n nodes of class c precedes a unit of m nodes of class d.
func (s *scheduler) before(c class, n int, d class, m int) bool {
	switch {
	case rank(c) != rank(d):
		return rank(c) < rank(d)
	case n != m:
		return n > m
	}
	return s.text(c) < s.text(d)
}

// text returns c as text, which defines an order of classes.
func (s *scheduler) text(c class) string {
	if s.texts[c] == "" {
		s.texts[c] = fmt.Sprint(c)
	}
	return s.texts[c]
}

// rank returns the priority of a class. Cheap classes that other classes may wait for come first.
func rank(c class) int {
	switch c.kind {
	case Alone, Words, Packed:
		return 0
	case Scalar:
		return 1
	}
	return 2
}

// closure returns the nodes of class c that can be evaluated now, one after another.
func (s *scheduler) closure(c class) []*Node {
	if out, ok := s.closed[c]; ok {
		return out
	}
	out := slices.Clone(s.ready[c])
	met := map[*Node]int{}
	for i := 0; i < len(out) && len(out) < s.largest; i++ {
		for _, u := range s.users[out[i]] {
			if !u.same || u.of != c {
				continue
			}
			if met[u.n]++; met[u.n] == s.waiting[u.n] {
				out = append(out, u.n)
			}
		}
	}
	s.closed[c] = out
	return out
}

// take creates a unit of nodes.
func (s *scheduler) take(nodes []*Node, c class) {
	u := &Unit{ID: len(s.p.Units), Kind: c.kind, Lanes: c.lanes, Nodes: nodes, Mask: nodes[0].mask, Elem: c.elem}
	if c.kind == Alone {
		u.Lanes = nodes[0].Lanes
	}
	s.p.Units = append(s.p.Units, u)
	for _, n := range nodes {
		n.Unit = u
	}
	s.ready[c] = slices.DeleteFunc(s.ready[c], func(n *Node) bool { return n.Unit != nil })
	delete(s.closed, c)
	for _, n := range nodes {
		for _, x := range s.users[n] {
			delete(s.closed, x.of)
			if s.waiting[x.n]--; s.waiting[x.n] == 0 && x.n.Unit == nil {
				s.ready[x.of] = append(s.ready[x.of], x.n)
			}
		}
	}
}
