package hw

import (
	"reflect"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Array is Len values of type T, a Bits, an Enum or a record of them. Each signal of T
// is a vector, so that arrays stay loops in the Verilog.
type Array[T any] struct{ a *array }

// array is what an Array is without its type.
type array struct {
	n    int
	vecs []*value // the vectors, in the order of the signals of an element
}

// arrayHolder is a pointer to an Array.
type arrayHolder interface {
	element() reflect.Type
	vectors() []member
	make(n *node, at spot, one func(leaf *node, at spot, count int) *value)
	copyArray(like any)
}

func (*Array[T]) element() reflect.Type { return reflect.TypeFor[T]() }

// vectors are the members of an Array.
func (x *Array[T]) vectors() (out []member) {
	if x.a == nil {
		return nil
	}
	var elem T
	for i, p := range members(&elem) {
		v := x.a.vecs[i]
		out = append(out, member{strings.TrimPrefix(p.path, plainName(reflect.TypeFor[T]())), p.back, v, func(w *value) { x.a.vecs[i] = w }})
	}
	return out
}

func (x *Array[T]) make(n *node, at spot, one func(leaf *node, at spot, count int) *value) {
	x.a = &array{n: n.n}
	n.kids[0].leaves(at, func(leaf *node, at spot) { x.a.vecs = append(x.a.vecs, one(leaf, at, n.n)) })
}

// copyArray makes x an Array as another, with vectors of its own to hold.
func (x *Array[T]) copyArray(like any) {
	if other := like.(*Array[T]).a; other != nil {
		x.a = &array{n: other.n, vecs: slices.Clone(other.vecs)}
	}
}

// Len is the number of elements.
func (x Array[T]) Len() int {
	if x.a == nil {
		return 0
	}
	return x.a.n
}

// At is the element at i.
func (x Array[T]) At(i Index) (out T) {
	pos := ir.Caller(0)
	return x.at(func(v *value) Bits { return Vec{v}.at(i, pos) }, pos)
}

// N is the element at the constant i.
func (x Array[T]) N(i int) T {
	pos := ir.Caller(0)
	return x.at(func(v *value) Bits { return Vec{v}.at(At(i), pos) }, pos)
}

// Index is the element that sel selects, IndexWidth(Len) bits; zeros beyond the last.
func (x Array[T]) Index(sel Bits) T {
	pos := ir.Caller(0)
	return x.at(func(v *value) Bits { return Vec{v}.selected(sel, pos) }, pos)
}

// Vec is the vector of one signal of all elements: of that which f takes of an element,
// as in asks.Vec(func(s hw.Stream[Request]) hw.Bits { return s.Valid }).
func (x Array[T]) Vec(f func(elem T) Bits) Vec {
	pos := ir.Caller(0)
	if x.a == nil {
		refuse(begin(pos, nil), "an array that was never declared")
	}
	var elem T
	for i, p := range members(&elem) {
		p.hold(x.a.vecs[i])
	}
	v := f(elem)
	if slices.Contains(x.a.vecs, v.value) {
		return Vec(v)
	}
	u := begin(pos, append([]*value{v.value}, x.a.vecs...)...)
	u.errorf("record", "Vec takes a signal of the elements, and no other value")
	return Vec{u.nothing(ir.Type{Width: 1, Len: x.a.n})}
}

// at is an element, whose signals are those that one finds in the vectors.
func (x Array[T]) at(one func(v *value) Bits, pos ir.Pos) (out T) {
	if x.a == nil {
		u := begin(pos, nil)
		refuse(u, "an array that was never declared")
		return out
	}
	for i, p := range members(&out) {
		p.hold(one(x.a.vecs[i]).value)
	}
	return out
}
