package build

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
)

// scope collects the items of a scope of the plan.
type scope struct {
	*plan.Scope
	parent *scope
	v      *syntax.LoopVar // nil for the module's body

	params, decls, out []syntax.Item
}

// scopesOf makes the scopes of s and those inside it, with variables for their loops.
func (b *builder) scopesOf(s *plan.Scope, parent *scope, depth int) *scope {
	f := &scope{Scope: s, parent: parent}
	b.scopes[s.IR] = f
	if s.IR.Loop != nil {
		f.v = &syntax.LoopVar{Name: b.genvar(depth), N: s.IR.Loop.N}
		b.vars[s.IR.Loop] = f.v
		depth++
	}
	for _, in := range s.Inner {
		b.scopesOf(in, f, depth)
	}
	return f
}

// genvar returns the variable of generate loops at a nesting depth. Adjacent loops share it.
func (b *builder) genvar(depth int) string {
	for len(b.genvars) <= depth {
		b.genvars = append(b.genvars, b.names.Fresh(string(rune('i'+len(b.genvars)))))
	}
	return b.genvars[depth]
}

// items returns the finished items of a scope.
func (s *scope) items() []syntax.Item {
	return slices.Concat(s.params, s.decls, s.out)
}

// name returns the name of the loop that s is the body of, "" for the module's body.
func (s *scope) name() string {
	if s.IR.Loop == nil {
		return ""
	}
	return s.IR.Loop.Name
}

// loops returns the variables of the loops around and of s, outermost first.
func (s *scope) loops() []*syntax.LoopVar {
	if s == nil || s.v == nil {
		return nil
	}
	return append(s.parent.loops(), s.v)
}

// deeper returns the inner one of two nested scopes.
func deeper(a, b *scope) *scope {
	if a == nil || b != nil && b.IR.Inside(a.IR) {
		return b
	}
	return a
}
