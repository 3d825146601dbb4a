package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Vec is a vector value: Len elements of Width bits.
type Vec struct{ *value }

// Len returns the number of elements.
func (v Vec) Len() int {
	if v.value != nil && v.bound != nil {
		return v.bound.length
	}
	return v.typ().Len
}

// At returns the element at i.
func (v Vec) At(i Index) Bits { return v.element(choice{at: i}, ir.Caller(0)) }

// N returns the element at the constant i.
func (v Vec) N(i int) Bits { return v.element(choice{at: At(i)}, ir.Caller(0)) }

func (v Vec) element(c choice, pos ir.Pos) Bits { return Bits{v.part(v.Len(), false, c, pos)} }

func (v Vec) at(i Index, pos ir.Pos) Bits {
	u := begin(pos, v.value, i.value())
	if lo, hi := i.a.Range(); !u.broken && (lo < 0 || hi >= v.Len()) {
		u.errorf("width", "element %s of a vector of %d", span(lo, hi), v.Len())
	}
	out := u.node(ir.ElemAt, v.typ().Elem(), v.value)
	out.sc = u.deeper(out.sc, i.sc)
	if u.broken {
		return u.noElement(v)
	}
	out.e.Index = i.a
	return Bits{out}
}

// noElement returns a placeholder for an invalid element of v. It remembers the signal, so that a
// Set of the placeholder does not cause a report of a missing driver.
func (u *use) noElement(v Vec) Bits {
	out := u.nothing(v.typ().Elem())
	if v.value != nil && v.e != nil {
		out.e.Sig = v.e.Sig
	}
	return Bits{out}
}

// Index returns the element that sel selects, or 0 if sel is out of range. sel has IndexWidth(Len)
// bits.
func (v Vec) Index(sel Bits) Bits { return v.element(choice{sel: &sel}, ir.Caller(0)) }

func (v Vec) selected(sel Bits, pos ir.Pos) Bits {
	u := begin(pos, v.value, sel.value)
	s := u.want(sel.value, IndexWidth(v.Len()), "index")
	if u.broken {
		return u.noElement(v)
	}
	return Bits{u.node(ir.Elem, v.typ().Elem(), v.value, s)}
}

// With returns v with x in place of the element that sel selects.
func (v Vec) With(sel, x Bits) Vec {
	u := begin(ir.Caller(0), v.value, sel.value, x.value)
	s := u.want(sel.value, IndexWidth(v.Len()), "index")
	y := u.want(x.value, v.Width(), "element")
	return Vec{u.node(ir.Update, v.typ(), v.value, s, y)}
}

// VecOf returns a vector of elements of equal width, element 0 first.
func VecOf(elems ...Bits) Vec {
	vs := values(elems)
	u := begin(ir.Caller(0), vs...)
	width := 0
	for i := 0; i < len(vs) && width == 0; i++ {
		width = vs[i].Width()
	}
	if width == 0 && !u.broken {
		u.errorf("const", "a vector of %d constants without width; use Lit", len(vs))
	}
	for i := range vs {
		vs[i] = u.want(vs[i], width, "element")
	}
	return Vec{u.node(ir.VecOf, ir.Type{Width: width, Len: len(vs)}, vs...)}
}

// Pack returns the vector as one number, element 0 least significant.
func (v Vec) Pack() Bits { return v.pack(ir.Caller(0)) }

func (v Vec) pack(pos ir.Pos) Bits {
	u := begin(pos, v.value)
	return Bits{u.node(ir.Pack, ir.Type{Width: v.typ().Bits()}, v.value)}
}

// Unpack splits a into a vector of elements of width bits, least significant first.
func (a Bits) Unpack(width int) Vec { return a.unpack(width, ir.Caller(0)) }

func (a Bits) unpack(width int, pos ir.Pos) Vec {
	u := begin(pos, a.value)
	x := u.known(a.value)
	if !u.broken && (width < 1 || x.Width()%width != 0) {
		u.errorf("width", "%d bits are not elements of %d bits", x.Width(), width)
	}
	width = max(width, 1)
	return Vec{u.node(ir.Unpack, ir.Type{Width: width, Len: x.Width() / width}, x)}
}

// Part returns the n elements from element first on.
func (v Vec) Part(first, n int) Vec {
	pos, w := ir.Caller(0), v.Width()
	u := begin(pos, v.value)
	if !u.broken && (first < 0 || n < 1 || first+n > v.Len()) {
		u.errorf("width", "%d elements from element %d of a vector of %d", n, first, v.Len())
	}
	if u.broken {
		return Vec{u.nothing(ir.Type{Width: w, Len: max(n, 1)})}
	}
	return v.pack(pos).slice((first+n)*w-1, first*w, pos).unpack(w, pos)
}

func (v Vec) lanes(w Vec, op ir.Op) Vec {
	u := begin(ir.Caller(1), v.value, w.value)
	x, y := u.pair(v.value, w.value)
	return Vec{u.node(op, x.typ(), x, y)}
}

// And returns the conjunction, lane by lane.
func (v Vec) And(w Vec) Vec { return v.lanes(w, ir.And) }

// Or returns the disjunction, lane by lane.
func (v Vec) Or(w Vec) Vec { return v.lanes(w, ir.Or) }

// Xor returns the exclusive or, lane by lane.
func (v Vec) Xor(w Vec) Vec { return v.lanes(w, ir.Xor) }

// EqLanes returns a mask with bit i set if element i equals x.
func (v Vec) EqLanes(x Bits) Bits {
	u := begin(ir.Caller(0), v.value, x.value)
	y := u.want(x.value, v.Width(), "operand")
	return Bits{u.node(ir.EqLanes, ir.Type{Width: v.Len()}, v.value, y)}
}

// ReduceOr returns the disjunction of all elements.
func (v Vec) ReduceOr() Bits { return v.choose(Bits(Int(-1)), ir.Caller(0)) }

// Select returns the disjunction of the elements whose bit is set in mask. With a one-hot mask
// this is the selected element.
func (v Vec) Select(mask Bits) Bits { return v.choose(mask, ir.Caller(0)) }

func (v Vec) choose(mask Bits, pos ir.Pos) Bits {
	u := begin(pos, v.value, mask.value)
	s := u.want(mask.value, v.Len(), "mask")
	return Bits{u.node(ir.Select, v.typ().Elem(), s, v.value)}
}

// Route transposes requests. The result has n elements; bit i of element j is set if bit i of
// valid is set and element i of dest is j.
func Route(valid Bits, dest Vec, n int) Vec {
	u := begin(ir.Caller(0), valid.value, dest.value)
	v := u.want(valid.value, dest.Len(), "mask")
	if n < 1 && !u.broken {
		u.errorf("width", "routes to %d destinations", n)
	}
	return Vec{u.node(ir.Route, ir.Type{Width: dest.Len(), Len: n}, v, dest.value)}
}
