package hw

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Inst instantiates g and returns its ports as the parent sees them: inputs of the instance can be
// set, outputs can be read. In a For there is one instance per iteration.
func Inst[P any](m *Module, name string, g Generator[P]) (ports P) {
	m.instance(name, g, describer[P], nil, &ports, ir.Caller(0))
	return ports
}

// InstReset instantiates g like Inst. In addition, the instance and everything inside it is in
// reset while reset is 1. Like the reset of the design, it does not affect memories, registers
// without a reset, and modules that contain no register with a reset.
func InstReset[P any](m *Module, name string, g Generator[P], reset Bits) (ports P) {
	m.instance(name, g, describer[P], &reset, &ports, ir.Caller(0))
	return ports
}

// instance instantiates the generator g, which run builds, and sets the ports that out points to.
func (m *Module) instance(name string, g any, run func(any, *Module) any, reset *Bits, out any, pos ir.Pos) {
	m.statement(pos)
	name = m.under + name
	ok := m.claim("instance", name, pos)
	if m.list != &m.scope.Stmts {
		m.errorf(pos, "scope", "instance %q is inside a condition", name)
	}
	b, domain := m.child(name, g, run, pos)
	inst := &ir.Instance{Name: name, Of: b.module, Domain: domain, Pos: pos}
	inst.Pads = make([]*ir.Pad, len(b.module.Pads))
	m.scope.Insts = append(m.scope.Insts, inst)
	pin := func(port *ir.Signal) *ir.Signal {
		wire := name + "_" + strings.ToLower(port.Name)
		if ok { // otherwise no pin has a valid name
			m.claim("wire", wire, pos)
		}
		s := m.signal(ir.Wire, wire, port.Type, pos)
		s.Pin = &ir.Pin{Inst: inst, Port: port}
		return s
	}
	r := m.rebinding(b.module.Name, pos)
	r.inst = inst
	for _, p := range b.module.Ports {
		r.pins[p] = pin(p)
		inst.Pins = append(inst.Pins, r.pins[p])
	}
	if reset != nil {
		cond := m.condition(*reset, pos)
		if b.module.Own.Async && b.module.Reset {
			m.errorf(pos, "domain", "instance %q: a condition does not reset what has an asynchronous reset; the condition could glitch", name)
		}
		if b.module.Reset {
			inst.Reset = pin(ir.ResetPort)
			m.scope.Stmts = append(m.scope.Stmts, &ir.Assign{LHS: ir.LValue{Sig: inst.Reset}, RHS: cond, Pos: pos})
		}
	}
	if ports := reflect.ValueOf(b.ports); ports.IsValid() {
		r.copy(reflect.ValueOf(out).Elem(), ports)
	}
}

// checkPorts rejects non-ports among the ports that Build of the top module returned, as Inst does
// for other modules.
func (m *Module) checkPorts(ports any, pos ir.Pos) {
	r := m.rebinding(m.ir.Name, pos)
	for _, p := range m.ir.Ports {
		r.pins[p] = p
	}
	if v := reflect.ValueOf(ports); v.IsValid() {
		r.copy(reflect.New(v.Type()).Elem(), v)
	}
}

// rebinding copies the ports that Build returned and replaces them with the pins of one instance.
type rebinding struct {
	m    *Module
	of   string // name of the module that returned them
	pos  ir.Pos
	inst *ir.Instance
	pins map[*ir.Signal]*ir.Signal // by port
	seen map[any]bool              // pointers on the current path
}

func (m *Module) rebinding(of string, pos ir.Pos) rebinding {
	return rebinding{m: m, of: of, pos: pos, pins: map[*ir.Signal]*ir.Signal{}, seen: map[any]bool{}}
}

func (r *rebinding) copy(dst, src reflect.Value) {
	switch x := holder(copyOf(src)).(type) {
	case leafHolder:
		holder(dst).(leafHolder).hold(r.pin(x.held()))
		return
	case arrayHolder:
		y := holder(dst).(arrayHolder)
		y.copyArray(x)
		from := x.vectors()
		for i, v := range y.vectors() {
			v.hold(r.pin(from[i].v))
		}
		return
	}
	switch src.Kind() {
	case reflect.Struct:
		for i := range src.NumField() {
			if f := src.Type().Field(i); f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct {
				r.copy(dst.Field(i), src.Field(i))
			}
		}
	case reflect.Slice:
		if !src.IsNil() {
			dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		}
		r.elements(dst, src)
	case reflect.Array:
		r.elements(dst, src)
	case reflect.Map:
		r.entries(dst, src)
	case reflect.Pointer:
		r.pointer(dst, src)
	case reflect.Interface:
		if !src.IsNil() {
			elem := reflect.New(src.Elem().Type()).Elem()
			r.copy(elem, src.Elem())
			dst.Set(elem)
		}
	default:
		dst.Set(src)
	}
}

// copyOf returns a variable with the value v if v is a hardware value, else a zero variable.
func copyOf(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	if holder(p) != nil {
		p.Set(v)
	}
	return p
}

func (r *rebinding) elements(dst, src reflect.Value) {
	for i := range src.Len() {
		r.copy(dst.Index(i), src.Index(i))
	}
}

func (r *rebinding) entries(dst, src reflect.Value) {
	if src.IsNil() {
		return
	}
	dst.Set(reflect.MakeMapWithSize(src.Type(), src.Len()))
	for it := src.MapRange(); it.Next(); {
		elem := reflect.New(src.Type().Elem()).Elem()
		r.copy(elem, it.Value())
		dst.SetMapIndex(it.Key(), elem)
	}
}

func (r *rebinding) pointer(dst, src reflect.Value) {
	if src.IsNil() {
		return
	}
	p := src.Interface()
	if r.seen[p] {
		r.m.errorf(r.pos, "param", "the ports of module %s point to themselves", r.of)
		return
	}
	r.seen[p] = true
	elem := reflect.New(src.Type().Elem())
	r.copy(elem.Elem(), src.Elem())
	dst.Set(elem)
	delete(r.seen, p)
}

// pin returns the pin for the port v. A nil port does not exist in this configuration of the
// module.
func (r *rebinding) pin(v *value) *value {
	if v == nil {
		return nil
	}
	if v.pad != nil {
		return r.m.padValue(padUse{v.pad.Pad, r.inst}, r.pos)
	}
	if v.e != nil && v.e.Op == ir.Ref {
		if p := r.pins[v.e.Sig]; p != nil {
			return r.m.ref(p, r.pos)
		}
	}
	u := r.m.statement(r.pos)
	if !v.broken {
		u.errorf("direction", "Build of module %s returns %s, which is not a port of it", r.of, what(v))
	}
	return u.nothing(v.typ())
}

// what describes a value in a message.
func what(v *value) string {
	switch {
	case v.e == nil:
		return "a constant"
	case v.e.Op == ir.Ref:
		return fmt.Sprintf("%s %q", v.e.Sig.Kind, v.e.Sig.Name)
	}
	return "the result of " + v.e.Op.String()
}
