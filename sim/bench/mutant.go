package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// mutant is a fault of one operator, constant or statement of a design.
type mutant struct {
	name         string // what, and where in the source
	insert, undo func()
}

// mutants are the faults of the modules of d: an operator exchanged for its
// neighbour, the alternatives of a multiplexer or of a When exchanged, a
// constant off by one, a reset value with its top bit inverted, a register or
// memory that is not written.
func mutants(d *ir.Design) []mutant {
	var out []mutant
	visited := map[*ir.Expr]bool{}
	for _, m := range d.Modules {
		m.Body.Walk(func(s *ir.Scope) {
			for _, g := range s.Signals {
				if g.HasReset {
					out = append(out, wrongReset(g))
				}
			}
			out = append(out, idle(&s.Stmts)...)
			ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
				if w, ok := st.(*ir.When); ok {
					out = append(out, swappedWhen(w))
					out = append(out, idle(&w.Then)...)
					out = append(out, idle(&w.Else)...)
				}
				if a, ok := st.(*ir.Assert); ok && a.Kind == ir.Covered {
					return // no engine looks
				}
				for _, e := range st.Exprs() {
					ir.WalkExpr(e, visited, func(e *ir.Expr) { out = append(out, faults(e)...) })
				}
			})
		})
	}
	return out
}

func wrongReset(s *ir.Signal) mutant {
	right := s.Init
	wrong := append([]uint64(nil), right...)
	top := s.Type.Width - 1
	wrong[top/64] ^= 1 << (top % 64)
	return mutant{fmt.Sprintf("reset value of %s at %s", s.Name, s.Pos), func() { s.Init = wrong }, func() { s.Init = right }}
}

// idle are the faults that a statement of a list has no effect: a register
// keeps its value, a memory is not written.
func idle(list *[]ir.Stmt) []mutant {
	var out []mutant
	for i, st := range *list {
		name := fmt.Sprintf("%T without effect at %s", st, st.Position())
		switch st := st.(type) {
		case *ir.MemWrite:
			off := &ir.When{Cond: &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 1}, Val: []uint64{0}, Pos: st.Pos}, Then: []ir.Stmt{st}, Pos: st.Pos}
			out = append(out, mutant{name, func() { (*list)[i] = off }, func() { (*list)[i] = st }})
		case *ir.Assign:
			if st.LHS.Sig.Kind == ir.Reg && st.LHS.Dyn == nil {
				right := st.RHS
				out = append(out, mutant{name, func() { st.RHS = held(st.LHS, st.Pos) }, func() { st.RHS = right }})
			}
		}
	}
	return out
}

// held is the present value of a register, of an element of one, or of bits of these.
func held(l ir.LValue, pos ir.Pos) *ir.Expr {
	e := &ir.Expr{Op: ir.Ref, Type: l.Sig.Type, Sig: l.Sig, Pos: pos}
	if l.Part {
		e = &ir.Expr{Op: ir.ElemAt, Type: l.Sig.Type.Elem(), Args: []*ir.Expr{e}, Index: l.Index, Pos: pos}
	}
	if l.Bits > 0 {
		e = &ir.Expr{Op: ir.Slice, Type: l.Type(), Args: []*ir.Expr{e}, Lo: l.Lo, Pos: pos}
	}
	return e
}

// Stick makes a register of the modules whose names begin with module keep its value, whatever is assigned to it. It
// panics if there is none, or not as a whole.
func Stick(d *ir.Design, module, register string) {
	d.Plain() // the fault is of one value of a parameter
	found := false
	for _, m := range d.Modules {
		if !strings.HasPrefix(m.Name, module) {
			continue
		}
		m.Body.Walk(func(s *ir.Scope) {
			ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
				if a, ok := st.(*ir.Assign); ok && a.LHS.Sig.Kind == ir.Reg && a.LHS.Sig.Name == register && a.LHS.Dyn == nil {
					a.RHS = held(a.LHS, a.Pos)
					found = true
				}
			})
		})
	}
	if !found {
		panic("bench: no register " + register + " in a module " + module)
	}
}

func swappedWhen(w *ir.When) mutant {
	swap := func() { w.Then, w.Else = w.Else, w.Then }
	return mutant{fmt.Sprintf("alternatives exchanged at %s", w.Pos), swap, swap}
}

// neighbour is a wrong operator of the same operand and result types. For one
// bit, Lowest is the identity: Not loses its effect.
var neighbour = map[ir.Op]ir.Op{
	ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Mul: ir.Add, ir.DivU: ir.ModU, ir.ModU: ir.DivU, ir.And: ir.Or, ir.Or: ir.And, ir.Xor: ir.Or,
	ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.LtU: ir.LeU, ir.LeU: ir.LtU, ir.LtS: ir.LtU, ir.Shl: ir.ShrU, ir.ShrU: ir.Shl,
	ir.RedAnd: ir.RedXor, ir.RedXor: ir.RedAnd, ir.Not: ir.Lowest,
}

// faults are the faults of one operator.
func faults(e *ir.Expr) []mutant {
	right := *e
	fault := func(what string, wrong ir.Expr) mutant {
		return mutant{fmt.Sprintf("%s at %s", what, e.Pos), func() { *e = wrong }, func() { *e = right }}
	}
	wrong := right
	switch e.Op {
	case ir.Mux:
		wrong.Args = []*ir.Expr{e.Args[0], e.Args[2], e.Args[1]}
		return []mutant{fault("mux exchanged", wrong)}
	case ir.Const:
		if e.Hex && e.Label == "" && bv.IsZero(e.Val) { // asks whether a bit is set, and is no number
			return nil
		}
		wrong.Val = append([]uint64(nil), e.Val...)
		wrong.Val[0] ^= 1
		return []mutant{fault("constant off by one", wrong)}
	}
	op, ok := neighbour[e.Op]
	if !ok {
		return nil
	}
	wrong.Op = op
	return []mutant{fault(fmt.Sprintf("%s for %s", op, e.Op), wrong)}
}

// Every returns 1, or n with -short: a test of very many cases then takes each n-th.
func Every(n int) int {
	if testing.Short() {
		return n
	}
	return 1
}

// Survivors puts each mutant of d in turn through check, a test that runs d,
// and names those that it does not object to. Faults that leave no valid design
// do not count as tried.
func Survivors(d *ir.Design, check func() error) (survivors []string, tried int) {
	return SurvivorsOfEvery(1, d, check)
}

// SurvivorsOfEvery does the same with the first of each n mutants.
func SurvivorsOfEvery(n int, d *ir.Design, check func() error) (survivors []string, tried int) {
	for i, m := range mutants(d) {
		if i%n != 0 {
			continue
		}
		m.insert()
		if _, err := interp.New(d); err == nil {
			tried++
			if check() == nil {
				survivors = append(survivors, m.name)
			}
		}
		m.undo()
	}
	return survivors, tried
}
