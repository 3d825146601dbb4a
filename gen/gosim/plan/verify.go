package plan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Verify reports which invariants p violates. All hold between any two passes; the invariants of units and of storage hold
// once the passes that make them have run. An error names the operator and its place in the source.
func (p *Plan) Verify() error {
	v := &verifier{p: p, order: map[*Node]int{}}
	nodes := p.sorted()
	v.acyclic(nodes)
	for _, n := range nodes {
		v.node(n)
	}
	for _, r := range p.Regs {
		v.regs(r)
	}
	for _, m := range p.Mems {
		v.memory(m)
	}
	if v.problems == nil {
		v.units(nodes)
	}
	if v.problems == nil && p.Readers != nil {
		v.storage()
	}
	for _, u := range append(p.Units[:len(p.Units):len(p.Units)], p.Preview) {
		if u != nil && u.Body != nil {
			v.mine = setOf(u.Nodes)
			v.block(u, u.Body, nil, map[*Value]bool{}, map[any]bool{})
		}
	}
	return errors.Join(v.problems...)
}

// mostProblems is the maximum number of problems in an error.
const mostProblems = 10

type verifier struct {
	p        *Plan
	order    map[*Node]int  // units of nodes and their places there, in the order of evaluation
	mine     map[*Node]bool // nodes of a unit
	problems []error
}

// check notes a problem unless a condition holds. Arguments are formatted then only: the condition almost always holds.
func (v *verifier) check(holds bool, format string, args ...any) {
	if !holds && len(v.problems) < mostProblems {
		for i, a := range args {
			if n, ok := a.(*Node); ok {
				args[i] = n.Located()
			}
		}
		v.problems = append(v.problems, fmt.Errorf(format, args...))
	}
}

// Located returns the operator of n with its place in the source or, of a design that was parsed, its path.
func (n *Node) Located() string {
	at := n.pos.String()
	if at == "?" {
		at = cmp.Or(strings.TrimPrefix(n.Place, "."), "top")
	}
	return fmt.Sprintf("%s (%s)", n, at)
}

// operandOf is an operand of a node.
type operandOf struct {
	n *Node
	i int
}

func (o operandOf) String() string { return fmt.Sprintf("%s, operand %d", o.n.Located(), o.i) }

// named is an effect: a kind and a name.
type named struct{ kind, name string }

func (x named) String() string { return x.kind + " " + x.name }

// portOf is a write port of a memory.
type portOf struct {
	m *Memory
	i int
}

func (x portOf) String() string { return fmt.Sprintf("write %d of memory m%d", x.i, x.m.ID) }

// acyclic checks that nodes depend on earlier ones only.
func (v *verifier) acyclic(nodes []*Node) {
	done := make(map[*Node]bool, len(nodes))
	for _, n := range nodes {
		n.Uses(func(x *Value, _ bool) {
			v.check(x.Node == nil || done[x.Node], "%s depends on itself, through %s", n, x.Node)
		})
		done[n] = true
	}
}

// node checks the shapes of a node, its operands and its result.
func (v *verifier) node(n *Node) {
	v.check(n.Out != nil && n.Out.Node == n, "%s is not the node of what it computes", n)
	v.check(n.Out.Width == n.Width && n.Out.Lanes == n.Lanes*n.Nout, "%s: result has %d lanes of %d bits", n, n.Out.Lanes, n.Out.Width)
	for i, a := range n.Args {
		v.operand(operandOf{n, i}, a, n.Lanes)
	}
	if l := n.List; l != nil {
		for lane := range n.Lanes {
			first, last := l.Base.At(lane), l.Base.At(lane)+(l.N-1)*l.Stride
			v.check(min(first, last) >= 0 && max(first, last) < l.V.Lanes, "%s: elements %d to %d of %d", n, first, last, l.V.Lanes)
		}
	}
	v.check(n.Cases == nil || len(n.Args) == len(n.Cases)+2, "%s: %d cases of %d operands", n, len(n.Cases), len(n.Args))
	v.check(n.Moves != nil || n.List != nil || len(n.Args) > 0, "%s has no operands", n)
	v.check(n.Moves == nil || len(n.Moves) == n.Lanes, "%s: %d moves", n, len(n.Moves))
	for _, r := range n.Moves {
		v.check(r.V == nil || r.Lane >= 0 && r.Lane < r.V.Lanes && r.V.Width == n.Width, "%s takes a lane that is not there, or of another width", n)
	}
	if n.mask != nil {
		v.check(n.mask.Width == 1 && n.mask.Lanes == n.Lanes, "%s: mask has %d lanes of %d bits", n, n.mask.Lanes, n.mask.Width)
	}
}

// operand checks an operand that the given number of lanes read.
func (v *verifier) operand(what fmt.Stringer, o Operand, lanes int) {
	switch {
	case o.K != nil:
		v.check(o.V == nil && o.Ks == nil, "%s is a constant and something else", what)
	case o.Ks != nil:
		v.check(o.V == nil && len(o.Ks) == lanes, "%s has %d constants", what, len(o.Ks))
	case o.V == nil:
		v.check(false, "%s is nothing", what)
	default:
		v.check(o.V.Width == o.Width, "%s of %d bits reads %d bits", what, o.Width, o.V.Width)
		v.check(o.Table == nil || len(o.Table) == lanes, "%s has a table of %d lanes", what, len(o.Table))
		for l := range lanes {
			if at := o.Ref(l).Lane; at < 0 || at >= o.V.Lanes {
				v.check(false, "%s reads lane %d of %d", what, at, o.V.Lanes)
				return
			}
		}
	}
}

// regs checks that a register has valid operands. None of them may change at the edge.
func (v *verifier) regs(r *Regs) {
	what := named{"register", r.Q.Doc}
	v.operand(what, r.D, r.Q.Lanes)
	v.check(r.D.Same(r.Q.Lanes) && r.D.V.Node != nil, "%s takes no value of a node, lane by lane", what)
	for _, m := range []*Value{r.Mask, r.Clear} {
		if m != nil {
			v.check(m.Width == 1 && (m.Lanes == r.Q.Lanes || m.Lanes == 1) && m.Node != nil, "%s has a condition of %d lanes of %d bits", what, m.Lanes, m.Width)
		}
	}
}

func (v *verifier) memory(m *Memory) {
	for i, w := range m.Writes {
		what := portOf{m, i}
		for _, o := range []Operand{w.Enable, w.Addr, w.Data} {
			v.operand(what, o, w.Lanes)
		}
		v.check(w.Data.Width == m.Width, "%s has %d bits", what, w.Data.Width)
		for l := range w.Lanes {
			v.check(w.At.At(l) >= 0 && w.At.At(l) < m.Lanes, "%s is to lane %d of %d", what, w.At.At(l), m.Lanes)
		}
	}
}

// units checks that each node is in exactly one unit, with similar nodes, after all nodes that it
// reads.
func (v *verifier) units(nodes []*Node) {
	if v.p.Units == nil {
		return
	}
	for i, u := range v.p.Units {
		v.check(u.ID == i, "unit %d has number %d", i, u.ID)
		for _, n := range u.Nodes {
			v.check(v.order[n] == 0, "%s is in two units", n)
			v.order[n] = len(v.order) + 1
			v.check(n.Unit == u, "%s is in unit %d, not in its own", n, i)
			v.check(n.Lanes == u.Lanes && n.mask == u.Mask && n.elem == u.Elem || u.Kind == Alone || u.Kind == Words || v.p.Immediate, "%s is not like the others of unit %d", n, i)
		}
	}
	for _, n := range nodes {
		v.check(v.order[n] > 0, "%s is in no unit", n)
		n.Uses(func(x *Value, _ bool) {
			if x.Node != nil {
				v.check(v.order[x.Node] < v.order[n], "%s is evaluated before %s, which it reads", n, x.Node)
			}
		})
	}
}

// storage checks that values read outside their unit are stored, and that their readers are
// notified of changes.
func (v *verifier) storage() {
	for _, u := range v.p.Units {
		for _, n := range u.Nodes {
			n.Uses(func(x *Value, same bool) {
				if x.Node != nil && x.Node.Unit == u && same {
					return
				}
				v.check(x.Stored || x.Port != "", "%s reads v%d, which is not stored", n, x.ID)
				if !v.p.Immediate {
					v.check(slices.Contains(v.p.Readers[x], u.ID), "unit %d reads v%d and does not hear of changes", u.ID, x.ID)
				}
			})
		}
	}
	for _, r := range v.p.Regs {
		if v.p.Immediate {
			break
		}
		u := r.D.V.Node.Unit
		commit, ok := v.p.Commits[u]
		v.check(r.D.V.Stored && ok, "register %s has no commit", r.Q.Doc)
		if r.Mask != nil && r.Mask.Node.Unit != u {
			v.check(slices.Contains(v.p.Readers[r.Mask], CommitMark+commit), "commit %d does not hear of changes of v%d, its mask", commit, r.Mask.ID)
		}
	}
}

// block checks that steps, and then the results of a choice, read values that are evaluated before,
// in the block or around it. They also read the present values of registers and memories. It adds
// what the block changes to changed.
func (v *verifier) block(u *Unit, b *Block, results []*Value, visible map[*Value]bool, changed map[any]bool) {
	visible = maps.Clone(visible)
	read := func(x *Value) {
		if x != nil && v.mine[x.Node] {
			v.check(visible[x], "v%d is read where it is not evaluated", x.ID)
		}
		v.check(x == nil || !changed[x] || slices.Contains(u.Kept, x), "%v is read after it is set", x)
	}
	for _, s := range b.Steps {
		if c := s.Choice; c != nil {
			read(c.On.V)
			before := maps.Clone(changed)
			for i, arm := range c.Arms {
				own := maps.Clone(before)
				v.block(u, arm, c.values(i), visible, own)
				maps.Copy(changed, own)
			}
			for _, n := range c.Results {
				visible[n.Out] = true
			}
			continue
		}
		s.access(read, func(q *Value) { changed[q] = true })
		if n := s.Node; n != nil {
			v.check(n.Mem == nil || !changed[n.Mem], "%s reads a memory after it is written", n)
			visible[n.Out] = true
		} else if s.Commit.Mem != nil {
			changed[s.Commit.Mem] = true
		}
	}
	for _, x := range results {
		read(x)
	}
}
