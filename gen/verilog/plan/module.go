package plan

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Module says which items a module consists of, and what each of them does.
type Module struct {
	IR   *ir.Module
	Body *Scope

	Signals   map[*ir.Signal]bool       // that something observable depends on
	Mems      map[*ir.Mem]bool          // likewise
	Values    map[*ir.Signal][]*ir.Expr // that a signal is assigned
	Variables map[*ir.Signal]bool       // that always blocks assign
	// InputPins are the inputs of instances without a wire of their own, with the values that
	// they take. OutputPins are the outputs without one, with what they drive.
	InputPins  map[*ir.Signal]*ir.Expr
	OutputPins map[*ir.Signal]ir.LValue

	needs   map[any][]any            // what the drivers of a signal or memory read
	reach   map[*ir.Signal]signalSet // cache of reaches
	through map[*ir.Module]Paths     // of the modules that are instantiated
}

// Scope is the body of a module or of a loop in it.
type Scope struct {
	IR    *ir.Scope
	Items []Item   // in the order of the text
	Inner []*Scope // one for each of IR.Fors
	stmts []ir.Stmt
}

// New plans m. It needs the paths of all modules that m instantiates. With powerUp, memories
// whose writes can never happen stay, because something else may give them contents. A module
// of foreign Verilog gets no items.
func New(m *ir.Module, through map[*ir.Module]Paths, powerUp bool) *Module {
	mod := &Module{IR: m, through: through, reach: map[*ir.Signal]signalSet{},
		Variables: map[*ir.Signal]bool{}, Values: map[*ir.Signal][]*ir.Expr{},
		InputPins: map[*ir.Signal]*ir.Expr{}, OutputPins: map[*ir.Signal]ir.LValue{}}
	mod.Body = newScope(m.Body, simplify.Module(m, powerUp))
	mod.prune()
	if m.Extern == nil {
		mod.group(mod.Body)
		mod.findVariables()
		mod.connect()
	}
	return mod
}

// newScope returns a scope and those in it with their simplified statements.
func newScope(is *ir.Scope, stmts map[*ir.Scope][]ir.Stmt) *Scope {
	sc := &Scope{IR: is, stmts: stmts[is]}
	for _, l := range is.Fors {
		sc.Inner = append(sc.Inner, newScope(l.Body, stmts))
	}
	return sc
}

// Walk calls f for s and the scopes inside it, outermost first.
func (s *Scope) Walk(f func(*Scope)) {
	f(s)
	for _, in := range s.Inner {
		in.Walk(f)
	}
}

// Memories returns the memories that the text declares, in its order.
func (mod *Module) Memories() []*ir.Mem {
	var out []*ir.Mem
	mod.Body.Walk(func(s *Scope) {
		for _, m := range s.IR.Mems {
			if mod.Mems[m] {
				out = append(out, m)
			}
		}
	})
	return out
}
