package hw

import (
	"reflect"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Array is an array of Len elements of type T: a Bits, an Enum, a Vec, a record or another Array.
// Each signal of T becomes one vector, with one dimension per nested Array, so that arrays stay
// loops in the Verilog.
type Array[T any] struct{ a *array[T] }

// array holds the length and the signals of an Array.
type array[T any] struct {
	n    int
	elem T // a T whose signals are the vectors over all elements
}

// arrayHolder is implemented by pointers to an Array.
type arrayHolder interface {
	element() reflect.Type
	vectors() []member
	make(n *node, at spot, one func(leaf *node, at spot, lens []int) *value)
	copyArray(like any)
}

func (*Array[T]) element() reflect.Type { return reflect.TypeFor[T]() }

// vectors returns the members of an Array.
func (x *Array[T]) vectors() (out []member) {
	if x.a == nil {
		return nil
	}
	for _, p := range members(&x.a.elem) {
		p.path = strings.TrimPrefix(p.path, plainName(reflect.TypeFor[T]()))
		p.lens, p.several = append([]int{x.a.n}, p.lens...), true
		out = append(out, p)
	}
	return out
}

func (x *Array[T]) make(n *node, at spot, one func(leaf *node, at spot, lens []int) *value) {
	x.a = &array[T]{n: n.n}
	n.kids[0].build(reflect.ValueOf(&x.a.elem).Elem(), at, func(leaf *node, at spot, lens []int) *value {
		return one(leaf, at, append([]int{n.n}, lens...))
	})
}

// copyArray gives x the shape of like, another Array, without its signals.
func (x *Array[T]) copyArray(like any) {
	if other := like.(*Array[T]).a; other != nil {
		x.a = &array[T]{n: other.n}
		sameLength(&x.a.elem, &other.elem)
	}
}

// Len returns the number of elements.
func (x Array[T]) Len() int {
	if x.a == nil {
		return 0
	}
	return x.a.n
}

// At returns the element at i.
func (x Array[T]) At(i Index) (out T) {
	pos := ir.Caller(0)
	return x.at(choice{at: i}, pos)
}

// N returns the element at the constant i.
func (x Array[T]) N(i int) T {
	pos := ir.Caller(0)
	return x.at(choice{at: At(i)}, pos)
}

// Index returns the element that sel selects. sel has IndexWidth(Len) bits; the result is zero if
// sel is out of range.
func (x Array[T]) Index(sel Bits) T {
	pos := ir.Caller(0)
	return x.at(choice{sel: &sel}, pos)
}

// Vec returns one signal of all elements as a vector. f selects the signal of an element, as in
// asks.Vec(func(s hw.Stream[Request]) hw.Bits { return s.Valid }).
func (x Array[T]) Vec(f func(elem T) Bits) Vec {
	pos := ir.Caller(0)
	if x.a == nil {
		refuse(begin(pos, nil), "an array that was never declared")
	}
	v := f(x.a.elem)
	var vecs []*value
	for _, p := range members(&x.a.elem) {
		vecs = append(vecs, p.v)
	}
	if slices.Contains(vecs, v.value) {
		return Vec(v)
	}
	u := begin(pos, append([]*value{v.value}, vecs...)...)
	u.errorf("record", "Vec takes a signal of the elements, and no other value")
	return Vec{u.nothing(ir.Type{Width: 1, Len: x.a.n})}
}

// at returns an element, whose signals are parts of the vectors.
func (x Array[T]) at(c choice, pos ir.Pos) (out T) {
	if x.a == nil {
		u := begin(pos, nil)
		refuse(u, "an array that was never declared")
		return out
	}
	from := members(&x.a.elem)
	for i, p := range sameLength(&out, &x.a.elem) {
		p.hold(Vec{from[i].v}.part(x.a.n, from[i].several, c, pos))
	}
	return out
}
