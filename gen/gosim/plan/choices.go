package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// fewestCases is the minimum number of comparisons to replace by a choice. Fewer comparisons are
// cheaper than a branch on the number, which a processor may mispredict.
const fewestCases = 16

// choices merges many comparisons of a single lane with constants into one node. It handles chains
// of multiplexers, such as a read of registers by address, and disjunctions.
func (p *Plan) choices() {
	c := &choosing{uses: map[*Value]int{}, taken: map[*Node]bool{}}
	nodes := p.sorted()
	for _, n := range nodes {
		n.Uses(func(v *Value, _ bool) { c.uses[v]++ })
	}
	p.roots(func(v *Value) { c.uses[v]++ })
	for i := len(nodes) - 1; i >= 0; i-- { // visit the last node of a chain first
		n := nodes[i]
		if n.Lanes > 1 || n.Width > 64 || c.taken[n] {
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
	uses  map[*Value]int
	taken map[*Node]bool // nodes that other choices have absorbed
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
	n.choose(x, cases, args)
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
	n.choose(x, cases, append(args, Never))
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
func (n *Node) choose(x Operand, cases []uint64, args []Operand) {
	if len(cases) < fewestCases {
		return
	}
	n.Code, n.Args, n.Cases = ir.Mux, append([]Operand{x}, args...), cases
}
