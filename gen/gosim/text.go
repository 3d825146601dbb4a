package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// String is all of p as text: registers, memories, and nodes by unit, if there are any.
func (p *plan) String() string {
	var b strings.Builder
	for i, v := range p.inputs {
		if v != nil {
			fmt.Fprintf(&b, "input %s %s%s\n", v, p.port(i), p.told(v))
		}
	}
	for _, r := range p.regs {
		fmt.Fprintf(&b, "%s%s\n", r, p.told(r.q))
	}
	for _, m := range p.mems {
		fmt.Fprintf(&b, "memory m%d: %d of %d x %d bits %s\n", m.id, m.lanes, m.depth, m.width, p.d.Mems[m.list[0]].Path)
		for _, w := range m.writes {
			fmt.Fprintf(&b, "  write %d lanes at %s: enable %s address %s data %s\n", w.lanes, w.at, w.enable, w.addr, w.data)
		}
	}
	if p.units == nil {
		for _, n := range p.sorted() {
			fmt.Fprintf(&b, "%s\n", p.nodeText(n))
		}
	}
	for _, u := range p.units {
		b.WriteString(p.unitText(u))
	}
	for i, refs := range p.outputs {
		if refs != nil {
			fmt.Fprintf(&b, "output %s =%s\n", p.port(i), refsText(refs))
		}
	}
	return b.String()
}

// port is the name of a port, and that in Go once it has one.
func (p *plan) port(i int) string {
	name := p.d.Ports[i].Sig.Name
	if p.names != nil {
		name += " as " + p.names[i]
	}
	return name
}

// unitText is u with its nodes.
func (p *plan) unitText(u *unit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "u%d: %s\n", u.id, u.describe())
	for _, n := range u.nodes {
		fmt.Fprintf(&b, "  %s\n", p.nodeText(n))
	}
	return b.String()
}

// describe is what u is, for a comment.
func (u *unit) describe() string {
	s := fmt.Sprintf("%d operations", len(u.nodes))
	if len(u.nodes) == 1 {
		s = "one operation, " + u.nodes[0].code.String()
	}
	switch {
	case u.mask != nil:
		s += fmt.Sprintf(" on some of %d lanes", u.lanes)
	case u.kind == packed:
		s += fmt.Sprintf(" on %d lanes, %d at once", u.lanes, 64/u.elem)
	case u.kind == words:
		s += fmt.Sprintf(" on %d lanes at once", u.lanes)
	case u.lanes > 1:
		s += fmt.Sprintf(" on %d lanes", u.lanes)
	}
	if place := strings.TrimPrefix(u.nodes[0].place, "."); place != "" {
		s += ", " + place
	}
	return s
}

// told is where v is kept and who is told of its changes, once that is known.
func (p *plan) told(v *value) string {
	switch {
	case v.port != "":
		return ", in place"
	case p.readers == nil || !v.stored:
		return ""
	}
	s := ", stored"
	for _, m := range p.readers[v] {
		switch {
		case m >= memMark:
			s += fmt.Sprintf(" for writes of m%d", m-memMark)
		case m == len(p.units):
			s += " for outputs"
		default:
			s += fmt.Sprintf(" for u%d", m)
		}
	}
	return s
}

// String is the number and the shape of v.
func (v *value) String() string {
	s := fmt.Sprintf("v%d:%d", v.id, v.width)
	if v.lanes > 1 {
		s = fmt.Sprintf("v%d:%dx%d", v.id, v.lanes, v.width)
	}
	if v.of != nil {
		s = "bits " + s
	}
	return s
}

// String is r with what it takes.
func (r *regs) String() string {
	s := fmt.Sprintf("register %s %s takes %s", r.q, r.q.doc, r.d)
	if r.mask != nil {
		s += fmt.Sprintf(" where v%d", r.mask.id)
	}
	if r.clear != nil {
		s += fmt.Sprintf(" cleared by v%d", r.clear.id)
	}
	if r.init != nil {
		s += fmt.Sprintf(" begins with %#x", r.init)
	}
	return s
}

// String is n in a few words.
func (n *node) String() string { return fmt.Sprintf("v%d = %s", n.out.id, n.code) }

// nodeText is all of n, with where it stands in the design and in its source.
func (p *plan) nodeText(n *node) string {
	s := fmt.Sprintf("%s = %s", n.out, n.code)
	for _, a := range n.args {
		s += " " + a.String()
	}
	if l := n.list; l != nil {
		s += fmt.Sprintf(" [v%d[%s + %d*k] k < %d]", l.v.id, l.base, l.stride, l.n)
	}
	if n.moves != nil {
		s += refsText(n.moves)
	}
	if n.mem != nil {
		s += fmt.Sprintf(" of m%d[%s]", n.mem.id, n.memAt)
	}
	if n.code == ir.Slice {
		s += fmt.Sprintf(" from bit %s", n.lo)
	}
	if n.mask != nil {
		s += fmt.Sprintf(" where v%d", n.mask.id)
	}
	if n.elem > 0 {
		s += fmt.Sprintf(" in lanes of %d", n.elem)
	}
	if n.when != nil {
		s += fmt.Sprintf(" if v%d", n.when.id)
	}
	s += p.told(n.out)
	if n.place != "" {
		s += " # " + strings.TrimPrefix(n.place, ".")
	}
	if frames := n.pos.Frames(); len(frames) > 0 {
		s += " # " + frames[0].String()
	}
	return s
}

// String is what o reads in lane l.
func (o operand) String() string {
	switch {
	case o.k != nil:
		return fmt.Sprintf("%d'%s", o.width, number(o.k))
	case o.ks != nil:
		all := make([]string, len(o.ks))
		for i, k := range o.ks {
			all[i] = number(k)
		}
		return fmt.Sprintf("%d'{%s}", o.width, strings.Join(all, " "))
	case o.table != nil:
		return fmt.Sprintf("v%d%v", o.v.id, o.table)
	case o.v.lanes == 1:
		return fmt.Sprintf("v%d", o.v.id)
	}
	return fmt.Sprintf("v%d[%s]", o.v.id, o.at)
}

// number are little-endian words as a number.
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

// String is f as a formula of l.
func (f form) String() string {
	var terms []string
	for _, t := range f.terms {
		s := "l"
		if t.div > 1 {
			s += fmt.Sprintf("/%d", t.div)
		}
		if t.mod > 0 {
			s += fmt.Sprintf("%%%d", t.mod)
		}
		if t.mul != 1 {
			s += fmt.Sprintf("*%d", t.mul)
		}
		terms = append(terms, s)
	}
	if f.add != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(f.add))
	}
	return strings.Join(terms, "+")
}

// refsText are lanes of values and constants, those that follow each other together.
func refsText(refs []ref) string {
	var b strings.Builder
	for _, r := range runs(refs, 0) {
		switch {
		case r.from.v == nil && r.n > 1:
			fmt.Fprintf(&b, " %d constants", r.n)
		case r.from.v == nil:
			fmt.Fprintf(&b, " %s", number(r.from.k))
		case r.n == 1 && r.from.v.lanes == 1:
			fmt.Fprintf(&b, " v%d", r.from.v.id)
		case r.n == 1:
			fmt.Fprintf(&b, " v%d[%d]", r.from.v.id, r.from.lane)
		default:
			fmt.Fprintf(&b, " v%d[%d+%d*k k<%d]", r.from.v.id, r.from.lane, r.stride, r.n)
		}
	}
	return b.String()
}
