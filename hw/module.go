package hw

import (
	"reflect"
	"strings"

	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Module is the target to which a Build method describes its hardware.
type Module struct {
	el    *elaboration
	ir    *ir.Module
	scope *ir.Scope  // the module's body or the body of the current For
	list  *[]ir.Stmt // where statements go: the list of the scope, or of a When or Case
	taken map[string]ir.Pos
	under string // name prefix of the open Scopes
	enums map[enum.Set]*ir.Enum
	// domain is the clock of the open Clocked. fields maps the fields of the ports that declare a
	// clock to these clocks.
	domain *ir.Domain
	fields map[string]*ir.Domain

	params   reflect.Value   // the generator
	extern   *Extern         // or nil
	inner    *implementation // of an imported module, or nil
	machines []*machine
	memories []*memory
}

func newModule(el *elaboration, name string, g any, own ir.Own, pos ir.Pos) *Module {
	im := &ir.Module{Name: name, Own: own, Parameters: displayed(g), Pos: pos}
	im.Body = &ir.Scope{Module: im}
	m := &Module{params: reflect.ValueOf(g), el: el, ir: im, scope: im.Body, taken: map[string]ir.Pos{}, enums: map[enum.Set]*ir.Enum{}, fields: map[string]*ir.Domain{}}
	m.list = &im.Body.Stmts
	m.checkName("module", name, pos)
	return m
}

func (m *Module) errorf(pos ir.Pos, id, format string, args ...any) {
	m.el.mistake(m.ir, pos, id, format, args...)
}

// Doc sets the sentence that describes the purpose of the module.
func (m *Module) Doc(text string) { m.ir.Doc = text }

// Errorf reports a mistake in the module's parameters. It suppresses other mistakes in the module,
// and in modules that this module is the first to instantiate.
func (m *Module) Errorf(format string, args ...any) {
	e := newError(ir.Caller(0), "param", "", format, args...)
	e.of = m.ir
	m.el.params = append(m.el.params, e)
}

// claim reserves a name in the module, for any kind of declaration.
func (m *Module) claim(kind, name string, pos ir.Pos) (ok bool) {
	ok = m.checkName(kind, name, pos)
	if at, dup := m.taken[name]; dup {
		m.errorf(pos, "name", "%s %q is already declared at %s%s", kind, name, at, twice(at, pos))
		ok = false
	}
	m.taken[name] = pos
	return ok
}

// declare adds a signal to the current scope.
func (m *Module) declare(kind ir.Kind, name string, t ir.Type, pos ir.Pos) *ir.Signal {
	u := m.statement(pos)
	name = m.under + name
	m.claim(kind.String(), name, pos)
	if !u.allowed(t) {
		t.Width, t.Len = min(max(t.Width, 1), ir.MaxWidth), min(max(t.Len, 0), ir.MaxLen)
	}
	s := m.signal(kind, name, t, pos)
	switch kind {
	case ir.Reg:
		s.Domain = m.here("register", name, pos)
	case ir.Input, ir.Output:
		s.Domain = m.domain
	}
	s.Group = strings.TrimSuffix(m.under, "_")
	if kind == ir.Input || kind == ir.Output {
		switch {
		case m.scope.Loop != nil:
			m.errorf(pos, "scope", "port %q is declared in a loop; declare a vector outside it", name)
		case m.under != "":
			m.errorf(pos, "scope", "port %q is declared in a Scope; ports belong to the module", name)
		}
		m.ir.Ports = append(m.ir.Ports, s)
	}
	return s
}

// signal adds a signal to the current scope. Its name and type must be valid.
func (m *Module) signal(kind ir.Kind, name string, t ir.Type, pos ir.Pos) *ir.Signal {
	s := &ir.Signal{Name: name, Kind: kind, Type: t, Scope: m.scope, Pos: pos}
	m.scope.Signals = append(m.scope.Signals, s)
	return s
}

func (m *Module) ref(s *ir.Signal, pos ir.Pos) *value {
	return &value{m: m, sc: s.Scope, e: &ir.Expr{Op: ir.Ref, Type: s.Type, Sig: s, Pos: pos}}
}

func (m *Module) scalar(kind ir.Kind, name string, width int) Bits {
	pos := ir.Caller(1)
	return Bits{m.ref(m.declare(kind, name, ir.Type{Width: width}, pos), pos)}
}

func (m *Module) vector(kind ir.Kind, name string, n, width int) Vec {
	pos := ir.Caller(1)
	if n < 1 {
		m.errorf(pos, "width", "%s %q: a vector of %d elements; expected at least 1", kind, name, n)
		n = 1
	}
	return Vec{m.ref(m.declare(kind, name, ir.Type{Width: width, Len: n}, pos), pos)}
}

// In declares an input port of width bits.
func (m *Module) In(name string, width int) Bits { return m.scalar(ir.Input, name, width) }

// Out declares an output port of width bits.
func (m *Module) Out(name string, width int) Bits { return m.scalar(ir.Output, name, width) }

// Wire declares a wire of width bits.
func (m *Module) Wire(name string, width int) Bits { return m.scalar(ir.Wire, name, width) }

// InVec declares an input port of n elements of width bits.
func (m *Module) InVec(name string, n, width int) Vec { return m.vector(ir.Input, name, n, width) }

// OutVec declares an output port of n elements of width bits.
func (m *Module) OutVec(name string, n, width int) Vec { return m.vector(ir.Output, name, n, width) }

// WireVec declares n wires of width bits.
func (m *Module) WireVec(name string, n, width int) Vec { return m.vector(ir.Wire, name, n, width) }

// Reg declares a register of width bits that the reset sets to init.
func (m *Module) Reg(name string, width int, init uint64) Bits {
	b := m.scalar(ir.Reg, name, width)
	m.setInit(b.e, []uint64{init})
	return b
}

// RegInit declares a register that the reset sets to init, a constant of any width such as the
// result of Wide.
func (m *Module) RegInit(name string, init Bits) Bits {
	pos := ir.Caller(0)
	u := m.statement(pos, init.value)
	v := u.known(init.value)
	words := make([]uint64, ir.Words(max(v.Width(), 1)))
	if !u.broken && !evaluate(v.e, words, 0) {
		u.errorf("const", "the reset value of %q is not constant", name)
	}
	b := m.scalar(ir.Reg, name, max(v.Width(), 1))
	m.setInit(b.e, words)
	return b
}

// RegVec declares n registers of width bits that the reset sets to init.
func (m *Module) RegVec(name string, n, width int, init uint64) Vec {
	v := m.vector(ir.Reg, name, n, width)
	m.setInit(v.e, []uint64{init})
	return v
}

// setInit makes a signal a register with a reset. Words beyond init are zero.
func (m *Module) setInit(e *ir.Expr, init []uint64) {
	s := e.Sig
	if s.Domain != nil && s.Domain.Reset == nil {
		m.errorf(e.Pos, "domain", "register %q follows clock %q, which has no reset; use Data", s.Name, s.Domain.Name())
		return
	}
	s.HasReset = true
	s.Init = make([]uint64, ir.Words(s.Type.Width))
	copy(s.Init, init)
	if !fits(init[0], s.Type.Width) {
		m.errorf(e.Pos, "const", "reset value %d of %q does not fit in %d bits", init[0], s.Name, s.Type.Width)
	}
}

// Data declares a register without reset, for values that another register marks as valid.
func (m *Module) Data(name string, width int) Bits { return m.scalar(ir.Reg, name, width) }

// DataVec declares n registers without reset.
func (m *Module) DataVec(name string, n, width int) Vec { return m.vector(ir.Reg, name, n, width) }

func (m *Module) add(s ir.Stmt) { *m.list = append(*m.list, s) }
