package drivers

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// choose lowers a switch. A target needs one multiplexer per case that assigns it, not per case,
// because the cases are mutually exclusive.
func (l *lowering) choose(s *ir.Switch, e *env, path *ir.Expr) {
	if s.Of.Op == ir.Const {
		l.only(s, taken(s), e, path)
		return
	}
	conds := make([]*ir.Expr, len(s.Cases))
	envs := make([]*env, len(s.Cases))
	by := map[target][]int{} // the cases that assign a target
	var order []target
	note := func(t target, i int) {
		if by[t] == nil {
			order = append(order, t)
		}
		by[t] = append(by[t], i)
	}
	for i, c := range s.Cases {
		conds[i], envs[i] = caseCond(s.Of, c), newEnv(e)
		l.block(c.Body, envs[i], and(path, conds[i], c.Pos))
		for _, t := range envs[i].order {
			note(t, i)
		}
	}
	full := complete(s)
	var rest *ir.Expr
	other := newEnv(e)
	if len(s.Default) > 0 && !full {
		rest = none(conds, s.Pos)
		l.block(s.Default, other, and(path, rest, s.Pos))
	}
	for _, t := range other.order {
		if by[t] == nil {
			order = append(order, t)
		}
	}
	for _, t := range order {
		cases := by[t]
		acc := l.otherwise(t, cases, envs, e, other, rest, s)
		if full && len(cases) == len(envs) { // the last case needs no comparison
			acc = envs[len(envs)-1].vals[t]
			cases = cases[:len(cases)-1]
		}
		for _, i := range slices.Backward(cases) {
			acc = join(conds[i], envs[i].vals[t], acc, s.Pos)
		}
		e.set(t, acc)
	}
}

// otherwise returns the value of t if no case that assigns it is taken.
func (l *lowering) otherwise(t target, cases []int, envs []*env, e, other *env, rest *ir.Expr, s *ir.Switch) current {
	d, ok := other.vals[t]
	if !ok {
		return l.before(e, t, envs[cases[0]].vals[t].lhs)
	}
	if len(cases) == len(envs) {
		return d
	}
	return join(rest, d, l.before(e, t, d.lhs), s.Pos)
}

// taken returns the body that a constant switch executes.
func taken(s *ir.Switch) []ir.Stmt {
	for _, c := range s.Cases {
		for _, v := range c.Values {
			if slices.Equal(v.Val, s.Of.Val) {
				return c.Body
			}
		}
	}
	return s.Default
}

// complete reports whether the cases of s cover all values.
func complete(s *ir.Switch) bool {
	n := 0
	for _, c := range s.Cases {
		n += len(c.Values)
	}
	w := s.Of.Type.Width
	return w < 31 && n == 1<<w
}

func caseCond(of *ir.Expr, c *ir.Case) *ir.Expr {
	var cond *ir.Expr
	for _, v := range c.Values {
		cond = or(cond, &ir.Expr{Op: ir.Eq, Type: ir.Type{Width: 1}, Args: []*ir.Expr{of, v}, Pos: c.Pos}, c.Pos)
	}
	return cond
}

// none returns the condition that none of conds holds.
func none(conds []*ir.Expr, pos ir.Pos) *ir.Expr {
	var any *ir.Expr
	for _, c := range conds {
		any = or(any, c, pos)
	}
	return not(any, pos)
}
