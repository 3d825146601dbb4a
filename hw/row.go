package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// row identifies a part of a vector with several dimensions: one of count parts of equal size. An
// element is a part of size one.
type row struct {
	of    *value // the whole vector
	count int
	at    Index
	// sel replaces at: a number of IndexWidth(count) bits. It is valid only where inRange is 1.
	// inRange is nil if sel is always valid, or if the check is still pending.
	sel, inRange *value
	looked       bool // inRange includes the check of sel
}

// choice selects a part by its position: at, or sel if sel is not nil.
type choice struct {
	at  Index
	sel *Bits
}

// guarded is the target of a Set that has a condition of its own.
type guarded struct{ cond, v *value }

// part returns one of n parts of v. The part is itself a vector if v has more dimensions.
func (v Vec) part(n int, several bool, c choice, pos ir.Pos) *value {
	switch {
	case v.value != nil && v.bound != nil:
		return v.bound.part(c, n, several)
	case !several && v.row() == nil && c.sel != nil:
		return v.selected(*c.sel, pos).value
	case !several && v.row() == nil:
		return v.at(c.at, pos).value
	}
	u := begin(pos, v.value, c.at.value())
	if c.sel != nil {
		u.take(c.sel.value)
		c.sel = &Bits{u.want(c.sel.value, IndexWidth(n), "index")}
	} else if lo, hi := c.at.a.Range(); !u.broken && (lo < 0 || hi >= n) {
		u.errorf("width", "element %s of a vector of %d", span(lo, hi), n)
	}
	t := ir.Type{Width: v.Width()}
	if several {
		t.Len = max(v.Len()/n, 1)
	}
	if u.broken {
		return u.noRow(v, t)
	}
	r := v.row()
	if r == nil {
		r = &row{of: v.value, count: 1}
	}
	return u.pick(r.inner(n, c), t)
}

func (v Vec) row() *row {
	if v.value == nil {
		return nil
	}
	return v.value.row
}

// noRow returns a placeholder for an invalid part of v. Like noElement, it remembers the signal.
func (u *use) noRow(v Vec, t ir.Type) *value {
	out := u.nothing(t)
	switch {
	case v.row() != nil:
		out.e.Sig = v.row().of.e.Sig
	case v.value != nil && v.e != nil:
		out.e.Sig = v.e.Sig
	}
	return out
}

// inner returns part c of the n parts of r.
func (r *row) inner(n int, c choice) *row {
	in := &row{of: r.of, count: r.count * n}
	switch {
	case r.sel == nil && c.sel == nil:
		in.at = r.at.Times(n).Add(c.at)
		return in
	case r.count == 1 && r.sel == nil:
		in.sel = c.sel.value
		return in
	}
	in.inRange, in.looked = r.inRange, true
	var outer Bits
	inner := c.number(n)
	if r.sel == nil {
		outer = r.at.Bits(IndexWidth(r.count))
	} else if outer = (Bits{r.sel}); !r.looked {
		in.look(outer, r.count)
	}
	if c.sel != nil {
		in.look(inner, n)
	}
	switch width := IndexWidth(in.count); {
	case n == 1:
		in.sel = outer.value
	case r.count == 1:
		in.sel = inner.value
	case n&(n-1) == 0:
		in.sel = Cat(outer, inner).value
	default:
		in.sel = outer.Ext(width).Mul(K(n)).Add(inner.Ext(width)).value
	}
	return in
}

// number returns a position among n as a value.
func (c choice) number(n int) Bits {
	if c.sel != nil {
		return *c.sel
	}
	return c.at.Bits(IndexWidth(n))
}

// look adds the condition that sel is less than n to inRange.
func (r *row) look(sel Bits, n int) {
	var ok Bits
	switch {
	case n == 1:
		ok = sel.Not()
	case n&(n-1) == 0:
		return
	default:
		ok = sel.Lt(K(n))
	}
	if r.inRange != nil {
		ok = Bits{r.inRange}.And(ok)
	}
	r.inRange = ok.value
}

// pick returns the part, of type t, or zeros out of range.
func (u *use) pick(r *row, t ir.Type) *value {
	of, size := Vec{r.of}, t.Bits()
	if t.Count() > 1 {
		of = of.pack(u.pos).unpack(size, u.pos)
	}
	var x Bits
	if r.sel != nil {
		x = of.selected(Bits{r.sel}, u.pos)
	} else {
		x = of.at(r.at, u.pos)
	}
	element := x.value
	if r.inRange != nil {
		x = Bits{mux(Bits{r.inRange}, x.value, &value{e: constant(size, 0, u.pos)}, u.pos)}
		x.only = &guarded{r.inRange, element}
	}
	if !t.IsVec() {
		return x.value
	}
	v := x.unpack(t.Width, u.pos)
	v.value.row = r
	return v.value
}

// setRow assigns the elements of a row.
func (v Vec) setRow(to *value, pos ir.Pos) {
	u := v.m.statement(pos, to)
	if !u.broken && to.typ() != v.typ() {
		u.errorf("width", "a row of %s bits, the value has %s", v.typ(), to.typ())
	}
	if u.broken {
		if sig := v.value.row.of.e.Sig; sig != nil {
			v.m.el.refused[sig] = true
		}
		return
	}
	n := v.Len()
	for i := range n {
		v.part(n, false, choice{at: At(i)}, pos).set(Vec{to}.part(n, false, choice{at: At(i)}, pos), pos)
	}
}
