package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// temps returns the expressions of m that the text form prints on lines of their own: expressions
// that are used more than once or nest too deeply.
func temps(m *Module) map[*Expr]bool {
	uses, out := map[*Expr]int{}, map[*Expr]bool{}
	var order []*Expr // operands first
	var visit func(e *Expr)
	visit = func(e *Expr) {
		uses[e]++
		if uses[e] > 1 {
			return
		}
		for _, a := range e.Args {
			visit(a)
		}
		order = append(order, e)
	}
	m.Body.Walk(func(s *Scope) {
		WalkStmts(s.Stmts, func(st Stmt) {
			for _, e := range st.Exprs() {
				visit(e)
			}
		})
	})
	height := map[*Expr]int{}
	for _, e := range order {
		h := 1
		for _, a := range e.Args {
			h = max(h, height[a]+1)
		}
		switch {
		case simple(e):
		case uses[e] > 1 || h > maxHeight:
			out[e] = true
		default:
			height[e] = h
		}
	}
	return out
}

// simple reports whether e is printed in full at every use.
func simple(e *Expr) bool {
	return len(e.Args) == 0 || e.Op == ElemAt && e.Args[0].Op == Ref
}

// define prints the temps that es need and that are not printed yet.
func (p *printer) define(es ...*Expr) {
	for _, e := range es {
		if p.seen[e] {
			continue
		}
		p.seen[e] = true
		p.define(e.Args...)
		if p.temp[e] {
			text := p.operation(e)
			p.number[e] = len(p.number) + 1
			p.line("%%%d = %s", p.number[e], text)
		}
	}
}

// expr formats e. Its temps must be defined.
func (p *printer) expr(e *Expr) string {
	if n, ok := p.number[e]; ok {
		return "%" + strconv.Itoa(n)
	}
	return p.operation(e)
}

func (p *printer) operation(e *Expr) string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.expr(a)
	}
	switch e.Op {
	case Const:
		s := constText(e.Type.Width, e.Val, e.Hex)
		if e.Label != "" {
			s += strconv.Quote(e.Label)
		}
		return s
	case Ref:
		return e.Sig.Name
	case LoopConst:
		return fmt.Sprintf("loop:%s(%s)", e.Type, e.Index)
	case ElemAt:
		return args[0] + "[" + e.Index.String() + "]"
	case Elem:
		return args[0] + "[" + args[1] + "]"
	case MemRead:
		return e.Mem.Name + "[" + args[0] + "]"
	case Slice:
		if e.Type.Width == 1 {
			return fmt.Sprintf("%s[%d]", args[0], e.Lo)
		}
		return fmt.Sprintf("%s[%d:%d]", args[0], e.Lo+e.Type.Width-1, e.Lo)
	case ZExt, SExt, Unpack, Route:
		return fmt.Sprintf("%s:%s(%s)", e.Op, e.Type, strings.Join(args, ", "))
	}
	return fmt.Sprintf("%s(%s)", e.Op, strings.Join(args, ", "))
}
