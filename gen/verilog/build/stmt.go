package build

import (
	"maps"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// stmts translates statements.
func (b *builder) stmts(list []ir.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
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
			n := &syntax.IfStmt{Cond: b.chooser(st.Cond), Src: b.src(st.Pos)}
			n.Then, n.Else = b.branch(st.Then), b.branch(st.Else)
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

// branch translates statements under a condition. What they assign has no value for the
// statements after them.
func (b *builder) branch(list []ir.Stmt) []syntax.Stmt {
	before := b.defaulted
	b.defaulted = maps.Clone(before)
	out := b.stmts(list)
	b.defaulted = before
	return out
}

// joinIf merges s with an if that is all that s contains.
func joinIf(s *syntax.IfStmt) *syntax.IfStmt {
	if len(s.Then) == 1 && len(s.Else) == 0 {
		if in, ok := s.Then[0].(*syntax.IfStmt); ok && len(in.Else) == 0 && in.Src == "" {
			s.Cond, s.Then = &syntax.Binary{Op: "&&", X: s.Cond, Y: in.Cond}, in.Then
		}
	}
	return s
}

// set translates an assignment.
func (b *builder) set(st *ir.Assign) []syntax.Stmt {
	l, rhs := st.LHS, st.RHS
	if e := simplify.Uncast(rhs); b.updatesItself(l, e) {
		l.Dyn, rhs = e.Args[1], e.Args[2]
	}
	n := &syntax.SetStmt{Rhs: b.value(rhs, l.Sig), Nonblocking: l.Sig.Kind == ir.Reg, Src: b.src(st.Pos)}
	if o := b.locals[simplify.TargetOf(l)]; o != nil && l.Part {
		n.Lhs = &syntax.Ident{Obj: o}
		if l.Bits > 0 {
			n.Lhs = syntax.SelectBits(n.Lhs, l.Lo, l.Bits)
		}
	} else {
		n.Lhs = b.lvalue(l)
	}
	if l.Dyn != nil {
		return b.guarded(l.Dyn, l.Sig.Type.Len, n)
	}
	if b.defaulted != nil && !l.Part && l.Bits == 0 {
		b.defaulted[l.Sig] = true
	}
	return []syntax.Stmt{n}
}

// updatesItself reports whether an assignment only replaces an element of l. If it is the only
// one, it is written as an assignment to the element.
func (b *builder) updatesItself(l ir.LValue, rhs *ir.Expr) bool {
	if l.Part || l.Dyn != nil || l.Bits > 0 || l.Sig.Kind != ir.Reg || rhs.Op != ir.Update {
		return false
	}
	old := simplify.Uncast(rhs.Args[0])
	return old.Op == ir.Ref && old.Sig == l.Sig && len(b.plan.Values[l.Sig]) == 1
}

// firstTarget returns the name that the first assignment in list drives.
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
