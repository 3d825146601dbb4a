package plan

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Module says which items a module of Verilog consists of, and what each of them does.
type Module struct {
	IR   *ir.Module
	Body *Scope

	Signals    map[*ir.Signal]bool       // which something observable depends on
	Mems       map[*ir.Mem]bool          // likewise
	Values     map[*ir.Signal][]*ir.Expr // that are assigned
	Variables  map[*ir.Signal]bool       // assigned in always blocks
	InputPins  map[*ir.Signal]*ir.Expr   // input pins without a wire, and what they take
	OutputPins map[*ir.Signal]ir.LValue  // output pins without a wire, and what they drive

	needs   map[any][]any            // what the drivers of a signal or memory read
	reach   map[*ir.Signal]signalSet // cache of reaches
	through map[*ir.Module]Paths
}

// Scope is the body of a module or of a loop in it.
type Scope struct {
	IR    *ir.Scope
	Items []Item   // in the order of the text
	Inner []*Scope // one for each of ir.Fors
	stmts []ir.Stmt
}

// New plans m. The paths of the modules that m instantiates are known. With powerUp,
// memories that are never written keep what they have got elsewhere.
func New(m *ir.Module, through map[*ir.Module]Paths, powerUp bool) *Module {
	u := &Module{IR: m, through: through, reach: map[*ir.Signal]signalSet{}, Variables: map[*ir.Signal]bool{}, Values: map[*ir.Signal][]*ir.Expr{},
		InputPins: map[*ir.Signal]*ir.Expr{}, OutputPins: map[*ir.Signal]ir.LValue{}}
	u.Body = newScope(m.Body, simplify.Module(m, powerUp))
	u.prune()
	if m.Extern == nil {
		u.group(u.Body)
		u.findVariables()
		u.connect()
	}
	return u
}

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

// Memories lists the memories that the text declares.
func (u *Module) Memories() []*ir.Mem {
	var out []*ir.Mem
	u.Body.Walk(func(s *Scope) {
		for _, m := range s.IR.Mems {
			if u.Mems[m] {
				out = append(out, m)
			}
		}
	})
	return out
}
