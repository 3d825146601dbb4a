package ir

import (
	"slices"
	"strconv"
)

// Extern says that a Module is foreign Verilog. The Body of such a module only stands in
// for it (see StandIn): checks of loops and clocks look at it. Verilog instantiates
// Module instead, and engines in Go run Model.
type Extern struct {
	Module  string // name of the Verilog module
	Params  []Param
	Sources []Source
	// Model makes a model of one instance, whose ports are found by name; nil if there
	// is none. The text form has none.
	Model func(find func(port string) Terminal) Behaviour
}

// Param is a parameter of a Verilog module: Text, or Number if Text is nil.
type Param struct {
	Name   string
	Number int64
	Text   *string
}

// Verilog is the value as Verilog writes it.
func (p Param) Verilog() string {
	if p.Text != nil {
		return strconv.Quote(*p.Text)
	}
	return strconv.FormatInt(p.Number, 10)
}

// Source is a file of Verilog.
type Source struct{ Name, Text string }

// Terminal is a port of a foreign module that runs: its value in one word, or in as many
// as it needs, little-endian.
type Terminal interface {
	Set(v uint64)
	Get() uint64
	SetWords(v []uint64)
	Words() []uint64
}

// Behaviour is what one instance of a foreign module does. Engines call Eval when inputs
// or the state have changed, and Step at each edge of the module's own clock or of any
// of its Domains.
type Behaviour interface {
	Eval()
	Step(reset bool) // reset: that of its own is on
}

// Pad is a port of several drivers, which only Verilog has: inout. It leads from a
// foreign module to the top, and nothing else sees it.
type Pad struct {
	Name  string
	Width int
	Doc   string
	Pos   Pos
}

// HasExterns tells whether d has foreign modules.
func (d *Design) HasExterns() bool {
	return slices.ContainsFunc(d.Modules, func(m *Module) bool { return m.Extern != nil })
}

// Through are the inputs that each output of a foreign module follows within the cycle.
func (m *Module) Through() map[*Signal][]*Signal {
	out := map[*Signal][]*Signal{}
	for _, st := range m.Body.Stmts {
		a, ok := st.(*Assign)
		if !ok || a.LHS.Sig.Kind != Output {
			continue
		}
		WalkExpr(a.RHS, map[*Expr]bool{}, func(e *Expr) {
			if e.Op == Ref && e.Sig.Kind == Input {
				out[a.LHS.Sig] = append(out[a.LHS.Sig], e.Sig)
			}
		})
	}
	return out
}
