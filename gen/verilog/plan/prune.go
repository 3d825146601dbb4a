package plan

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// prune removes the assignments to everything that no output port, input of an instance or
// assertion depends on.
func (mod *Module) prune() {
	p := &pruner{needs: map[any][]any{}, live: map[any]bool{}}
	mod.Body.Walk(func(s *Scope) { p.collect(s.stmts, nil) })
	mod.Body.Walk(func(s *Scope) {
		for _, sig := range s.IR.Signals {
			if sig.Kind == ir.Output || sig.Pin != nil && sig.Pin.Port.Kind == ir.Input {
				p.mark(sig)
			}
		}
	})
	for _, r := range p.roots {
		p.mark(r)
	}
	mod.needs = p.needs
	mod.Body.Walk(func(s *Scope) {
		s.stmts = p.filter(s.stmts)
		ir.WalkStmts(s.stmts, func(st ir.Stmt) {
			if a, ok := st.(*ir.Assign); ok {
				mod.Values[a.LHS.Sig] = append(mod.Values[a.LHS.Sig], a.RHS)
			}
		})
	})
	mod.Signals, mod.Mems = map[*ir.Signal]bool{}, map[*ir.Mem]bool{}
	for x := range p.live {
		switch x := x.(type) {
		case *ir.Signal:
			mod.Signals[x] = true
		case *ir.Mem:
			mod.Mems[x] = true
		}
	}
}

// pruner follows dependencies backwards. Keys are *ir.Signal and *ir.Mem.
type pruner struct {
	needs map[any][]any
	roots []any
	live  map[any]bool
}

// collect records what each assignment in list needs. The path holds the reads of the
// conditions around it.
func (p *pruner) collect(list []ir.Stmt, path []any) {
	for _, st := range list {
		own := append(append([]any(nil), path...), reads(st.Exprs()...)...)
		switch st := st.(type) {
		case *ir.Assign:
			p.needs[st.LHS.Sig] = append(p.needs[st.LHS.Sig], own...)
		case *ir.MemWrite:
			p.needs[st.Mem] = append(p.needs[st.Mem], own...)
		case *ir.Assert:
			p.roots = append(p.roots, own...)
		}
		for _, b := range st.Blocks() {
			p.collect(b, own)
		}
	}
}

// mark marks x, and what it depends on, as live.
func (p *pruner) mark(x any) {
	if p.live[x] {
		return
	}
	p.live[x] = true
	for _, n := range p.needs[x] {
		p.mark(n)
	}
}

// filter returns list without the assignments to what is not live.
func (p *pruner) filter(list []ir.Stmt) []ir.Stmt {
	return project(list, func(st ir.Stmt) bool {
		switch st := st.(type) {
		case *ir.Assign:
			return p.live[st.LHS.Sig]
		case *ir.MemWrite:
			return p.live[st.Mem]
		}
		return true
	})
}

// project returns the leaf statements that keep accepts, with the conditions around them.
func project(list []ir.Stmt, keep func(ir.Stmt) bool) []ir.Stmt {
	var out []ir.Stmt
	for _, st := range list {
		switch st := st.(type) {
		case *ir.When:
			n := &ir.When{Cond: st.Cond, Then: project(st.Then, keep), Else: project(st.Else, keep), Pos: st.Pos}
			if len(n.Then) == 0 {
				n.Cond, n.Then, n.Else = simplify.Node(n.Cond, ir.Not, 1, n.Cond), n.Else, nil
			}
			if len(n.Then) > 0 {
				out = append(out, n)
			}
		case *ir.Switch:
			n := &ir.Switch{Of: st.Of, Default: project(st.Default, keep), Pos: st.Pos}
			any := len(n.Default) > 0
			for _, c := range st.Cases {
				k := &ir.Case{Values: c.Values, Body: project(c.Body, keep), Pos: c.Pos}
				n.Cases = append(n.Cases, k)
				any = any || len(k.Body) > 0
			}
			if any {
				out = append(out, n)
			}
		default:
			if keep(st) {
				out = append(out, st)
			}
		}
	}
	return out
}
