package plan

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// branches arranges the nodes of units of single lanes in blocks. A node that only one argument of
// a choice needs is evaluated in an arm, if the choice takes that argument. Choices by the same
// number become one, and a node is in the innermost block that contains all its uses.
func (p *Plan) branches() {
	masks := map[*Node]*Value{}
	p.conditional(func(r *Regs) { masks[r.D.V.Node] = r.Mask })
	roots := map[*Node]int{}
	p.roots(func(v *Value) { roots[v.Node]++ })
	for _, u := range p.Units {
		if u.Kind == Scalar {
			p.branch(u, roots, masks)
		}
	}
	if p.Immediate {
		p.Preview.Nodes = slices.DeleteFunc(p.Preview.Nodes, func(n *Node) bool { return n.Unit.From != nil })
		p.branch(p.Preview, roots, nil)
	}
}

func (p *Plan) branch(u *Unit, roots map[*Node]int, masks map[*Node]*Value) {
	b := &branching{p: p, u: u, roots: roots, masks: masks, mine: setOf(u.Nodes), chosen: map[*Node]bool{}}
	b.sort()
	for again := true; again; {
		b.assign()
		again = b.demote()
	}
	b.finish()
}

// setOf returns the set of nodes.
func setOf(nodes []*Node) map[*Node]bool {
	set := make(map[*Node]bool, len(nodes))
	for _, n := range nodes {
		set[n] = true
	}
	return set
}

// branching arranges the nodes of a unit.
type branching struct {
	p       *Plan
	u       *Unit
	roots   map[*Node]int    // number of uses outside all units
	masks   map[*Node]*Value // conditions of nodes that are stored
	mine    map[*Node]bool   // nodes of the unit
	order   map[*Node]int    // choices by the same number that can be taken together have the same place
	chosen  map[*Node]bool   // choices without arms: both arguments are evaluated
	blocks  map[*Node]*Block
	users   map[*Node]int
	choices map[choiceKey]*Choice
	all     []*Choice
}

// choiceKey identifies a choice: its block, its number, and its place in the order of evaluation.
type choiceKey struct {
	in       *Block
	on       *Value
	lane     int
	switched bool
	order    int
}

// sort puts the nodes in an order in which operands precede users. It delays choices, so that
// choices by the same number can be taken together.
func (b *branching) sort() {
	b.order = map[*Node]int{}
	waiting, users := map[*Node]int{}, map[*Node][]*Node{}
	var ready []*Node
	open := map[choiceKey][]*Node{} // choices that are ready
	left := map[choiceKey]int{}     // choices that are not in order
	add := func(n *Node) {
		if n.chooses() {
			open[n.choice()] = append(open[n.choice()], n)
		} else {
			ready = append(ready, n)
		}
	}
	for _, n := range b.u.Nodes {
		if n.chooses() {
			left[n.choice()]++
		}
		n.Uses(func(v *Value, _ bool) {
			if b.has(v) {
				waiting[n]++
				users[v.Node] = append(users[v.Node], n)
			}
		})
	}
	for _, n := range b.u.Nodes {
		if waiting[n] == 0 {
			add(n)
		}
	}
	place := 0
	take := func(nodes []*Node) {
		place++
		for _, n := range nodes {
			b.order[n] = place
		}
		for _, n := range nodes {
			for _, u := range users[n] {
				if waiting[u]--; waiting[u] == 0 {
					add(u)
				}
			}
		}
	}
	for len(b.order) < len(b.u.Nodes) {
		if len(ready) > 0 {
			n := ready[0]
			ready = ready[1:]
			take([]*Node{n})
			continue
		}
		k := mostReady(open, left)
		nodes := open[k]
		delete(open, k)
		left[k] -= len(nodes)
		take(nodes)
	}
}

// mostReady returns the choice to take next. It prefers choices whose multiplexers are all ready,
// and then those with many.
func mostReady(open map[choiceKey][]*Node, left map[choiceKey]int) (best choiceKey) {
	better := func(k choiceKey) bool {
		if len(open[best]) == 0 || (len(open[k]) == left[k]) != (len(open[best]) == left[best]) {
			return len(open[best]) == 0 || len(open[k]) == left[k]
		}
		c := cmp.Or(len(open[k])-len(open[best]), best.on.ID-k.on.ID, best.lane-k.lane)
		return c > 0 || c == 0 && !k.switched && best.switched
	}
	for k := range open {
		if better(k) {
			best = k
		}
	}
	return best
}

// has reports whether the unit computes v.
func (b *branching) has(v *Value) bool { return b.mine[v.Node] }

// choice returns the number that n chooses by.
func (n *Node) choice() choiceKey {
	return choiceKey{on: n.Args[0].V, lane: n.Args[0].Ref(0).Lane, switched: n.Cases != nil}
}

// assign puts each node into a block, users before operands.
func (b *branching) assign() {
	root := &Block{}
	b.u.Body = root
	b.blocks, b.choices, b.all, b.users = map[*Node]*Block{}, map[choiceKey]*Choice{}, nil, map[*Node]int{}
	for _, n := range b.u.Nodes {
		n.Uses(func(v *Value, _ bool) { b.users[v.Node]++ })
		switch mask := b.masks[n]; {
		case n.Out.Stored && mask != nil:
			b.use(b.when(root, mask)[0], n.Out)
		case n.Out.Stored:
			b.use(root, n.Out)
		}
	}
	for _, n := range b.u.Nodes {
		b.users[n] += b.roots[n]
	}
	switch {
	case !b.p.Immediate || b.u.From != nil:
	case b.u == b.p.Preview:
		b.fill(root)
	default:
		b.fill(root)
		b.commits(root)
	}
	nodes := slices.Clone(b.u.Nodes)
	slices.SortStableFunc(nodes, func(x, y *Node) int { return b.order[y] - b.order[x] })
	for len(nodes) > 0 {
		n := 1
		for n < len(nodes) && b.order[nodes[n]] == b.order[nodes[0]] {
			n++
		}
		b.place(nodes[:n])
		nodes = nodes[n:]
	}
}

// place puts nodes of the same place in the order into their blocks.
func (b *branching) place(nodes []*Node) {
	var choices []*Choice
	for _, n := range nodes {
		in := b.blocks[n]
		switch {
		case in == nil: // only commits read it, and choose themselves
		case n.chooses() && !b.chosen[n] && in.depth < mostDepth:
			c := b.choice(in, n, b.order[n])
			c.Results = append(c.Results, n)
			choices = append(choices, c)
		default:
			in.Steps = append(in.Steps, &Step{Node: n, order: b.order[n]})
			n.Uses(func(v *Value, _ bool) { b.use(in, v) })
		}
	}
	for _, c := range choices { // which now have the keys of all nodes
		for _, n := range c.Results {
			for i, arm := range c.Arms {
				b.use(arm, c.Value(n, i).V)
			}
		}
	}
}

// use records that a block reads v.
func (b *branching) use(in *Block, v *Value) {
	if v == nil || !b.has(v) {
		return
	}
	if v.Node.Mem != nil { // memories are read before they are written
		for x := in; x != nil; x = x.up {
			if x.after[v.Node.Mem] {
				in = x.up
			}
		}
	}
	if old := b.blocks[v.Node]; old != nil {
		in = common(old, in)
	}
	b.blocks[v.Node] = in
}

// choice returns the choice in a block that n belongs to, with an arm for each of its keys.
func (b *branching) choice(in *Block, n *Node, order int) *Choice {
	return b.choiceOn(in, n.Args[0], n.keys(), n.Cases != nil, order)
}

// choiceOn returns the choice by a number in a block, with arms for keys.
func (b *branching) choiceOn(in *Block, on Operand, keys []uint64, switched bool, order int) *Choice {
	key := choiceKey{in, on.V, on.Ref(0).Lane, switched, order}
	c := b.choices[key]
	if c == nil {
		c = &Choice{On: on, Arms: []*Block{in.arm()}}
		b.choices[key], b.all = c, append(b.all, c)
		in.Steps = append(in.Steps, &Step{Choice: c, order: order})
		b.use(in, on.V)
	}
	for _, k := range keys {
		if n := len(c.Keys); !slices.Contains(c.Keys, k) {
			c.Keys, c.Arms = append(c.Keys, k), slices.Insert(c.Arms, n, in.arm())
		}
	}
	return c
}

// arm returns a new block inside in.
func (in *Block) arm() *Block { return &Block{up: in, depth: in.depth + 1} }

// demote makes choices evaluate both arguments where arms would save less than a branch costs. It
// reports whether there are any.
func (b *branching) demote() (found bool) {
	for _, c := range b.all {
		if len(c.Results) == 0 || c.cost() >= branchCost*len(c.Results[0].keys()) {
			continue
		}
		for _, n := range c.Results {
			found = found || !b.chosen[n]
			b.chosen[n] = true
		}
	}
	return found
}

// finish sorts the steps and orders commits.
func (b *branching) finish() {
	b.u.Body.each(func(in *Block) {
		slices.SortStableFunc(in.Steps, func(x, y *Step) int { return x.order - y.order })
		in.orderCommits()
	})
	b.u.Kept = b.u.Body.overwritten()
}

// mostDepth is the maximum number of arms around a choice. Deeper code takes Go's parser and compiler
// more than linear time.
const mostDepth = 24

// branchCost is the cost of a branch, which a processor may mispredict.
const branchCost = 3

// cost returns the number of operations in the arms of c. Several results share its branch.
func (c *Choice) cost() (sum int) {
	for _, arm := range c.Arms {
		sum += arm.cost()
	}
	return sum + len(c.Results) - 1
}

func (b *Block) cost() (sum int) {
	for _, s := range b.Steps {
		switch {
		case s.Node != nil:
			sum += s.Node.cost()
		case s.Choice != nil:
			sum += branchCost - 1 + s.Choice.cost()
		default:
			sum++
		}
	}
	return sum
}

// cost returns the approximate number of instructions that compute n, a node of a single lane.
func (n *Node) cost() int {
	words := ir.Words(n.Width)
	switch n.Code {
	case ir.Concat, ir.And, ir.Or, ir.Xor:
		if n.List != nil {
			return 2 * n.List.N
		}
		return words * max(1, len(n.Args)-1)
	case ir.Mux:
		return 2 * words * len(n.keys())
	case ir.MemRead:
		return 2 * words
	case ir.Mul, ir.Elem, ir.Select, ir.EqLanes, ir.Update, ir.Route, ir.VecOf:
		return 3 * max(words, n.Lanes)
	}
	return words
}
