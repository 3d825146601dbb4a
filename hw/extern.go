package hw

import (
	"reflect"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Extern describes an external Verilog module.
type Extern struct {
	m         *Module
	through   map[*ir.Signal][]*ir.Signal
	own, rst  bool
	pos       ir.Pos
	described bool // Behave has been called
}

// Extern declares that the module is implemented by the external Verilog module of the given name.
// The module declares its ports, with the names that the Verilog uses, and describes nothing else.
// A design instantiates it like any other module.
func (m *Module) Extern(module string) *Extern {
	pos := ir.Caller(0)
	m.statement(pos)
	x := &Extern{m: m, pos: pos, through: map[*ir.Signal][]*ir.Signal{}}
	switch {
	case m.extern != nil:
		m.errorf(pos, "extern", "Extern is called twice, here and at %s", m.extern.pos)
		return x
	case !portName.MatchString(module) || ir.Keyword(module):
		m.errorf(pos, "extern", "%q is not a name of a Verilog module", module)
	}
	m.extern = x
	m.ir.Extern = &ir.Extern{Module: module}
	m.ir.Own = ir.Own{Async: m.ir.Own.Async}
	return x
}

// Param sets a parameter of the Verilog module to an integer or a string.
func (x *Extern) Param(name string, value any) *Extern {
	p := ir.Param{Name: name}
	v := reflect.ValueOf(value)
	switch {
	case v.IsValid() && v.CanInt():
		p.Number = v.Int()
	case v.IsValid() && v.CanUint() && int64(v.Uint()) >= 0:
		p.Number = int64(v.Uint())
	case v.IsValid() && v.Kind() == reflect.String:
		text := v.String()
		p.Text = &text
	default:
		x.m.errorf(ir.Caller(0), "extern", "parameter %s is %v, expected an integer or a string", name, value)
	}
	list := &x.m.ir.Extern.Params
	switch {
	case !portName.MatchString(name) || ir.Keyword(name):
		x.m.errorf(ir.Caller(0), "extern", "%q is not a name of a Verilog parameter", name)
	case slices.ContainsFunc(*list, func(q ir.Param) bool { return q.Name == name }):
		x.m.errorf(ir.Caller(0), "extern", "parameter %s has a value already", name)
	}
	*list = append(*list, p)
	return x
}

// Source adds a file that contains the Verilog module, or a file that the module needs. text is
// the content of the file, usually from go:embed. The file becomes part of the design.
func (x *Extern) Source(name, text string) *Extern {
	switch pos := ir.Caller(0); {
	case !strings.HasSuffix(name, ".v") || strings.ContainsAny(name, "/\\"):
		x.m.errorf(pos, "extern", "%q is not a name of a Verilog file, name.v", name)
	case strings.TrimSpace(text) == "":
		x.m.errorf(pos, "extern", "source %s is empty", name)
	case x.m.el.sources[name] != "" && x.m.el.sources[name] != text:
		x.m.errorf(pos, "extern", "two sources %s differ", name)
	}
	x.m.el.sources[name] = text
	x.m.ir.Extern.Sources = append(x.m.ir.Extern.Sources, ir.Source{Name: name, Text: text})
	return x
}

// Clock names the clock of the Verilog module, and its reset unless reset is "". They are
// connected to the clock and the reset of the surrounding module and are not ports of the record.
// Declare an asynchronous reset with a hw.Clock in the record instead.
func (x *Extern) Clock(clock, reset string, kind ...ResetKind) *Extern {
	m, pos := x.m, ir.Caller(0)
	low, async := kinds(kind)
	switch {
	case async || m.ir.Own.Async && reset != "":
		m.errorf(pos, "extern", "reset %s acts asynchronously; declare the clock as a hw.Clock among the ports", reset)
	case len(m.ir.Domains) > 0:
		m.errorf(pos, "extern", "module %s has a clock among its ports", m.ir.Name)
	}
	m.ir.Own.Clock, m.ir.Own.Reset, m.ir.Own.Low = clock, reset, low
	x.own, x.rst = true, reset != ""
	return x
}

// Path states that an output, or every output of a record, depends combinationally on inputs.
// Outputs without a Path depend on state only.
func (x *Extern) Path(output any, inputs ...any) *Extern {
	pos := ir.Caller(0)
	var from []*ir.Signal
	for _, in := range inputs {
		from = append(from, x.ports(in, ir.Input, pos)...)
	}
	for _, out := range x.ports(output, ir.Output, pos) {
		x.through[out] = append(x.through[out], from...)
	}
	return x
}

// ports returns the ports of a kind among the signals of a value.
func (x *Extern) ports(record any, kind ir.Kind, pos ir.Pos) (out []*ir.Signal) {
	if record == nil {
		record = 0
	}
	v := reflect.New(reflect.TypeOf(record))
	v.Elem().Set(reflect.ValueOf(record))
	for _, p := range members(v.Interface()) {
		if p.v != nil && p.v.e != nil && p.v.e.Op == ir.Ref && p.v.e.Sig.Kind == kind && p.v.m == x.m {
			out = append(out, p.v.e.Sig)
		}
	}
	if len(out) == 0 {
		x.m.errorf(pos, "extern", "a path with no %s of the module", kind)
	}
	return out
}

// Model is a Go model of one instance of an external Verilog module with ports P.
type Model[P any] interface {
	// Eval computes the outputs (Poke) from the inputs (Peek) and the state.
	Eval(ports P)
	// Step updates the state from the inputs at an edge of the module's Clock, or of one or more
	// of its clock ports. reset reports whether the reset of the module's Clock is active.
	Step(ports P, reset bool)
}

// Behave provides a model for the Go engines. start returns the model of one instance in its
// power-up state. P is the record of the module's ports.
func Behave[P any](x *Extern, start func() Model[P]) {
	if x.described {
		x.m.errorf(ir.Caller(0), "extern", "the module has a model already")
	}
	x.described = true
	params := x.m.params
	x.m.ir.Extern.Model = func(find func(string) ir.Terminal) ir.Behaviour {
		return &behaviour[P]{start(), Bind[P](params.Interface(), func(port string) Pin { return find(port) })}
	}
}

// behaviour is a Model and the ports of its instance.
type behaviour[P any] struct {
	model Model[P]
	ports P
}

func (b *behaviour[P]) Eval()           { b.model.Eval(b.ports) }
func (b *behaviour[P]) Step(reset bool) { b.model.Step(b.ports, reset) }

// standIn completes the placeholder body of an external Verilog module.
func (m *Module) standIn() {
	if m.extern == nil {
		return
	}
	if what := m.described(); what != "" {
		m.errorf(m.extern.pos, "extern", "module %s is a black box and describes %s; describe it in the module around the black box", m.ir.Name, what)
		return
	}
	for _, name := range []string{m.ir.Own.Clock, m.ir.Own.Reset} {
		if p := m.ir.Port(name); p != nil && m.extern.own {
			m.errorf(p.Pos, "name", "port %q is the clock or the reset of the Verilog module, which Clock names", name)
		}
	}
	ir.StandIn(m.ir, m.extern.through, m.extern.own, m.extern.rst)
}
