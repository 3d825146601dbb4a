package gosim

import (
	"errors"
	"fmt"
	"slices"
)

// verify says what does not hold of p that must hold between any two passes; what units and
// storage promise, only once they are there.
func (p *plan) verify() error {
	v := &verifier{p: p, order: map[*node]int{}}
	for _, n := range p.sorted() {
		v.node(n)
	}
	for _, r := range p.regs {
		v.regs(r)
	}
	for _, m := range p.mems {
		v.memory(m)
	}
	if v.problems == nil {
		v.units()
	}
	if v.problems == nil && p.readers != nil {
		v.storage()
	}
	return errors.Join(v.problems...)
}

type verifier struct {
	p        *plan
	order    map[*node]int // units of nodes and their places there, in the order of evaluation
	problems []error
}

func (v *verifier) check(holds bool, format string, args ...any) {
	if !holds {
		v.problems = append(v.problems, fmt.Errorf(format, args...))
	}
}

// node checks the shapes of a node, its operands and its result.
func (v *verifier) node(n *node) {
	v.check(n.out != nil && n.out.node == n, "%s is not the node of what it computes", n)
	v.check(n.out.width == n.width && n.out.lanes == n.lanes*n.nout, "%s: result has %d lanes of %d bits", n, n.out.lanes, n.out.width)
	for i, a := range n.args {
		v.operand(fmt.Sprintf("%s, operand %d", n, i), a, n.lanes)
	}
	if l := n.list; l != nil {
		for lane := range n.lanes {
			first, last := l.base.at(lane), l.base.at(lane)+(l.n-1)*l.stride
			v.check(min(first, last) >= 0 && max(first, last) < l.v.lanes, "%s: elements %d to %d of %d", n, first, last, l.v.lanes)
		}
	}
	if n.moves != nil {
		v.check(len(n.moves) == n.lanes, "%s: %d moves", n, len(n.moves))
	}
	for _, r := range n.moves {
		v.ref(n, r, n.width)
	}
	if n.mask != nil {
		v.check(n.mask.width == 1 && n.mask.lanes == n.lanes, "%s: mask has %d lanes of %d bits", n, n.mask.lanes, n.mask.width)
	}
}

// operand checks what lanes lanes read.
func (v *verifier) operand(what string, o operand, lanes int) {
	switch {
	case o.k != nil:
		v.check(o.v == nil && o.ks == nil, "%s is a constant and something else", what)
	case o.ks != nil:
		v.check(o.v == nil && len(o.ks) == lanes, "%s has %d constants", what, len(o.ks))
	case o.v == nil:
		v.check(false, "%s is nothing", what)
	default:
		v.check(o.v.width == o.width, "%s of %d bits reads %d bits", what, o.width, o.v.width)
		v.check(o.table == nil || len(o.table) == lanes, "%s has a table of %d lanes", what, len(o.table))
		for l := range lanes {
			if at := o.ref(l).lane; at < 0 || at >= o.v.lanes {
				v.check(false, "%s reads lane %d of %d", what, at, o.v.lanes)
				return
			}
		}
	}
}

func (v *verifier) ref(n *node, r ref, width int) {
	if r.v != nil {
		v.check(r.lane >= 0 && r.lane < r.v.lanes && r.v.width == width, "%s takes lane %d of %d, of %d bits", n, r.lane, r.v.lanes, r.v.width)
	}
}

// regs checks that a register can take what it takes: nothing that changes at the edge.
func (v *verifier) regs(r *regs) {
	what := fmt.Sprintf("register %s", r.q.doc)
	v.operand(what, r.d, r.q.lanes)
	v.check(r.d.same(r.q.lanes) && r.d.v.node != nil, "%s takes no value of a node, lane by lane", what)
	for _, m := range []*value{r.mask, r.clear} {
		if m != nil {
			v.check(m.width == 1 && (m.lanes == r.q.lanes || m.lanes == 1) && m.node != nil, "%s has a condition of %d lanes of %d bits", what, m.lanes, m.width)
		}
	}
}

func (v *verifier) memory(m *memory) {
	for i, w := range m.writes {
		what := fmt.Sprintf("write %d of memory m%d", i, m.id)
		for _, o := range []operand{w.enable, w.addr, w.data} {
			v.operand(what, o, w.lanes)
		}
		v.check(w.data.width == m.width, "%s has %d bits", what, w.data.width)
		for l := range w.lanes {
			v.check(w.at.at(l) >= 0 && w.at.at(l) < m.lanes, "%s is to lane %d of %d", what, w.at.at(l), m.lanes)
		}
	}
}

// units checks that each node is in one unit, of nodes alike, behind all that it reads.
func (v *verifier) units() {
	if v.p.units == nil {
		return
	}
	for i, u := range v.p.units {
		v.check(u.id == i, "unit %d has number %d", i, u.id)
		for _, n := range u.nodes {
			v.check(v.order[n] == 0, "%s is in two units", n)
			v.order[n] = len(v.order) + 1
			v.check(n.unit == u, "%s is in unit %d, not in its own", n, i)
			v.check(n.lanes == u.lanes && n.mask == u.mask && n.elem == u.elem || u.kind == alone || u.kind == words, "%s is not like the others of unit %d", n, i)
		}
	}
	for _, n := range v.p.sorted() {
		v.check(v.order[n] > 0, "%s is in no unit", n)
		n.uses(func(x *value, _ bool) {
			if x.node != nil {
				v.check(v.order[x.node] < v.order[n], "%s is evaluated before %s, which it reads", n, x.node)
			}
		})
	}
}

// storage checks that what is read outside its unit is kept, and that readers hear of changes.
func (v *verifier) storage() {
	for _, u := range v.p.units {
		for _, n := range u.nodes {
			n.uses(func(x *value, same bool) {
				if x.node != nil && x.node.unit == u && same {
					return
				}
				v.check(x.stored || x.port != "", "%s reads v%d, which is not stored", n, x.id)
				if !v.p.immediate {
					v.check(slices.Contains(v.p.readers[x], u.id), "unit %d reads v%d and does not hear of changes", u.id, x.id)
				}
			})
		}
	}
	for _, r := range v.p.regs {
		_, ok := v.p.commits[r.d.v.node.unit]
		v.check(r.d.v.stored && ok, "register %s has no commit", r.q.doc)
	}
}
