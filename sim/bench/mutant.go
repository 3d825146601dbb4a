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
	name         string // kind of the fault and its source position
	insert, undo func()
}

// mutants returns all faults of the modules of d:
//
//   - an operator replaced by its neighbour;
//   - swapped branches of a multiplexer or When;
//   - a constant off by one;
//   - a reset value with its top bit inverted;
//   - a register or memory that is not written.
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
					return // cover points do not affect simulation
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

// idle returns the faults that disable one statement of a list: a register keeps its value, or a
// memory is not written.
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

// held returns the current value of the register, element or bits that l refers to.
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

// Stick makes a register keep its value in all modules whose names begin with module. It affects
// assignments to the register as a whole or at a constant index, and panics if there are none.
func Stick(d *ir.Design, module, register string) {
	d.Plain() // the fault applies to one value of a parameter only
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

// neighbour maps an operator to a wrong operator with the same operand and result types. For one
// bit, Lowest is the identity, so Not loses its effect.
var neighbour = map[ir.Op]ir.Op{
	ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Mul: ir.Add, ir.DivU: ir.ModU, ir.ModU: ir.DivU, ir.And: ir.Or, ir.Or: ir.And, ir.Xor: ir.Or,
	ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.LtU: ir.LeU, ir.LeU: ir.LtU, ir.LtS: ir.LtU, ir.Shl: ir.ShrU, ir.ShrU: ir.Shl,
	ir.RedAnd: ir.RedXor, ir.RedXor: ir.RedAnd, ir.Not: ir.Lowest,
}

// faults returns the faults of one operator.
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
		if e.Hex && e.Label == "" && bv.IsZero(e.Val) { // the zero of a test whether a bit is set, not a number
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

// Every returns n with -short and 1 otherwise. Tests with very many cases use it to run only every
// n-th case.
func Every(n int) int {
	if testing.Short() {
		return n
	}
	return 1
}

// Survivors runs check, a test of d, on each mutant of d. It returns the names of the mutants that
// check does not detect and the number of mutants tried. Mutants that are not valid designs are
// skipped and not counted.
func Survivors(d *ir.Design, check func() error) (survivors []string, tried int) {
	return SurvivorsOfEvery(1, d, check)
}

// SurvivorsOfEvery works like Survivors, with the first of every n mutants.
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
