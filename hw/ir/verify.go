package ir

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// Verify checks the structure of d: the invariants that every consumer assumes and every pass must
// preserve. Names are unique and legal. Scopes nest and own their declarations. Instances refer to
// earlier modules. Operands have the types that Op documents. Constants fit, and the values of
// cases are disjoint. Nothing is used outside its scope.
//
// Verify does not check that every signal has one driver, which drivers.Lower does, or that there
// are no combinational loops, which netlist.Loops does.
//
// The error joins all mistakes.
func Verify(d *Design) error {
	if d == nil || len(d.Modules) == 0 {
		return errors.New("ir: a design without modules")
	}
	v := &verifier{earlier: map[*Module]bool{}, sources: map[string]string{}, foreign: map[string]bool{}}
	names := map[string]bool{}
	all := slices.Concat(d.Modules, d.Probes)
	for _, m := range all {
		if m == nil {
			return errors.New("ir: a module is nil")
		}
		v.mod = m
		if names[m.Name] {
			v.errorf(m.Pos, "two modules have this name")
		}
		names[m.Name] = true
		v.module()
		v.earlier[m] = true
	}
	v.generics(all)
	for _, m := range all {
		if v.mod = m; v.foreign[m.Name] && m.Extern == nil {
			v.errorf(m.Pos, "a black box also has this name")
		}
	}
	v.mod = d.Modules[len(d.Modules)-1]
	if d.Top != d.Modules[len(d.Modules)-1] {
		v.errorf(Pos{}, "the last module is not the top")
	}
	if d.Modules[len(d.Modules)-1].Extern != nil {
		v.errorf(Pos{}, "the top is a black box")
	}
	if v.mod.Own.Async && v.mod.Reset {
		v.errorf(v.mod.Pos, "the top has an asynchronous reset of its own, not as a port")
	}
	return errors.Join(v.errs...)
}

type verifier struct {
	errs    []error
	earlier map[*Module]bool
	mod     *Module
	names   map[string]bool
	signals map[*Signal]bool // declared in mod
	mems    map[*Mem]bool
	exprs   map[*Expr]*checked
	enums   map[*Enum]bool    // of mod
	labels  map[string]string // numbers of labelled constants
	sources map[string]string // texts by name
	foreign map[string]bool   // names of external modules
}

func (v *verifier) errorf(pos Pos, format string, args ...any) {
	text := v.mod.Name + ": " + fmt.Sprintf(format, args...)
	if pos != (Pos{}) { // a parsed design has no positions
		text = pos.String() + ": " + text
	}
	v.errs = append(v.errs, errors.New(text))
}

var legalName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// name checks a declared name.
func (v *verifier) name(kind, name string, pos Pos) {
	own := len(v.mod.Domains) == 0 && (v.mod.Extern == nil || v.mod.Clock) && (name == v.mod.Own.ClockName() || name == v.mod.Own.ResetName())
	legal := legalName
	if v.mod.Extern != nil {
		legal = foreignName
	}
	if !legal.MatchString(name) || Keyword(name) || own {
		v.errorf(pos, "%s %q: not a legal name", kind, name)
	}
	if v.names[name] {
		v.errorf(pos, "%s %q: the name is taken", kind, name)
	}
	v.names[name] = true
}

func (v *verifier) module() {
	m, before := v.mod, len(v.errs)
	v.names, v.signals, v.mems = map[string]bool{}, map[*Signal]bool{}, map[*Mem]bool{}
	v.exprs, v.enums, v.labels = map[*Expr]*checked{}, map[*Enum]bool{}, map[string]string{}
	if !legalName.MatchString(m.Name) || Keyword(m.Name) {
		v.errorf(m.Pos, "not a legal name of a module")
	}
	if m.Body == nil || m.Body.Parent != nil || m.Body.Loop != nil {
		v.errorf(m.Pos, "the body is missing or belongs to another scope")
		return
	}
	for _, e := range m.Enums {
		v.enum(e)
	}
	if !v.declare(m.Body) {
		return
	}
	v.ports()
	m.Body.Walk(func(s *Scope) { v.stmts(s.Stmts, s) })
	if len(v.errs) > before {
		return
	}
	v.pads()
	if m.Extern != nil {
		v.extern()
	}
	v.domains()
	if clock, reset := m.Clocking(); clock != m.Clock || reset != m.Reset {
		v.errorf(m.Pos, "clock %t and reset %t, expected %t and %t", m.Clock, m.Reset, clock, reset)
	}
}

// declare checks and records the declarations of s and of the loops in it. It reports whether the
// scopes are valid enough to continue.
func (v *verifier) declare(s *Scope) bool {
	if s.Module != v.mod {
		v.errorf(v.mod.Pos, "a scope belongs to another module")
		return false
	}
	if slices.Contains(s.Insts, nil) || slices.Contains(s.Signals, nil) || slices.Contains(s.Mems, nil) || slices.Contains(s.Fors, nil) {
		v.errorf(v.mod.Pos, "a scope declares nil")
		return false
	}
	pins := map[*Signal]bool{}
	for _, in := range s.Insts {
		v.instance(in, pins)
	}
	for _, g := range s.Signals {
		v.signal(g, s)
		if (g.Pin != nil) != pins[g] {
			v.errorf(g.Pos, "%q is not the pin that its instance has", g.Name)
		}
		delete(pins, g)
	}
	if len(pins) > 0 {
		v.errorf(v.mod.Pos, "%d pins are not signals of the scope of their instance", len(pins))
	}
	for _, m := range s.Mems {
		v.memory(m, s)
	}
	for _, l := range s.Fors {
		v.name("loop", l.Name, l.Pos)
		if l.N < 1 || l.N > MaxLen {
			v.errorf(l.Pos, "loop %q has %d iterations", l.Name, l.N)
		}
		if l.Body == nil || l.Body.Loop != l || l.Body.Parent != s {
			v.errorf(l.Pos, "the body of loop %q does not nest in its scope", l.Name)
			return false
		}
		if !v.declare(l.Body) {
			return false
		}
	}
	return true
}

func (v *verifier) signal(g *Signal, s *Scope) {
	v.name(g.Kind.String(), g.Name, g.Pos)
	v.signals[g] = true
	if g.Scope != s {
		v.errorf(g.Pos, "%q is recorded in another scope", g.Name)
	}
	if problem := g.Type.problem(); problem != "" {
		v.errorf(g.Pos, "%q: %s", g.Name, problem)
	}
	if g.Pin != nil && g.Kind != Wire {
		v.errorf(g.Pos, "pin %q is a %s", g.Name, g.Kind)
	}
	if (g.Kind == Input || g.Kind == Output) && s.Parent != nil {
		v.errorf(g.Pos, "port %q is declared in a loop", g.Name)
	}
	switch {
	case !g.HasReset && g.Init != nil:
		v.errorf(g.Pos, "%q has a reset value but no reset", g.Name)
	case g.HasReset && g.Kind != Reg:
		v.errorf(g.Pos, "%s %q has a reset", g.Kind, g.Name)
	case g.HasReset && !masked(g.Init, g.Type.Width):
		v.errorf(g.Pos, "the reset value of %q is not a constant of %d bits", g.Name, g.Type.Width)
	}
	if g.Enum != nil && (!v.enums[g.Enum] || g.Enum.Width != g.Type.Width) {
		v.errorf(g.Pos, "%q has %s bits and is of enum %s, which the module lacks or has other bits", g.Name, g.Type, g.Enum.Name)
	}
}

func (v *verifier) memory(m *Mem, s *Scope) {
	v.name("memory", m.Name, m.Pos)
	v.mems[m] = true
	if m.Scope != s {
		v.errorf(m.Pos, "memory %q is recorded in another scope", m.Name)
	}
	if m.Depth < 1 || m.Depth > MaxDepth || m.Width < 1 || m.Width > MaxWidth {
		v.errorf(m.Pos, "memory %q has depth %d and width %d", m.Name, m.Depth, m.Width)
	}
	if m.Init != nil && !m.sound() {
		v.errorf(m.Pos, "the contents of memory %q are not %d words of %d bits", m.Name, m.Depth, m.Width)
	}
	if !RAMStyle(m.Style) {
		v.errorf(m.Pos, "memory %q has style %q", m.Name, m.Style)
	}
}

// sound reports whether the contents of m are valid.
func (m *Mem) sound() bool {
	if len(m.Init) != m.Depth*Words(m.Width) {
		return false
	}
	for i := range m.Depth {
		if !masked(m.InitWord(i), m.Width) {
			return false
		}
	}
	return true
}

// instance checks in and records its pins.
func (v *verifier) instance(in *Instance, pins map[*Signal]bool) {
	v.name("instance", in.Name, in.Pos)
	if !v.earlier[in.Of] {
		v.errorf(in.Pos, "instance %q is of a module that is not declared before it", in.Name)
		return
	}
	if len(in.Pins) != len(in.Of.Ports) {
		v.errorf(in.Pos, "instance %q has %d pins for %d ports", in.Name, len(in.Pins), len(in.Of.Ports))
		return
	}
	for i, g := range in.Pins {
		v.pin(in, g, in.Of.Ports[i])
		pins[g] = true
	}
	if in.Reset == nil {
		return
	}
	v.pin(in, in.Reset, ResetPort)
	pins[in.Reset] = true
	if !in.Of.Reset {
		v.errorf(in.Pos, "instance %q has a reset, module %s has none", in.Name, in.Of.Name)
	}
}

func (v *verifier) pin(in *Instance, g, port *Signal) {
	if g == nil || g.Pin == nil || g.Pin.Inst != in || g.Pin.Port != port || g.Type != port.Type {
		v.errorf(in.Pos, "the pin of instance %q for port %q does not fit", in.Name, port.Name)
	}
}

// ports checks that the port list equals the ports of the body in order.
func (v *verifier) ports() {
	i := 0
	for _, g := range v.mod.Body.Signals {
		if g.Kind != Input && g.Kind != Output {
			continue
		}
		if i >= len(v.mod.Ports) || v.mod.Ports[i] != g {
			v.errorf(g.Pos, "port %q is not in its place in the port list", g.Name)
			return
		}
		i++
	}
	if i < len(v.mod.Ports) {
		v.errorf(v.mod.Pos, "the port list has %d entries, the body %d ports", len(v.mod.Ports), i)
	}
}

// problem describes what is wrong with t, or returns "".
func (t Type) problem() string {
	if t.Width < 1 || t.Width > MaxWidth || t.Len < 0 || t.Len > MaxLen {
		return fmt.Sprintf("%d bits, %d elements; expected a width of 1 to %d and a length of at most %d", t.Width, t.Len, MaxWidth, MaxLen)
	}
	return ""
}

// masked reports whether val is a constant of width bits.
func masked(val []uint64, width int) bool {
	if len(val) != Words(width) {
		return false
	}
	return width%64 == 0 || val[len(val)-1]>>(width%64) == 0
}
