package hw

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Ports declares the ports of a module. T is a struct whose fields have in or out in their tags;
// the parameters of the module determine the widths (see Shape).
func Ports[T any](m *Module) (ports T) {
	d := declaration{m: m, pos: ir.Caller(0), what: "port"}
	d.declare(m.shapeOf(reflect.TypeFor[T]()), "", &ports)
	return ports
}

// Wire declares wires for a value of type T. Their names begin with name. The parameters of m
// determine the widths.
func Wire[T any](m *Module, name string) (out T) {
	m.record("wire", m.shapeOf(reflect.TypeFor[T]()), name, &out, ir.Caller(0))
	return out
}

// Reg declares registers for a value of type T that the reset clears.
func Reg[T any](m *Module, name string) (out T) {
	m.record("register", m.shapeOf(reflect.TypeFor[T]()), name, &out, ir.Caller(0))
	return out
}

// Data declares registers without reset for a value of type T.
func Data[T any](m *Module, name string) (out T) {
	m.record("data", m.shapeOf(reflect.TypeFor[T]()), name, &out, ir.Caller(0))
	return out
}

// Zero returns a value of type T whose signals are all zero.
func Zero[T any](m *Module) (out T) {
	m.shapeOf(reflect.TypeFor[T]()).zero(m, &out, ir.Caller(0))
	return out
}

// With returns base with the fields replaced that are set in changes.
func With[T any](base, changes T) (out T) {
	with(&out, &base, &changes)
	return out
}

func with(out, base, changes any) {
	from, changed := members(base), map[string]*value{} // an Array that is not set has no members
	for _, x := range members(changes) {
		changed[x.path] = x.v
	}
	for i, x := range sameLength(out, base) {
		x.hold(from[i].v)
		if v := changed[x.path]; v != nil {
			x.hold(v)
		}
	}
}

// Unpack splits a number that Pack has joined.
func Unpack[T any](m *Module, a Bits) (out T) {
	m.shapeOf(reflect.TypeFor[T]()).unpack(m, a, &out, ir.Caller(0))
	return out
}

// Wire declares wires of m for a value of this shape.
func (s Shape[T]) Wire(m *Module, name string) (out T) {
	m.record("wire", s.s, name, &out, ir.Caller(0))
	return out
}

// Reg declares registers of m for a value of this shape that the reset clears.
func (s Shape[T]) Reg(m *Module, name string) (out T) {
	m.record("register", s.s, name, &out, ir.Caller(0))
	return out
}

// Data declares registers of m without reset for a value of this shape.
func (s Shape[T]) Data(m *Module, name string) (out T) {
	m.record("data", s.s, name, &out, ir.Caller(0))
	return out
}

// Zero returns a value of this shape whose signals are all zero.
func (s Shape[T]) Zero(m *Module) (out T) {
	s.s.zero(m, &out, ir.Caller(0))
	return out
}

// Unpack splits a number that Pack has joined.
func (s Shape[T]) Unpack(m *Module, a Bits) (out T) {
	s.s.unpack(m, a, &out, ir.Caller(0))
	return out
}

// shapeOf returns the shape of t for the parameters of m.
func (m *Module) shapeOf(t reflect.Type) *shape { return resolve(t, m.params, tag{}) }

// declaration declares the signals of a record.
type declaration struct {
	m    *Module
	pos  ir.Pos
	what string // port, wire, register or data
}

// record declares wires or registers and sets the record that out points to.
func (m *Module) record(what string, s *shape, name string, out any, pos ir.Pos) {
	m.statement(pos)
	d := declaration{m: m, pos: pos, what: what}
	d.declare(s, name, out)
}

func (d declaration) declare(s *shape, name string, out any) {
	if !d.m.sound(s, d.pos) {
		fillBroken(d.m, out, d.pos)
		return
	}
	s.root.build(reflect.ValueOf(out).Elem(), spot{name: name}, d.signal)
}

// sound reports the mistakes of a shape and whether there are none.
func (m *Module) sound(s *shape, pos ir.Pos) bool {
	if s == nil {
		m.errorf(pos, "record", "a Shape that was never set; use Of or Width")
		return false
	}
	for _, text := range s.bad {
		m.errorf(pos, "record", "%s", text)
	}
	return len(s.bad) == 0
}

// signal declares one signal of a record.
func (d declaration) signal(n *node, at spot, lens []int) *value {
	if n.typ == padType {
		return d.pad(n, at)
	}
	m, kind, before := d.m, ir.Wire, len(d.m.el.errs.list)
	switch {
	case at.twice:
		m.errorf(d.pos, "record", "%s: in or out, in a field that is in or out", n.path)
	case d.what == "port" && at.dir == noDirection:
		m.errorf(d.pos, "record", "%s: a port that is neither in nor out", n.path)
	case d.what != "port" && at.dir != noDirection:
		m.errorf(d.pos, "record", "%s: in or out in a record that is not a port", n.path)
	case d.what == "port" && (at.dir == inward) != at.back:
		kind = ir.Input
	case d.what == "port":
		kind = ir.Output
	case d.what != "wire" && at.back:
		m.errorf(d.pos, "record", "%s: goes back; only ports and wires can", n.path)
		kind = ir.Reg
	case d.what != "wire":
		kind = ir.Reg
	}
	if n.typ == clockType {
		return d.clock(n, at, kind)
	}
	s := m.declare(kind, at.name, ir.Type{Width: n.width, Len: product(lens)}, d.pos)
	s.Doc = n.doc
	if len(lens) > 1 {
		s.Lens = lens
	}
	if at.clock != "" {
		s.Domain = d.domain(n, at)
	}
	if at.group != "" {
		s.Group = m.under + at.group
	}
	if n.set != (enum.Set{}) {
		s.Enum = m.enum(n.set, d.pos)
	}
	if len(m.el.errs.list) > before {
		m.el.refused[s] = true
	}
	v := m.ref(s, d.pos)
	if d.what == "register" {
		m.setInit(v.e, n.reset)
	}
	return v
}

var clockType = reflect.TypeFor[Clock]()

// clock declares a clock and its reset.
func (d declaration) clock(n *node, at spot, kind ir.Kind) *value {
	if d.what != "port" || kind != ir.Input {
		d.m.errorf(d.pos, "record", "%s: a clock that is not an input", n.path)
	}
	reset := n.tag.reset
	if reset != "" {
		reset = strings.TrimSuffix(at.name, n.name) + reset
	}
	v := d.m.clock(at.name, reset, n.tag.low, n.tag.async, d.pos)
	v.e.Sig.Doc = n.doc
	d.m.fields[n.path[strings.LastIndexByte(n.path, '.')+1:]] = d.m.ir.Domains[len(d.m.ir.Domains)-1]
	return v
}

// domain returns the domain of the clock that a port names.
func (d declaration) domain(n *node, at spot) *ir.Domain {
	if d.what != "port" {
		d.m.errorf(d.pos, "record", "%s: clock= in a record that is not a port", n.path)
		return nil
	}
	domain := d.m.fields[at.clock]
	if domain == nil {
		d.m.errorf(d.pos, "domain", "%s: there is no clock %s before it", n.path, at.clock)
	}
	return domain
}

// fillBroken fills a record that could not be declared with placeholders.
func fillBroken(m *Module, out any, pos ir.Pos) {
	u := m.statement(pos)
	u.broken = true
	for _, p := range members(out) {
		p.hold(u.nothing(ir.Type{}))
	}
}

// Set assigns the signals of a record under the current conditions, as Bits.Set does for a single
// signal.
func Set[T any](to, from T) { connect(members(&to), members(&from), false, ir.Caller(0)) }

// Connect assigns the signals of record to from record from. Backward signals are assigned in the
// opposite direction.
func Connect[T any](to, from T) { connect(members(&to), members(&from), true, ir.Caller(0)) }

func connect(to, from []member, both bool, pos ir.Pos) {
	if len(to) != len(from) {
		refuse(begin(pos, firstOf(to), firstOf(from)), "records of "+strconv.Itoa(len(to))+" and "+strconv.Itoa(len(from))+" signals in one expression; expected equal counts")
		return
	}
	for i, p := range to {
		if mismatch(p, from[i], pos) || p.back && !both && goesBack(p, pos) {
			giveUp(to, from)
			return
		}
	}
	for i, p := range to {
		switch {
		case p.v != nil && p.v.pad != nil:
			connectPads(p.v, from[i].v, pos)
		case p.back:
			from[i].v.set(p.v, pos)
		default:
			p.v.set(from[i].v, pos)
		}
	}
}

func goesBack(p member, pos ir.Pos) bool {
	u := begin(pos, p.v)
	u.errorf("record", "%s goes back; use Connect", p.path)
	return true
}

// giveUp suppresses reports of missing drivers for the signals that a rejected statement would
// have driven.
func giveUp(to, from []member) {
	for i, p := range to {
		if p.back {
			p = from[i]
		}
		if p.v != nil && p.v.m != nil && p.v.e != nil && p.v.e.Sig != nil {
			p.v.m.el.refused[p.v.e.Sig] = true
		}
	}
}

func firstOf(ps []member) *value {
	if len(ps) == 0 {
		return nil
	}
	return ps[0].v
}

// mismatch reports a field whose two sides have different shapes.
func mismatch(to, from member, pos ir.Pos) bool {
	if to.v == nil || from.v == nil || to.v.broken || from.v.broken || to.v.k != nil || from.v.k != nil || to.v.e.Type == from.v.e.Type && slices.Equal(to.lens, from.lens) {
		return false
	}
	u := begin(pos, to.v, from.v)
	u.errorf("record", "%s has %s bits, from one of %s: the record has two shapes here", to.path, to.extent(), from.extent())
	return true
}

// Mux returns yes if cond is 1, else no.
func Mux[T any](cond Bits, yes, no T) (out T) {
	pos := ir.Caller(0)
	y, n, o := members(&yes), members(&no), sameLength(&out, &yes)
	for i := range o {
		o[i].hold(mux(cond, y[i].v, n[i].v, pos))
	}
	return out
}

// Select returns the element of xs whose bit in the one-hot mask is 1, or zeros if no bit is set.
func Select[T any](mask Bits, xs ...T) (out T) {
	pos := ir.Caller(0)
	if len(xs) == 0 {
		refuse(begin(pos, mask.value), "a choice without values; expected at least one")
		fillBroken(mask.m, &out, pos)
		return out
	}
	list := make([][]member, len(xs))
	for i := range xs {
		list[i] = members(&xs[i])
	}
	for k, o := range sameLength(&out, &xs[0]) {
		elems := make([]Bits, len(xs))
		for i := range xs {
			elems[i] = asNumber(list[i][k].v, pos)
		}
		chosen := VecOf(elems...).Select(mask)
		if v := list[0][k].v; v != nil && v.typ().IsVec() {
			o.hold(chosen.unpack(v.Width(), pos).value)
		} else {
			o.hold(chosen.value)
		}
	}
	return out
}

// asNumber returns a value as a number, with the elements of a vector concatenated.
func asNumber(v *value, pos ir.Pos) Bits {
	if v != nil && v.typ().IsVec() {
		return Vec{v}.pack(pos)
	}
	return Bits{v}
}

// Pack concatenates the signals of a record, the first most significant.
func Pack[T any](x T) Bits { return pack(members(&x), ir.Caller(0)) }

func pack(record []member, pos ir.Pos) Bits {
	var list []Bits
	for _, p := range record {
		if p.back {
			u := begin(pos, p.v)
			u.errorf("record", "%s goes back, and cannot be packed", p.path)
			return Bits{u.nothing(ir.Type{Width: 1})}
		}
		list = append(list, asNumber(p.v, pos))
	}
	return join(list, pos)
}

// unpack sets the record that out points to.
func (s *shape) unpack(m *Module, a Bits, out any, pos ir.Pos) {
	if !m.sound(s, pos) {
		fillBroken(m, out, pos)
		return
	}
	u := begin(pos, a.value)
	x := Bits{u.want(a.value, s.root.bits(), "packed "+s.root.path)}
	if !u.broken {
		explain(x.e, s.layout())
	}
	high := s.root.bits()
	take := func(n *node, _ spot, lens []int) *value {
		count := product(lens)
		bits := n.width * max(count, 1)
		high -= bits
		if u.broken {
			return u.nothing(ir.Type{Width: n.width, Len: count})
		}
		b := x.slice(high+bits-1, high, pos)
		if count > 0 {
			return b.unpack(n.width, pos).value
		}
		return b.value
	}
	s.root.build(reflect.ValueOf(out).Elem(), spot{}, take)
}

// explain sets the Doc of a packed signal to its layout, unless it already has another Doc. A word
// may have several layouts.
func explain(e *ir.Expr, layout string) {
	if e.Op != ir.Ref || e.Sig.Pin != nil {
		return
	}
	switch g := e.Sig; {
	case g.Doc == "":
		g.Doc = layout
	case strings.HasPrefix(g.Doc, "{") && !strings.Contains(g.Doc, layout):
		g.Doc += " or " + layout
	}
}

// zero sets the record that out points to.
func (s *shape) zero(m *Module, out any, pos ir.Pos) {
	if !m.sound(s, pos) {
		fillBroken(m, out, pos)
		return
	}
	s.root.build(reflect.ValueOf(out).Elem(), spot{}, func(n *node, _ spot, lens []int) *value {
		if lens == nil {
			return &value{e: constant(n.width, 0, pos)}
		}
		elems := make([]Bits, product(lens))
		for i := range elems {
			elems[i] = Bits{&value{e: constant(n.width, 0, pos)}}
		}
		return VecOf(elems...).value
	})
}
