package verilog

import (
	"maps"

	"github.com/hotline-rtl/hotline/hw/ir"
)

func (b *builder) stmts(list []ir.Stmt) []stmt {
	var out []stmt
	for i, st := range list {
		switch st := st.(type) {
		case *ir.Assign:
			b.target = st.LHS.Sig.Name
			out = append(out, b.set(st)...)
		case *ir.MemWrite:
			b.target = st.Mem.Name
			out = append(out, b.guarded(st.Addr, st.Mem.Depth, b.write(st)...)...)
		case *ir.When:
			b.target = firstTarget(list[i : i+1])
			n := &ifStmt{cond: b.chooser(st.Cond), src: b.src(st.Pos)}
			n.then, n.els = b.branch(st.Then), b.branch(st.Else)
			out = append(out, joinIf(n))
		case *ir.Switch:
			b.target = firstTarget(list[i : i+1])
			out = append(out, b.choose(st))
		case *ir.Assert:
			b.target = "assert"
			out = append(out, b.claim(st))
		}
	}
	return out
}

// branch translates statements under a condition: what they assign has no value
// for what follows.
func (b *builder) branch(list []ir.Stmt) []stmt {
	before := b.defaulted
	b.defaulted = maps.Clone(before)
	out := b.stmts(list)
	b.defaulted = before
	return out
}

// joinIf makes one condition of s and of an if that is all that s contains.
func joinIf(s *ifStmt) *ifStmt {
	if len(s.then) == 1 && len(s.els) == 0 {
		if in, ok := s.then[0].(*ifStmt); ok && len(in.els) == 0 && in.src == "" {
			s.cond, s.then = &binary{"&&", s.cond, in.cond}, in.then
		}
	}
	return s
}

func (b *builder) set(st *ir.Assign) []stmt {
	l, rhs := st.LHS, st.RHS
	if e := uncast(rhs); b.updatesItself(l, e) {
		l.Dyn, rhs = e.Args[1], e.Args[2]
	}
	n := &setStmt{rhs: b.value(rhs, l.Sig), nonblocking: l.Sig.Kind == ir.Reg, src: b.src(st.Pos)}
	if o := b.locals[localKey(l)]; o != nil && l.Part {
		n.lhs = &ident{o}
		if l.Bits > 0 {
			n.lhs = selectBits(n.lhs, l.Lo, l.Bits)
		}
	} else {
		n.lhs = b.lvalue(l)
	}
	if l.Dyn != nil {
		return b.guarded(l.Dyn, l.Sig.Type.Len, n)
	}
	if b.defaulted != nil && !l.Part && l.Bits == 0 {
		b.defaulted[l.Sig] = true
	}
	return []stmt{n}
}

// updatesItself tells whether l becomes what it was except for an element. If
// that is the only assignment, it is one of the element.
func (b *builder) updatesItself(l ir.LValue, rhs *ir.Expr) bool {
	if l.Part || l.Dyn != nil || l.Bits > 0 || l.Sig.Kind != ir.Reg || rhs.Op != ir.Update {
		return false
	}
	old := uncast(rhs.Args[0])
	return old.Op == ir.Ref && old.Sig == l.Sig && len(b.u.values[l.Sig]) == 1
}

// firstTarget names what the first assignment in list drives.
func firstTarget(list []ir.Stmt) string {
	name := ""
	ir.WalkStmts(list, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Assign:
			if name == "" {
				name = st.LHS.Sig.Name
			}
		case *ir.MemWrite:
			if name == "" {
				name = st.Mem.Name
			}
		}
	})
	return name
}
