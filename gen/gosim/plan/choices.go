package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// fewestCases is the minimum number of comparisons to replace by a choice between values. Fewer
// comparisons are cheaper than a branch on the number, which a processor may mispredict.
const fewestCases = 16

// fewestArms is the minimum number of comparisons to replace by a choice between computations. Each
// comparison would be a branch.
const fewestArms = 3

// choices merges many comparisons of a single lane with constants into one node. It handles chains
// of multiplexers, such as a read of registers by address, and disjunctions.
func (p *Plan) choices() {
	c := &choosing{uses: map[*Value]int{}, stored: map[*Node]bool{}, taken: map[*Node]bool{}}
	nodes := p.sorted()
	for _, n := range nodes {
		n.Uses(func(v *Value, _ bool) { c.uses[v]++ })
	}
	p.roots(func(v *Value) { c.uses[v]++ })
	for _, r := range p.Regs {
		c.stored[r.D.V.Node] = c.uses[r.D.V] == 1
	}
	for i := len(nodes) - 1; i >= 0; i-- { // visit the last node of a chain first
		n := nodes[i]
		if n.Lanes > 1 || n.Width > 64 || n.Code != ir.Mux && n.Code != ir.Or {
			continue
		}
		for _, a := range n.Args { // registers take the value in an arm
			if a.V != nil && a.V.Node != nil && n.Code == ir.Mux && c.stored[n] && c.uses[a.V] == 1 {
				c.stored[a.V.Node] = true
			}
		}
		if c.taken[n] {
			continue
		}
		switch n.Code {
		case ir.Mux:
			c.chain(n)
		case ir.Or:
			c.disjunction(n)
		}
	}
}

type choosing struct {
	uses   map[*Value]int
	stored map[*Node]bool // nodes that compute next values of registers only
	taken  map[*Node]bool // nodes that other choices have absorbed
}

// chain turns n, the last of a chain of multiplexers that compare the same number, into a choice.
func (c *choosing) chain(n *Node) {
	x := Operand{}
	var cases []uint64
	var args []Operand
	for rest := (Operand{V: n.Out}); ; {
		m := rest.V.MadeBy(ir.Mux)
		if m == nil || m.Cases != nil || m != n && c.uses[rest.V] > 1 {
			args = append(args, rest)
			break
		}
		number, k, ok := compared(m.Args[0])
		if !ok || x.V != nil && number.V != x.V {
			args = append(args, rest)
			break
		}
		x, rest = number, m.Args[2]
		cases, args = append(cases, k), append(args, m.Args[1])
		c.taken[m] = true
	}
	fewest := fewestCases
	if c.stored[n] || c.computed(args) >= branchCost*len(cases) {
		fewest = fewestArms
	}
	n.choose(x, cases, args, fewest)
}

// computed returns the cost of values that nothing else uses.
func (c *choosing) computed(args []Operand) (sum int) {
	for _, a := range args {
		if v := a.V; v != nil && v.Node != nil && c.uses[v] == 1 {
			sum += v.Node.cost() + c.computed(v.Node.Args)
		}
	}
	return sum
}

// disjunction turns n into a choice if n reports whether a number equals one of several constants.
func (c *choosing) disjunction(n *Node) {
	x := Operand{}
	var cases []uint64
	var visit func(m *Node) bool
	visit = func(m *Node) bool {
		c.taken[m] = true
		for _, a := range m.Args {
			if or := a.V.MadeBy(ir.Or); or != nil && c.uses[a.V] == 1 {
				if !visit(or) {
					return false
				}
				continue
			}
			number, k, ok := compared(a)
			if !ok || x.V != nil && number.V != x.V {
				return false
			}
			x, cases = number, append(cases, k)
		}
		return true
	}
	if !visit(n) {
		return
	}
	args := make([]Operand, len(cases), len(cases)+1)
	for i := range args {
		args[i] = Always
	}
	n.choose(x, cases, append(args, Never), fewestCases)
}

// compared returns the operands x and k if o is the comparison x == k with a constant k.
func compared(o Operand) (x Operand, k uint64, ok bool) {
	n := o.V.MadeBy(ir.Eq)
	if n == nil || n.Lanes > 1 {
		return x, 0, false
	}
	for i, a := range n.Args {
		if x = n.Args[1-i]; a.K != nil && a.Width <= 64 && x.V != nil && x.V.Lanes == 1 {
			return x, a.K[0], true
		}
	}
	return x, 0, false
}

// choose makes n return the argument of the first case that equals x, or else the last argument. It
// does nothing if there are few cases.
func (n *Node) choose(x Operand, cases []uint64, args []Operand, fewest int) {
	if len(cases) < fewest {
		return
	}
	n.Code, n.Args, n.Cases = ir.Mux, append([]Operand{x}, args...), cases
}
