package ir

import "fmt"

// Unread returns the signals and memories that nothing in their module reads. Most of them are
// forgotten connections. It considers inputs, wires, registers, memories and outputs of instances,
// but not signals marked as Unused. A register read only by its own next value counts as unread.
func Unread(d *Design) (out []Problem) {
	for _, m := range d.Modules {
		if m.Extern == nil {
			out = append(out, unread(m)...)
		}
	}
	return out
}

func unread(m *Module) (out []Problem) {
	r := reads{signals: map[*Signal]bool{}, mems: map[*Mem]bool{}}
	m.Body.Walk(func(s *Scope) { WalkStmts(s.Stmts, r.statement) })
	report := func(what string, pos Pos) {
		out = append(out, Problem{ID: "unused", Module: m.Name, Text: "nothing reads " + what, Pos: pos})
	}
	m.Body.Walk(func(s *Scope) {
		for _, g := range s.Signals {
			if what := m.readable(g); what != "" && !r.signals[g] && !g.Unused {
				report(what+"; connect it, or say so with Unused", g.Pos)
			}
		}
		for _, g := range s.Mems {
			if !r.mems[g] {
				report(fmt.Sprintf("memory %q", g.Name), g.Pos)
			}
		}
	})
	return out
}

// reads contains the signals and memories that are read.
type reads struct {
	signals map[*Signal]bool
	mems    map[*Mem]bool
}

// statement records the signals and memories that a statement reads.
func (r reads) statement(st Stmt) {
	var own *Signal
	if a, ok := st.(*Assign); ok {
		own = a.LHS.Sig
	}
	visited := map[*Expr]bool{}
	for _, e := range st.Exprs() {
		WalkExpr(e, visited, func(x *Expr) {
			switch {
			case x.Op == MemRead:
				r.mems[x.Mem] = true
			case x.Op == Ref && x.Sig != own:
				r.signals[x.Sig] = true
			}
		})
	}
}

// readable describes a signal that should be read. It returns "" for other signals.
func (m *Module) readable(g *Signal) string {
	switch {
	case g.Kind == Output, g.Pin != nil && g.Pin.Port.Kind == Input:
		return ""
	case g.Pin != nil:
		return fmt.Sprintf("output %q of instance %q", g.Pin.Port.Name, g.Pin.Inst.Name)
	}
	for _, d := range m.Domains {
		if g == d.Clock || g == d.Reset {
			return ""
		}
	}
	return fmt.Sprintf("%s %q", g.Kind, g.Name)
}
