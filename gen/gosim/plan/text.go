package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// String formats all of p: registers, memories, and nodes, by unit if there are units.
func (p *Plan) String() string {
	var b strings.Builder
	for i, v := range p.Inputs {
		if v != nil {
			fmt.Fprintf(&b, "input %s %s%s\n", v, p.port(i), p.placement(v))
		}
	}
	for _, r := range p.Regs {
		fmt.Fprintf(&b, "%s%s\n", r, p.placement(r.Q))
	}
	for _, m := range p.Mems {
		fmt.Fprintf(&b, "memory m%d: %d of %d x %d bits %s\n", m.ID, m.Lanes, m.Depth, m.Width, p.D.Mems[m.List[0]].Path)
		for _, w := range m.Writes {
			fmt.Fprintf(&b, "  write %d lanes at %s: enable %s address %s data %s\n", w.Lanes, w.At, w.Enable, w.Addr, w.Data)
		}
	}
	if p.Units == nil {
		for _, n := range p.sorted() {
			fmt.Fprintf(&b, "%s\n", p.nodeText(n))
		}
	}
	for _, u := range p.Units {
		b.WriteString(p.UnitText(u))
	}
	if p.Preview != nil && p.Preview.Body != nil {
		b.WriteString("between edges:\n")
		p.blockText(&b, p.Preview.Body, "  ")
	}
	for i, refs := range p.Outputs {
		if refs != nil {
			fmt.Fprintf(&b, "output %s =%s\n", p.port(i), refsText(refs))
		}
	}
	return b.String()
}

// port returns the name of a port, followed by its Go name if it has one.
func (p *Plan) port(i int) string {
	name := p.D.Ports[i].Sig.Name
	if p.Names != nil {
		name += " as " + p.Names[i]
	}
	return name
}

// UnitText formats u with its nodes.
func (p *Plan) UnitText(u *Unit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "u%d: %s\n", u.ID, u.Describe())
	if u.Body != nil {
		for _, q := range u.Kept {
			fmt.Fprintf(&b, "  keep v%d %s\n", q.ID, q.Doc)
		}
		p.blockText(&b, u.Body, "  ")
		return b.String()
	}
	for _, n := range u.Nodes {
		fmt.Fprintf(&b, "  %s\n", p.nodeText(n))
	}
	return b.String()
}

// blockText formats the steps of a block.
func (p *Plan) blockText(b *strings.Builder, block *Block, indent string) {
	for _, s := range block.Steps {
		switch c := s.Choice; {
		case s.Node != nil:
			fmt.Fprintf(b, "%s%s\n", indent, p.nodeText(s.Node))
		case c == nil:
			fmt.Fprintf(b, "%s%s\n", indent, s.Commit)
		default:
			for i, arm := range c.Arms {
				if i < len(c.Keys) {
					fmt.Fprintf(b, "%sif %s is %#x:\n", indent, c.On, c.Keys[i])
				} else {
					fmt.Fprintf(b, "%sotherwise:\n", indent)
				}
				p.blockText(b, arm, indent+"  ")
			}
			for _, n := range c.Results {
				fmt.Fprintf(b, "%s%s\n", indent, p.nodeText(n))
			}
		}
	}
}

// String describes what c stores.
func (c *Commit) String() string {
	switch {
	case c.Reg != nil:
		return fmt.Sprintf("set v%d %s to %s", c.Reg.Q.ID, c.Reg.Q.Doc, c.Value)
	case c.Mem != nil:
		return fmt.Sprintf("write m%d address %s data %s", c.Mem.ID, c.Addr, c.Value)
	}
	return "fill outputs"
}

// Describe summarizes u for a comment.
func (u *Unit) Describe() string {
	s := fmt.Sprintf("%d operations", len(u.Nodes))
	if len(u.Nodes) == 1 {
		s = "one operation, " + u.Nodes[0].Code.String()
	}
	switch {
	case u.Mask != nil:
		s += fmt.Sprintf(" on some of %d lanes", u.Lanes)
	case u.Kind == Packed:
		s += fmt.Sprintf(" on %d lanes, %d at once", u.Lanes, 64/u.Elem)
	case u.Kind == Words:
		s += fmt.Sprintf(" on %d lanes at once", u.Lanes)
	case u.Lanes > 1:
		s += fmt.Sprintf(" on %d lanes", u.Lanes)
	}
	if place := strings.TrimPrefix(u.Nodes[0].Place, "."); place != "" {
		s += ", " + place
	}
	return s
}

// placement describes where v is stored and who reads it, once storage has been decided.
func (p *Plan) placement(v *Value) string {
	switch {
	case v.Port != "":
		return ", in place"
	case p.Readers == nil || !v.Stored:
		return ""
	}
	s := ", stored"
	for _, m := range p.Readers[v] {
		switch {
		case m >= CommitMark:
			s += fmt.Sprintf(" for commit %d", m-CommitMark)
		case m >= MemMark:
			s += fmt.Sprintf(" for writes of m%d", m-MemMark)
		case m == len(p.Units):
			s += " for outputs"
		default:
			s += fmt.Sprintf(" for u%d", m)
		}
	}
	return s
}

// String returns the number and the shape of v.
func (v *Value) String() string {
	s := fmt.Sprintf("v%d:%d", v.ID, v.Width)
	if v.Lanes > 1 {
		s = fmt.Sprintf("v%d:%dx%d", v.ID, v.Lanes, v.Width)
	}
	if v.Of != nil {
		s = "bits " + s
	}
	return s
}

// String formats r with its operands.
func (r *Regs) String() string {
	s := fmt.Sprintf("register %s %s takes %s", r.Q, r.Q.Doc, r.D)
	if r.Mask != nil {
		s += fmt.Sprintf(" where v%d", r.Mask.ID)
	}
	if r.Clear != nil {
		s += fmt.Sprintf(" cleared by v%d", r.Clear.ID)
	}
	if r.Init != nil {
		s += fmt.Sprintf(" begins with %#x", r.Init)
	}
	return s
}

// String returns the result and the operator of n.
func (n *Node) String() string { return fmt.Sprintf("v%d = %s", n.Out.ID, n.Code) }

// nodeText formats all of n, with its place in the design and in the source.
func (p *Plan) nodeText(n *Node) string {
	s := fmt.Sprintf("%s = %s", n.Out, n.Code)
	for _, a := range n.Args {
		s += " " + a.String()
	}
	if l := n.List; l != nil {
		s += fmt.Sprintf(" [v%d[%s + %d*k] k < %d]", l.V.ID, l.Base, l.Stride, l.N)
	}
	if n.Moves != nil {
		s += refsText(n.Moves)
	}
	if n.Mem != nil {
		s += fmt.Sprintf(" of m%d[%s]", n.Mem.ID, n.MemAt)
	}
	if n.Cases != nil {
		s += fmt.Sprintf(" for %#x", n.Cases)
	}
	if n.Code == ir.Slice {
		s += fmt.Sprintf(" from bit %s", n.Lo)
	}
	if n.mask != nil {
		s += fmt.Sprintf(" where v%d", n.mask.ID)
	}
	if n.elem > 0 {
		s += fmt.Sprintf(" in lanes of %d", n.elem)
	}
	s += p.placement(n.Out)
	if n.Place != "" {
		s += " # " + strings.TrimPrefix(n.Place, ".")
	}
	if frames := n.pos.Frames(); len(frames) > 0 {
		s += " # " + frames[0].String()
	}
	return s
}

// String formats the values or constants that o reads in lane l.
func (o Operand) String() string {
	switch {
	case o.K != nil:
		return fmt.Sprintf("%d'%s", o.Width, number(o.K))
	case o.Ks != nil:
		all := make([]string, len(o.Ks))
		for i, k := range o.Ks {
			all[i] = number(k)
		}
		return fmt.Sprintf("%d'{%s}", o.Width, strings.Join(all, " "))
	case o.Table != nil:
		return fmt.Sprintf("v%d%v", o.V.ID, o.Table)
	case o.V.Lanes == 1:
		return fmt.Sprintf("v%d", o.V.ID)
	}
	return fmt.Sprintf("v%d[%s]", o.V.ID, o.At)
}

// number formats little-endian words as a number.
func number(words []uint64) string {
	var b strings.Builder
	for i, w := range slices.Backward(words) {
		switch {
		case b.Len() > 0:
			fmt.Fprintf(&b, "%016x", w)
		case w != 0 || i == 0:
			fmt.Fprintf(&b, "%#x", w)
		}
	}
	return b.String()
}

// String returns f as a formula of l.
func (f Form) String() string {
	var terms []string
	for _, t := range f.Terms {
		s := "l"
		if t.Div > 1 {
			s += fmt.Sprintf("/%d", t.Div)
		}
		if t.Mod > 0 {
			s += fmt.Sprintf("%%%d", t.Mod)
		}
		if t.Mul != 1 {
			s += fmt.Sprintf("*%d", t.Mul)
		}
		terms = append(terms, s)
	}
	if f.Add != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(f.Add))
	}
	return strings.Join(terms, "+")
}

// refsText formats lanes of values and constants, and combines runs.
func refsText(refs []Ref) string {
	var b strings.Builder
	for _, r := range Runs(refs, 0) {
		switch {
		case r.From.V == nil && r.N > 1:
			fmt.Fprintf(&b, " %d constants", r.N)
		case r.From.V == nil:
			fmt.Fprintf(&b, " %s", number(r.From.K))
		case r.N == 1 && r.From.V.Lanes == 1:
			fmt.Fprintf(&b, " v%d", r.From.V.ID)
		case r.N == 1:
			fmt.Fprintf(&b, " v%d[%d]", r.From.V.ID, r.From.Lane)
		default:
			fmt.Fprintf(&b, " v%d[%d+%d*k k<%d]", r.From.V.ID, r.From.Lane, r.Stride, r.N)
		}
	}
	return b.String()
}
