package hw

import (
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// implementation is the design that implements a module.
type implementation struct {
	design *ir.Design
	pos    ir.Pos
}

// implemented is the generator of the modules of an imported design, for messages.
type implemented struct{ File string }

// Import declares that the module is implemented by the top of a design in the text form of package
// ir, as 'hotline import' writes it. text is the content of the file, usually from go:embed. The
// module declares its ports, with the names of the design, and describes nothing else.
func (m *Module) Import(file, text string) {
	pos := ir.Caller(0)
	m.statement(pos)
	if m.inner != nil {
		m.refuse(pos, "Import is called twice, here and at %s", m.inner.pos)
		return
	}
	d := m.el.imports[text]
	if d == nil {
		var err error
		if d, err = ir.Parse(file, text); err != nil {
			m.refuse(pos, "%v", err)
			return
		}
		m.el.imports[text] = d
		for _, x := range d.Modules {
			m.el.all = append(m.el.all, &built{g: implemented{file}, base: x.Name, pkg: file, pos: pos, outer: m.ir, module: x, done: true})
		}
		m.el.design.Modules = append(m.el.design.Modules, d.Modules...)
	}
	m.inner = &implementation{d, pos}
}

// implement instantiates the imported design in the module, which has only ports.
func (m *Module) implement() {
	if m.inner == nil {
		return
	}
	pos, top := m.inner.pos, m.inner.design.Top
	if what := m.described(); what != "" {
		m.refuse(pos, "module %s is imported and describes %s; describe it in the module around it", m.ir.Name, what)
		return
	}
	for _, p := range m.ir.Ports {
		if q := top.Port(p.Name); q == nil || q.Kind != p.Kind || q.Type != p.Type {
			m.refuse(p.Pos, "the design has no %s %q of %s bits", p.Kind, p.Name, p.Type)
			return
		}
	}
	in := &ir.Instance{Name: "core", Of: top, Pos: pos}
	if top.Clock {
		in.Domain = m.here("instance", in.Name, pos)
	}
	for _, q := range top.Ports {
		p := m.ir.Port(q.Name)
		if p == nil {
			m.refuse(pos, "the module lacks %s %q of %s bits, which the design has", q.Kind, q.Name, q.Type)
			return
		}
		pin := m.signal(ir.Wire, "core_"+q.Name, q.Type, pos)
		pin.Pin = &ir.Pin{Inst: in, Port: q}
		in.Pins = append(in.Pins, pin)
		to, from := pin, p
		if q.Kind == ir.Output {
			to, from = p, pin
		}
		m.ir.Body.Stmts = append(m.ir.Body.Stmts, &ir.Assign{LHS: ir.LValue{Sig: to}, RHS: m.ref(from, pos).e, Pos: pos})
	}
	m.ir.Body.Insts = append(m.ir.Body.Insts, in)
}

// refuse reports a mistake of an import. It suppresses the mistakes that follow from it.
func (m *Module) refuse(pos ir.Pos, format string, args ...any) {
	e := newError(pos, "extern", "", format, args...)
	e.of = m.ir
	m.el.params = append(m.el.params, e)
}

// described names something that the module describes in addition to its ports, or returns "".
func (m *Module) described() string {
	body := m.ir.Body
	switch {
	case len(body.Insts) > 0:
		return "instance " + strconv.Quote(body.Insts[0].Name)
	case len(body.Mems) > 0:
		return "memory " + strconv.Quote(body.Mems[0].Name)
	case len(body.Signals) > len(m.ir.Ports):
		i := slices.IndexFunc(body.Signals, func(s *ir.Signal) bool { return s.Kind != ir.Input && s.Kind != ir.Output })
		return body.Signals[i].Kind.String() + " " + strconv.Quote(body.Signals[i].Name)
	case len(body.Stmts)+len(body.Fors) > 0:
		return "statements"
	}
	return ""
}
