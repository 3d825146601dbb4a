package plan

import (
	"maps"
	"slices"
	"sort"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// planner groups the statements of one scope.
type planner struct {
	mod   *Module
	s     *Scope
	whole map[*ir.Signal]bool
	order []*driver
	by    map[target]*driver
}

// group decides which statements of s and of the scopes in it form which item.
func (mod *Module) group(s *Scope) {
	for _, in := range s.Inner {
		mod.group(in)
	}
	p := &planner{mod: mod, s: s, whole: map[*ir.Signal]bool{}, by: map[target]*driver{}}
	ir.WalkStmts(s.stmts, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok && !a.LHS.Part {
			p.whole[a.LHS.Sig] = true
		}
	})
	for i, st := range s.stmts {
		p.collect(i, st, false)
	}
	s.Items = append(s.Items, p.clocked()...)
	s.Items = append(s.Items, p.combinational()...)
	sort.SliceStable(s.Items, func(i, j int) bool { return s.Items[i].at < s.Items[j].at })
	s.Items = append(s.Items, p.formal()...)
	p.place()
}

// body returns what the group's statements do to its members.
func (p *planner) body(g *group) []ir.Stmt {
	in := map[target]*driver{}
	var at []int
	for _, d := range g.members {
		in[d.target] = d
		at = append(at, d.at...)
	}
	slices.Sort(at)
	var out []ir.Stmt
	for _, i := range slices.Compact(at) {
		out = append(out, project(p.s.stmts[i:i+1], func(leaf ir.Stmt) bool {
			t, ok := p.targetOf(leaf)
			return ok && in[t] != nil && i >= in[t].at[0]
		})...)
	}
	return out
}

// clocked groups registers and memories by the statements that they share, and unconditional
// ones in a row.
func (p *planner) clocked() []Item {
	by := shared{}
	for n, d := range p.order {
		if d.clocked {
			by.add(d, n)
		}
	}
	var out []Item
	for _, g := range p.joinPlain(by.groups()) {
		out = append(out, p.always(g)...)
	}
	return out
}

// joinPlain joins adjacent groups without conditions, such as the registers of a pipeline
// stage. A wire between them that takes a value of the first ones separates two stages.
func (p *planner) joinPlain(groups []*group) []*group {
	taken := p.readers()
	var out []*group
	var last *group     // the end of out, if it is without conditions
	var begin, ends int // where it begins, and where a wire takes what it drives
	for _, g := range groups {
		first, plain := g.first(), !g.conditional()
		if last != nil && plain && first < ends {
			last.members = append(last.members, g.members...)
			ends = min(ends, taken.next(g, begin))
			continue
		}
		out, last = append(out, g), nil
		if plain {
			last, begin, ends = g, first, taken.next(g, first)
		}
	}
	return out
}

// always splits a group by clock, and by whether the reset acts on it.
func (p *planner) always(g *group) []Item {
	var out []Item
	for _, domain := range append([]*ir.Domain{nil}, p.mod.IR.Domains...) {
		for _, reset := range []bool{true, false} {
			part := &group{}
			for _, d := range g.members {
				if d.domain == domain && d.reset == reset {
					part.members = append(part.members, d)
				}
			}
			if len(part.members) > 0 {
				out = append(out, Item{Kind: Clocked, at: part.place(), Stmts: p.body(part), Drives: part.lhs(), Domain: domain})
			}
		}
	}
	return out
}

// combinational makes an assign of each wire with one plain assignment. It groups the others
// by the statements that they share, as far as nothing in a group depends on another member.
func (p *planner) combinational() []Item {
	var out []Item
	var groups []*group
	by := candidates{}
	for _, d := range p.order {
		if d.clocked {
			continue
		}
		if !d.conditional {
			g := &group{members: []*driver{d}}
			out = append(out, p.wires(Assign, d.at[0], g))
			continue
		}
		g := by.first(d, func(g *group) bool { return p.independent(g, d) })
		if g == nil {
			g = &group{number: len(groups)}
			groups = append(groups, g)
		}
		p.join(g, d)
		by.put(g, d)
	}
	for _, g := range groups {
		out = append(out, p.wires(Comb, g.lastDefault(), g))
	}
	return out
}

// wires plans a group of wires. A block that reads only constants would never run, so it
// becomes assigns. So does a vector that depends on itself: tools see that its elements do not
// depend on themselves only if each has its own assign. A plain assignment of a loop becomes
// a block.
func (p *planner) wires(kind Kind, at int, g *group) Item {
	it := Item{Kind: kind, at: at, Stmts: p.body(g), Drives: g.lhs()}
	switch {
	case kind == Comb && (len(stmtReads(it.Stmts)) == 0 || joinsBits(it)), p.mod.Elementwise(it.Drives[0]):
		it.Kind = Mux
	case kind == Assign && isBlock(it.Stmts[0].(*ir.Assign)):
		it.Kind = Block
	}
	return it
}

// joinsBits reports whether an item only gives the bits of one wire values, without a
// condition.
func joinsBits(it Item) bool {
	return len(it.Drives) == 1 && !slices.ContainsFunc(it.Stmts, func(st ir.Stmt) bool {
		a, ok := st.(*ir.Assign)
		return !ok || a.LHS.Dyn != nil
	})
}

// independent reports whether neither d nor any member of g depends on d or a member.
func (p *planner) independent(g *group, d *driver) bool {
	if g.reach == nil {
		first := g.members[0].of.(*ir.Signal)
		g.signals, g.reach = signalSet{first: true}, maps.Clone(p.mod.reaches(first))
	}
	s := d.of.(*ir.Signal)
	reach := p.mod.reaches(s)
	if g.reach[s] || reach[s] || len(g.members) == 1 && g.reach[g.members[0].of.(*ir.Signal)] {
		return false
	}
	return !intersect(reach, g.signals)
}

// join adds d to g, which is empty or independent of it.
func (p *planner) join(g *group, d *driver) {
	g.members = append(g.members, d)
	if g.reach != nil {
		s := d.of.(*ir.Signal)
		g.signals[s] = true
		maps.Copy(g.reach, p.mod.reaches(s))
	}
}

// formal plans the assertions of each clock.
func (p *planner) formal() []Item {
	var out []Item
	for _, domain := range append([]*ir.Domain{nil}, p.mod.IR.Domains...) {
		asserts := func(st ir.Stmt) bool { a, ok := st.(*ir.Assert); return ok && a.Domain == domain }
		if stmts := project(p.s.stmts, asserts); len(stmts) > 0 {
			checks := project(stmts, func(st ir.Stmt) bool { return st.(*ir.Assert).Kind != ir.Covered })
			out = append(out, Item{Kind: Formal, at: len(p.s.stmts), Stmts: stmts, Checks: checks, Domain: domain})
		}
	}
	return out
}
