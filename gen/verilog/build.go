package verilog

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// builder translates a planned unit to a syntax tree.
type builder struct {
	u       *unit
	opt     buildOptions
	names   *names
	body    *frame
	scopes  map[*ir.Scope]*frame
	genvars []string // by nesting depth
	uses    map[*ir.Expr]int
	weights map[*ir.Expr]int  // cache of builder.weight
	signs   map[*ir.Expr]bool // cache of builder.isSigned
	objs    map[any]*object   // by *ir.Signal and *ir.Mem
	named   map[*ir.Expr]*object
	equal   map[string]*object   // named expressions by scope and text
	consts  map[string]*object   // localparams of loops
	widest  map[string]int       // bits of a localparam that are read
	labels  map[labelKey]*object // localparams of constants
	values  map[*object]*ir.Expr

	vars    map[*ir.For]*loopVar
	inside  map[string]string // names of what blocks declare
	locals  map[lhsKey]*object
	last    []item // at the end of the module
	spelled map[*ir.Expr]string

	where     context
	simulated bool                // assertions are for simulators, not for formal tools
	target    string              // what the current statement drives, for names
	defaulted map[*ir.Signal]bool // has a value already in the current block
}

// context is where an expression is going to stand.
type context uint8

const (
	continuous context = iota // assign, connection or clocked block
	sensitive                 // always @*
)

// buildOptions choose how a module is written.
type buildOptions struct {
	source bool // put the position in the Go source behind statements
	// parameter reports whether a module is a Verilog module with a parameter, for one of its
	// values. It is asked for modules that are instantiated.
	parameter func(*ir.Module) bool
}

// build translates a planned unit to a syntax tree.
func build(u *unit, opt buildOptions) *module {
	b := &builder{u: u, opt: opt, names: newNames(u.ir), scopes: map[*ir.Scope]*frame{},
		uses: u.countUses(), weights: map[*ir.Expr]int{}, signs: map[*ir.Expr]bool{}, objs: map[any]*object{}, named: map[*ir.Expr]*object{},
		equal: map[string]*object{}, consts: map[string]*object{}, widest: map[string]int{}, labels: map[labelKey]*object{}, values: map[*object]*ir.Expr{},
		vars: map[*ir.For]*loopVar{}, locals: map[lhsKey]*object{}, spelled: map[*ir.Expr]string{}, inside: map[string]string{}}
	b.body = b.frames(u.body, nil, 0)
	u.body.walk(b.declare)
	m := &module{name: u.ir.Name, pos: u.ir.Pos, names: b.names, ports: b.ports()}
	b.findLoopConsts()
	b.adopt()
	b.scope(u.body)
	b.declareLabels()
	m.items = append(b.body.items(), b.last...)
	return m
}

func (b *builder) ports() []*object {
	var out []*object
	if b.u.ir.Clock {
		out = append(out, b.own("clk", b.u.ir.Own.ClockName()))
	}
	if b.u.ir.Reset {
		out = append(out, b.own("rst", b.u.ir.Own.ResetName()))
	}
	for _, p := range b.u.ir.Ports {
		if p.Kind == ir.Output && b.u.selfDependent(p) {
			out = append(out, b.splitPort(p))
			continue
		}
		out = append(out, b.objs[p])
	}
	for _, p := range b.u.ir.Pads {
		o := &object{name: p.Name, kind: inoutObject, width: p.Width, comment: oneLine(p.Doc), pos: p.Pos}
		b.objs[p] = o
		out = append(out, o)
	}
	return out
}

// splitPort is the port of a vector that depends on itself: inside it is a
// signal that Verilator can split, which no port is.
func (b *builder) splitPort(p *ir.Signal) *object {
	in := b.objs[p]
	port := &object{name: p.Name, kind: outputObject, width: in.width, comment: in.comment, lens: in.lens, elem: in.elem, group: in.group, pos: p.Pos}
	in.name, in.kind, in.split = b.names.fresh(p.Name+"_parts"), wireObject, true
	if b.u.variable[p] {
		in.kind = regObject
	}
	s := b.body
	s.decls = append(s.decls, &declItem{obj: in})
	b.last = append(b.last, &assignItem{lhs: &ident{port}, rhs: &ident{in}})
	return port
}

// own is the port for the module's own clock, the key clk, or reset, the key rst.
func (b *builder) own(key, name string) *object {
	o := &object{name: name, kind: inputObject, width: 1}
	b.objs[key] = o
	return o
}

// declare makes the objects of a scope.
func (b *builder) declare(of *scope) {
	s := b.scopes[of.ir]
	for _, g := range s.ir.Mems {
		if b.u.mems[g] {
			o := &object{name: g.Name, kind: memoryObject, width: g.Width, depth: g.Depth, loops: s.loops(), style: g.Style, any: g.Any, comment: oneLine(g.Doc), pos: g.Pos}
			b.objs[g] = o
			s.decls = append(s.decls, &declItem{obj: o, src: b.src(g.Pos)})
		}
	}
	for _, g := range s.ir.Signals {
		o := &object{name: g.Name, kind: b.kind(g), width: g.Type.Bits(), loops: s.loops(), comment: oneLine(g.Doc), crosses: g.Crosses != ir.NoCrossing, group: heading(g), pos: g.Pos}
		o.lens, o.elem = dimensions(g), g.Type.Width
		b.objs[g] = o
		if g.Kind == ir.Input || g.Kind == ir.Output || !b.needsWire(g) {
			continue
		}
		o.split = b.u.selfDependent(g)
		s.decls = append(s.decls, &declItem{obj: o, src: b.src(g.Pos)})
	}
}

// needsWire tells whether g is declared: it is driven and read, and no pin
// connected directly.
func (b *builder) needsWire(g *ir.Signal) bool {
	_, forwarded := b.u.forward[g]
	return b.u.sigs[g] && b.u.direct[g] == nil && !forwarded
}

func (b *builder) kind(g *ir.Signal) objectKind {
	v := b.u.variable[g]
	switch {
	case g.Kind == ir.Input:
		return inputObject
	case g.Kind == ir.Output && v:
		return outputRegObject
	case g.Kind == ir.Output:
		return outputObject
	case v:
		return regObject
	}
	return wireObject
}

// heading names what g is a part of: its group, or the instance that it is a pin of.
func heading(g *ir.Signal) string {
	if g.Pin != nil {
		return g.Pin.Inst.Name
	}
	return oneLine(g.Group)
}

// oneLine is s fit for a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// dimensions are the lengths of g, if it is a vector of several elements.
func dimensions(g *ir.Signal) []int {
	lens := g.Lens
	if g.Pin != nil {
		lens = g.Pin.Port.Lens
	}
	switch {
	case g.Type.Len <= 1:
		return nil
	case lens == nil:
		return []int{g.Type.Len}
	}
	return lens
}

// declareLabels makes a localparam of each constant with a name that the text
// mentions: those of an enum together, in the order of their values, then others by
// name.
func (b *builder) declareLabels() {
	var items []item
	add := func(k labelKey, group string) {
		if o := b.labels[k]; o != nil {
			e := b.values[o]
			o.group = group
			items = append(items, &declItem{obj: o, init: &number{width: e.Type.Width, val: e.Val, hex: e.Hex}})
			delete(b.labels, k)
		}
	}
	for _, e := range b.u.ir.Enums {
		for _, v := range e.Values {
			add(labelKey{e.Label(v.Value), e.Width}, e.Name)
		}
	}
	others := slices.SortedFunc(maps.Keys(b.labels), func(x, y labelKey) int {
		return cmp.Or(cmp.Compare(x.label, y.label), cmp.Compare(x.width, y.width))
	})
	for _, k := range others {
		add(k, "")
	}
	b.body.params = append(items, b.body.params...)
}

// scope translates the items of a scope in order.
func (b *builder) scope(of *scope) {
	s := b.scopes[of.ir]
	for _, m := range s.ir.Mems {
		if b.u.mems[m] && m.Init != nil {
			b.contents(s, m)
		}
	}
	for _, it := range of.items {
		b.where, b.target = continuous, ""
		switch it.kind {
		case assignPlan:
			b.assignItem(s, it)
		case muxPlan:
			b.muxItems(s, it)
		case combPlan:
			b.combItem(s, it)
		case clockedPlan:
			b.clockedItem(s, it)
		case instPlan:
			b.instance(s, it.inst)
		case loopPlan:
			b.scope(it.inner)
			in := b.scopes[it.inner.ir]
			s.out = append(s.out, &generateItem{v: in.v, label: in.name(), body: in.items()})
		case formalPlan:
			b.formalItem(s, it)
		}
	}
}

func (b *builder) instance(s *frame, in *ir.Instance) {
	it := &instanceItem{module: in.Of.Name, name: in.Name, src: b.src(in.Pos)}
	if x := in.Of.Generic; x != nil && b.opt.parameter(in.Of) {
		it.module, it.params = x.Name, []param{{name: x.Param, value: x.Value}}
	}
	if x := in.Of.Extern; x != nil {
		it.module = x.Module
		for _, p := range x.Params {
			it.params = append(it.params, param{p.Name, int(p.Number), p.Text})
		}
	}
	add := func(port string, value expr, output bool) {
		it.conns = append(it.conns, connection{port, value, output})
	}
	if in.Of.Clock {
		add(in.Of.Own.ClockName(), &ident{b.clock(in.Domain)}, false)
	}
	if in.Of.Reset {
		add(in.Of.Own.ResetName(), b.reset(in), false)
	}
	for i, p := range in.Of.Ports {
		pin := in.Pins[i]
		lhs, forwarded := b.u.forward[pin]
		switch {
		case p.Kind == ir.Input:
			add(p.Name, b.taken(pin), false)
		case forwarded:
			add(p.Name, b.lvalue(lhs), true)
		case b.u.sigs[pin]:
			add(p.Name, &ident{b.objs[pin]}, true)
		default:
			o := &object{name: b.names.fresh("unused_" + pin.Name), kind: wireObject, width: pin.Type.Bits(), pos: pin.Pos}
			s.decls = append(s.decls, &declItem{obj: o})
			add(p.Name, &ident{o}, true)
		}
	}
	for i, p := range in.Of.Pads {
		add(p.Name, &ident{b.objs[in.Pads[i]]}, true)
	}
	s.out = append(s.out, it)
}

// reset is when in is in reset.
func (b *builder) reset(in *ir.Instance) expr {
	rst, low := b.resetOf(in.Domain)
	switch {
	case in.Reset == nil && low == in.Of.Own.Low:
		return &ident{rst}
	case in.Reset == nil:
		return &unary{"!", &ident{rst}}
	case in.Of.Own.Low:
		return &binary{"&&", acting(rst, !low), &unary{"!", b.taken(in.Reset)}}
	}
	return &binary{"||", acting(rst, low), b.taken(in.Reset)}
}

// taken is what an instance takes at an input pin.
func (b *builder) taken(pin *ir.Signal) expr {
	if e := b.u.direct[pin]; e != nil {
		return b.unsigned(e, b.expr)
	}
	return &ident{b.objs[pin]}
}

// src is the nearest source position, if the text is to show it.
func (b *builder) src(p ir.Pos) string {
	if fs := p.Frames(); b.opt.source && len(fs) > 0 {
		return fs[0].String()
	}
	return ""
}

// newNames returns the names of a module, with what the IR names in it.
func newNames(m *ir.Module) *names {
	n := &names{taken: map[string]bool{m.Name: true, m.Own.ClockName(): true, m.Own.ResetName(): true}}
	if m.Generic != nil {
		n.taken[m.Generic.Name], n.taken[m.Generic.Param] = true, true
	}
	for _, p := range m.Pads {
		n.taken[p.Name] = true
	}
	m.Body.Walk(func(s *ir.Scope) {
		for _, g := range s.Signals {
			n.taken[g.Name] = true
		}
		for _, g := range s.Mems {
			n.taken[g.Name] = true
		}
		for _, g := range s.Insts {
			n.taken[g.Name] = true
		}
		for _, g := range s.Fors {
			n.taken[g.Name] = true
		}
	})
	return n
}
