package drivers

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Lower lowers all modules of d and reports mistakes in their drivers.
func Lower(d *ir.Design) (*Design, []ir.Problem) {
	out := &Design{IR: d, Modules: map[*ir.Module]*Module{}}
	var problems []ir.Problem
	for _, m := range slices.Concat(d.Modules, d.Probes) {
		lm := &Module{IR: m, Scopes: map[*ir.Scope]*Scope{}, Drivers: map[*ir.Signal][]*Drive{}}
		out.Modules[m] = lm
		failed, at := map[*ir.Signal]bool{}, borders(m)
		m.Body.Walk(func(s *ir.Scope) {
			l := &lowering{mod: lm, out: &Scope{IR: s}, borders: at, held: map[target]*ir.Expr{}, failed: failed, problems: &problems}
			lm.Scopes[s] = l.scope(s)
		})
		problems = append(problems, checkDrivers(lm, failed)...)
	}
	return out, problems
}

// lowering is the state of lowering one scope.
type lowering struct {
	mod      *Module
	out      *Scope
	borders  map[*ir.Signal][]int
	whole    map[*ir.Signal]bool // assigned as a whole or by a dynamic index
	held     map[target]*ir.Expr // current values of registers
	failed   map[*ir.Signal]bool // reported already
	problems *[]ir.Problem
}

func (l *lowering) latch(sig *ir.Signal, pos ir.Pos, format string, args ...any) {
	l.failed[sig] = true
	*l.problems = append(*l.problems, ir.Problem{ID: "latch", Module: l.mod.IR.Name, Pos: pos, Text: fmt.Sprintf(format, args...)})
}

func (l *lowering) scope(s *ir.Scope) *Scope {
	l.whole = map[*ir.Signal]bool{}
	ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok && !a.LHS.Part {
			l.whole[a.LHS.Sig] = true
		}
	})
	e := newEnv(nil)
	l.block(s.Stmts, e, nil)
	for _, ds := range l.drives(e, s) {
		for _, d := range whole(ds) {
			l.out.Drives = append(l.out.Drives, d)
			l.mod.Drivers[d.LHS.Sig] = append(l.mod.Drivers[d.LHS.Sig], d)
		}
	}
	return l.out
}

// drives returns the drives of each signal or element, piece by piece.
func (l *lowering) drives(e *env, s *ir.Scope) (out [][]*Drive) {
	at := map[target]int{} // index in out
	for _, t := range e.order {
		c := e.vals[t]
		if c.partial {
			l.latch(t.sig, c.since, "%q has no value%s on some path through here; set a default before", t.sig.Name, forBits(c.lhs))
			continue
		}
		t.lo = 0
		k, ok := at[t]
		if !ok {
			k, at[t], out = len(out), len(out), append(out, nil)
		}
		out[k] = append(out[k], &Drive{Scope: s, LHS: c.lhs, Value: c.value, Pos: c.pos})
	}
	for _, ds := range out {
		slices.SortFunc(ds, func(a, b *Drive) int { return a.LHS.Lo - b.LHS.Lo })
	}
	return out
}

// forBits describes the bits of a signal or element that l names, if not all.
func forBits(l ir.LValue) string {
	switch l.Bits {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" for bit %d", l.Lo)
	}
	return fmt.Sprintf(" for bits %d to %d", l.Lo+l.Bits-1, l.Lo)
}

// block executes statements on e. path is the condition under which they run, or nil if they
// always run.
func (l *lowering) block(list []ir.Stmt, e *env, path *ir.Expr) {
	for _, st := range list {
		switch s := st.(type) {
		case *ir.Assign:
			l.assign(s, e)
		case *ir.When:
			l.when(s, e, path)
		case *ir.Switch:
			l.choose(s, e, path)
		case *ir.MemWrite:
			l.out.Writes = append(l.out.Writes, &Write{Mem: s.Mem, Enable: always(path, s.Pos), Addr: s.Addr, Data: l.masked(s), Pos: s.Pos})
		case *ir.Assert:
			if s.Kind == ir.Covered {
				continue
			}
			l.out.Checks = append(l.out.Checks, &Check{Enable: always(path, s.Pos), Cond: s.Cond, Text: s.Text, Domain: s.Domain, Pos: s.Pos})
		}
	}
}

// only executes the block of s that a constant selects. Registers that another block would assign
// still have a driver, which keeps their value.
func (l *lowering) only(s ir.Stmt, chosen []ir.Stmt, e *env, path *ir.Expr) {
	l.block(chosen, e, path)
	ir.WalkStmts([]ir.Stmt{s}, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok && a.LHS.Sig.Kind == ir.Reg {
			for _, p := range l.pieces(a.LHS) {
				e.set(p.target, l.before(e, p.target, p.lhs))
			}
		}
	})
}

func (l *lowering) assign(s *ir.Assign, e *env) {
	if index := dynamic(s.LHS, s.Pos); l.whole[s.LHS.Sig] && index != nil {
		l.update(s, index, e)
		return
	}
	for _, p := range l.pieces(s.LHS) {
		value := s.RHS
		if p.lhs.Bits > 0 {
			value = cut(s.RHS, p.lhs.Lo-s.LHS.Lo, p.lhs.Bits)
		}
		e.set(p.target, current{value: value, lhs: p.lhs, pos: s.Pos})
	}
}

// update assigns an element of a vector that is also assigned as a whole.
func (l *lowering) update(s *ir.Assign, index *ir.Expr, e *env) {
	sig, p := s.LHS.Sig, l.pieces(s.LHS)[0]
	t, lhs, x := p.target, p.lhs, s.RHS
	old := l.before(e, t, lhs)
	if old.partial && !l.failed[sig] {
		l.latch(sig, s.Pos, "an element of %q is assigned before the other elements have a value; set all of it first", sig.Name)
	}
	if old.partial {
		return
	}
	if s.LHS.Bits > 0 {
		x = splice(&ir.Expr{Op: ir.Elem, Type: sig.Type.Elem(), Args: []*ir.Expr{old.value, index}, Pos: s.Pos}, x, s.LHS)
	}
	value := &ir.Expr{Op: ir.Update, Type: sig.Type, Args: []*ir.Expr{old.value, index, x}, Pos: s.Pos}
	e.set(t, current{value: value, lhs: lhs, pos: s.Pos})
}

// dynamic returns the element index of an LValue as an expression, or nil.
func dynamic(lhs ir.LValue, pos ir.Pos) *ir.Expr {
	if !lhs.Part {
		return lhs.Dyn
	}
	t := ir.Type{Width: ir.IndexWidth(lhs.Sig.Type.Len)}
	return &ir.Expr{Op: ir.LoopConst, Type: t, Index: lhs.Index, Pos: pos}
}

// before returns the value of t, which lhs names, at this point: the assigned value, the current
// value of a register, or no value.
func (l *lowering) before(e *env, t target, lhs ir.LValue) current {
	if c, ok := e.lookup(t); ok {
		return c
	}
	if t.sig.Kind != ir.Reg {
		return current{partial: true, lhs: lhs}
	}
	held := l.held[t]
	if held == nil {
		held = &ir.Expr{Op: ir.Ref, Type: t.sig.Type, Sig: t.sig, Pos: t.sig.Pos}
		if lhs.Part {
			held = &ir.Expr{Op: ir.ElemAt, Type: t.sig.Type.Elem(), Args: []*ir.Expr{held}, Index: lhs.Index, Pos: t.sig.Pos}
		}
		if lhs.Bits > 0 {
			held = cut(held, lhs.Lo, lhs.Bits)
		}
		l.held[t] = held
	}
	return current{value: held, lhs: lhs, pos: t.sig.Pos}
}

func (l *lowering) when(s *ir.When, e *env, path *ir.Expr) {
	if s.Cond.Op == ir.Const {
		taken := s.Else
		if s.Cond.Uint() == 1 {
			taken = s.Then
		}
		l.only(s, taken, e, path)
		return
	}
	yes, no := newEnv(e), newEnv(e)
	l.block(s.Then, yes, and(path, s.Cond, s.Pos))
	if len(s.Else) > 0 {
		l.block(s.Else, no, and(path, not(s.Cond, s.Pos), s.Pos))
	}
	for _, t := range yes.order {
		a := yes.vals[t]
		e.set(t, join(s.Cond, a, l.before(no, t, a.lhs), s.Pos))
	}
	for _, t := range no.order {
		if _, both := yes.vals[t]; !both {
			b := no.vals[t]
			e.set(t, join(s.Cond, l.before(e, t, b.lhs), b, s.Pos))
		}
	}
}
