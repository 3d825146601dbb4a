package ir

import (
	"slices"
	"strconv"
)

// Extern marks a Module as an external Verilog module. The Body of such a module is a placeholder
// (see StandIn) for the checks of loops and clocks. The Verilog instantiates Module instead, and
// engines in Go run Model.
type Extern struct {
	Module  string // name of the Verilog module
	Params  []Param
	Sources []Source
	// Model returns a model of one instance and finds its ports by name. It is nil if there is no
	// model. The text form does not include it.
	Model func(find func(port string) Terminal) Behaviour
}

// Param is a parameter of a Verilog module: Text, or Number if Text is nil.
type Param struct {
	Name   string
	Number int64
	Text   *string
}

// Verilog formats the value as a Verilog literal.
func (p Param) Verilog() string {
	if p.Text != nil {
		return strconv.Quote(*p.Text)
	}
	return strconv.FormatInt(p.Number, 10)
}

// Source is a Verilog file.
type Source struct{ Name, Text string }

// Terminal is a port of a running external module. Its value is accessed as one word, or as
// little-endian words.
type Terminal interface {
	Set(v uint64)
	Get() uint64
	SetWords(v []uint64)
	Words() []uint64
}

// Behaviour is the behaviour of one instance of an external module. Engines call Eval after
// changes of inputs or state, and Step at each edge of the module's own clock or of any of its
// Domains.
type Behaviour interface {
	Eval()
	Step(reset bool) // reset: the module's own reset is active
}

// Pad is a bidirectional port, inout in Verilog. It connects an external module to the top module
// and is not accessible otherwise.
type Pad struct {
	Name  string
	Width int
	Doc   string
	Pos   Pos
}

// HasExterns reports whether d contains external modules.
func (d *Design) HasExterns() bool {
	return slices.ContainsFunc(d.Modules, func(m *Module) bool { return m.Extern != nil })
}

// Through returns the inputs that each output of an external module depends on combinationally.
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
