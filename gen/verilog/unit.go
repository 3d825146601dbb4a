package verilog

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// unit says which items a module of Verilog consists of, and what each of them does.
type unit struct {
	ir   *ir.Module
	body *scope

	sigs     map[*ir.Signal]bool       // which something observable depends on
	mems     map[*ir.Mem]bool          // likewise
	values   map[*ir.Signal][]*ir.Expr // that are assigned
	variable map[*ir.Signal]bool       // assigned in always blocks
	direct   map[*ir.Signal]*ir.Expr   // input pins without a wire, and what they take
	forward  map[*ir.Signal]ir.LValue  // output pins without a wire, and what they drive

	needs   map[any][]any            // what the drivers of a signal or memory read
	reach   map[*ir.Signal]signalSet // cache of reaches
	through map[*ir.Module]combPaths
}

// scope is the body of a module or of a loop in it.
type scope struct {
	ir    *ir.Scope
	items []planned // in the order of the text
	inner []*scope  // one for each of ir.Fors
	stmts []ir.Stmt
}

// newUnit plans m. The paths of the modules that m instantiates are known. With powerUp,
// memories that are never written keep what they have got elsewhere.
func newUnit(m *ir.Module, through map[*ir.Module]combPaths, powerUp bool) *unit {
	u := &unit{ir: m, through: through, reach: map[*ir.Signal]signalSet{}, variable: map[*ir.Signal]bool{}, values: map[*ir.Signal][]*ir.Expr{},
		direct: map[*ir.Signal]*ir.Expr{}, forward: map[*ir.Signal]ir.LValue{}}
	u.body = newScope(m.Body, simplify.Module(m, powerUp))
	u.prune()
	if m.Extern == nil {
		u.group(u.body)
		u.findVariables()
		u.connect()
	}
	return u
}

func newScope(is *ir.Scope, stmts map[*ir.Scope][]ir.Stmt) *scope {
	sc := &scope{ir: is, stmts: stmts[is]}
	for _, l := range is.Fors {
		sc.inner = append(sc.inner, newScope(l.Body, stmts))
	}
	return sc
}

// walk calls f for s and the scopes inside it, outermost first.
func (s *scope) walk(f func(*scope)) {
	f(s)
	for _, in := range s.inner {
		in.walk(f)
	}
}

// memories lists the memories that the text declares.
func (u *unit) memories() []*ir.Mem {
	var out []*ir.Mem
	u.body.walk(func(s *scope) {
		for _, m := range s.ir.Mems {
			if u.mems[m] {
				out = append(out, m)
			}
		}
	})
	return out
}
