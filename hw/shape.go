package hw

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"sync"

	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/internal/snake"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Shape is the layout of values of type T: its signals with their names, widths and directions. T
// is Bits, Signed, Vec, Enum, Array, Stream, or a struct of such types. The fields of a struct
// have tags:
//
//	type Request struct {
//		Tag  hw.Bits `hw:"TagBits"`         // width from this int field or method of the parameters
//		Row  hw.Bits `hw:"RowBits-1"`       // the same with a constant added or subtracted
//		Hot  hw.Bits                        // one bit
//		Ways hw.Vec  `hw:"4,len=Ways"`      // a vector of Ways elements of 4 bits
//		Grid hw.Array[hw.Vec] `hw:"4,len=Sets,len=Ways"` // Sets such vectors
//		Op   hw.Enum[Opcode]                // width from the type
//	}
//
// Other words of a tag:
//
//	in, out   direction of a port
//	back      a field with the opposite direction, such as ready
//	name=     the name; the default is the field's name in snake case
//	inline    the names of a record's fields omit the record's name, as for embedded records
//	reset=    the reset value of a register, default 0; hexadecimal with the prefix 0x if wide
//	abut      no underscore after the name
//	with=F    the parameters are field F of the module's parameters
//	of=F      the record is described by the Shape in the parameter F
//	len=      the number of elements of a slice of records; names contain the element's number
//
// The words clock=, low and async are described with Clock.
//
// Shapes are comparable and may be parameters of a module: equal layouts of one type are equal
// Shapes.
type Shape[T any] struct{ s *shape }

type shape struct {
	typ  reflect.Type
	root *node
	text string   // distinguishes it from other shapes of its type
	bad  []string // its mistakes
}

// node is a part of a shape: a field, or an element of a slice or an Array.
type node struct {
	name  string // its contribution to the names of signals, or ""
	abut  bool
	path  string // for messages
	dir   direction
	back  bool
	index int // of the field
	n     int // elements of a slice, an Array or a Vec
	typ   reflect.Type
	width int      // of a leaf
	reset []uint64 // of a leaf, in words
	set   enum.Set // of a leaf that is an Enum
	doc   string
	tag   tag     // of the field, for a Clock
	clock string  // field of the Clock that a port belongs to, or ""
	kids  []*node // fields; or the element of a slice or an Array
}

// Of returns the shape of T for the parameters p, a struct with the int fields and methods that
// the tags name.
func Of[T any](p any) Shape[T] {
	return Shape[T]{resolve(reflect.TypeFor[T](), reflect.ValueOf(p), tag{})}
}

// Width returns the shape of a number of the given number of bits.
func Width(bits int) Shape[Bits] { return Shape[Bits]{numbers(bits)} }

func numbers(bits int) *shape {
	return resolve(reflect.TypeFor[Bits](), reflect.Value{}, tag{width: fmt.Sprint(bits)})
}

// Bits returns the number of bits of a packed value.
func (s Shape[T]) Bits() int {
	if s.s == nil {
		return 0
	}
	return s.s.root.bits()
}

// String returns the name of the type and the number of bits: request_w27.
func (s Shape[T]) String() string { return s.s.String() }

func (s *shape) String() string {
	if s == nil {
		return "nothing"
	}
	if s == nil {
		return "nothing"
	}
	return strings.TrimPrefix(s.record()+"_"+s.width(), "_")
}

// record returns the name of the type, or "" for a number.
func (s *shape) record() string {
	if s.typ == reflect.TypeFor[Bits]() {
		return ""
	}
	return snake.Case(plainName(s.typ))
}

func (s *shape) width() string { return "w" + fmt.Sprint(s.root.bits()) }

var shapeType = reflect.TypeFor[interface{ shape() *shape }]()

// shapeOf returns the shape in a Shape of any type. It accepts values of unexported fields.
func shapeOf(v reflect.Value) *shape { return (*shape)(v.Field(0).UnsafePointer()) }

func (n *node) bits() int {
	sum := n.width
	for _, k := range n.kids {
		sum += k.bits()
	}
	return sum * max(n.n, 1)
}

// layout describes the fields of a packed value from its highest bit on: {tag 13, row 6}. It
// returns "" for a number.
func (s *shape) layout() string {
	if len(s.root.kids) == 0 {
		return ""
	}
	var fields []string
	var walk func(n *node, at spot)
	signal := func(leaf *node, at spot, lens []int) *value {
		fields = append(fields, fmt.Sprintf("%s %s", at.name, ir.Extent(leaf.width, lens)))
		return nil
	}
	walk = func(n *node, outer spot) {
		at := outer.in(n)
		switch {
		case len(n.kids) == 0 && n.n > 0, n.isArray():
			n.build(reflect.New(n.typ).Elem(), outer, signal)
		case len(n.kids) == 0:
			fields = append(fields, fmt.Sprintf("%s %d", at.name, n.width))
		case n.n > 0:
			fields = append(fields, fmt.Sprintf("%s %d x %d", at.name, n.n, n.kids[0].bits()))
		default:
			for _, k := range n.kids {
				walk(k, at)
			}
		}
	}
	walk(s.root, spot{})
	return "{" + strings.Join(fields, ", ") + "}"
}

// isArray reports whether n is an Array, whose signals are vectors.
func (n *node) isArray() bool { return reflect.PointerTo(n.typ).Implements(arrayType) }

// plainName returns the name of a type without its type arguments.
func plainName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// shapes contains all resolved shapes by type and text.
var shapes sync.Map

type shapeKey struct {
	typ  reflect.Type
	text string
}

// resolve computes the layout of t.
func resolve(t reflect.Type, params reflect.Value, outer tag) *shape {
	r := &resolver{params: params, without: map[string]bool{}}
	root := &node{path: plainName(t), typ: t}
	r.fill(root, outer)
	s := &shape{typ: t, root: root, bad: r.bad}
	var text strings.Builder
	root.describe(&text)
	s.text = text.String() + strings.Join(r.bad, "\n")
	same, _ := shapes.LoadOrStore(shapeKey{t, s.text}, s)
	return same.(*shape)
}

// describe writes everything that distinguishes layouts of one type.
func (n *node) describe(b *strings.Builder) {
	fmt.Fprintf(b, "(%d %d %d", n.width, n.n, n.reset)
	for _, k := range n.kids {
		k.describe(b)
	}
	b.WriteByte(')')
}

// resolver computes widths and lengths.
type resolver struct {
	params  reflect.Value
	without map[string]bool // missing parameters named by of=
	bad     []string
}

func (r *resolver) errorf(n *node, format string, args ...any) {
	r.bad = append(r.bad, n.path+": "+fmt.Sprintf(format, args...))
}

// fill determines the contents of n, of type n.typ.
func (r *resolver) fill(n *node, t tag) {
	if s := r.given(n, t); s != nil {
		n.kids, n.width, n.n, n.set = s.root.kids, s.root.width, s.root.n, s.root.set
		r.bad = append(r.bad, s.bad...)
		return
	}
	zero := reflect.New(n.typ).Interface()
	switch x := zero.(type) {
	case leafHolder:
		r.leaf(n, t, x)
	case arrayHolder:
		r.elements(n, t, x.element())
	default:
		switch n.typ.Kind() {
		case reflect.Slice:
			r.elements(n, t, n.typ.Elem())
		case reflect.Struct:
			r.fields(n, t)
		default:
			r.errorf(n, "%s is not a Bits, Signed, Vec, Enum, Array, slice or struct of them", n.typ)
		}
	}
}

// given returns the shape in the parameter that the word of= names, if it is of this type.
func (r *resolver) given(n *node, t tag) *shape {
	if t.of == "" || t.width != "" || r.without[t.of] {
		return nil
	}
	v := reflect.Indirect(r.params)
	if !v.IsValid() || v.Kind() != reflect.Struct || !v.FieldByName(t.of).IsValid() {
		r.errorf(n, "no field %s in %s", t.of, typeName(r.params))
		r.without[t.of] = true
		return nil
	}
	s, ok := v.FieldByName(t.of).Interface().(interface{ shape() *shape })
	switch {
	case !ok:
		r.errorf(n, "%s of %s is not a hw.Shape", t.of, typeName(r.params))
		r.without[t.of] = true
	case s.shape() == nil:
		r.errorf(n, "%s of %s is not set", t.of, typeName(r.params))
		r.without[t.of] = true
	case s.shape().typ == n.typ:
		return s.shape()
	}
	return nil
}

func (s Shape[T]) shape() *shape { return s.s }

// leaf determines the width, and the length of a vector.
func (r *resolver) leaf(n *node, t tag, x leafHolder) {
	n.width = 1
	if set, ok := x.named(); ok {
		n.set, n.width = set, set.Width()
		if t.width != "" {
			r.errorf(n, "the width of %s is %d; leave %s out", set.Name(), set.Width(), t.width)
		}
	} else if t.width != "" {
		n.width = r.number(n, t.width, 1, ir.MaxWidth)
	}
	_, isClock := x.(*Clock)
	switch {
	case isClock && t.width != "":
		r.errorf(n, "a clock has no width; leave %s out", t.width)
	case !isClock && (t.low || t.async):
		r.errorf(n, "low and async are for a Clock")
	}
	if !isClock {
		n.reset = r.reset(n, t.reset)
	}
	switch {
	case x.isVector() && len(t.lens) == 0:
		r.errorf(n, "a vector without len=")
		n.n = 1
	case x.isVector():
		n.n = r.number(n, t.lens[0], 1, ir.MaxLen)
		t.lens = t.lens[1:]
	}
	if len(t.lens) > 0 {
		r.errorf(n, "len= is for Vec, Array and slices")
	}
}

// reset parses a reset value: a number, or hexadecimal digits with the prefix 0x.
func (r *resolver) reset(n *node, expr string) []uint64 {
	v := new(big.Int)
	digits, hex := strings.CutPrefix(expr, "0x")
	switch {
	case expr == "":
	case !hex:
		v.SetInt64(int64(r.number(n, expr, 0, math.MaxInt)))
	default:
		if _, ok := v.SetString(strings.ReplaceAll(digits, "_", ""), 16); !ok || v.Sign() < 0 {
			r.errorf(n, "%q is not a hexadecimal number", expr)
			v.SetInt64(0)
		}
	}
	if v.BitLen() > n.width {
		r.errorf(n, "reset value %s does not fit in %d bits", expr, n.width)
		v.SetInt64(0)
	}
	return wordsOf(v, n.width)
}

func (r *resolver) number(n *node, expr string, least, most int) int {
	v, wrong := number(expr, r.params)
	switch {
	case wrong != "":
		r.errorf(n, "%s", wrong)
	case v < least || v > most:
		r.errorf(n, "%s is %d, expected %d to %d", expr, v, least, most)
	default:
		return v
	}
	return least
}

// elements determines the elements of a slice or an Array.
func (r *resolver) elements(n *node, t tag, elem reflect.Type) {
	if len(t.lens) == 0 {
		r.errorf(n, "%s without len=", n.typ)
		t.lens = []string{"1"}
	}
	n.n = r.number(n, t.lens[0], 1, ir.MaxLen)
	t.lens = t.lens[1:]
	k := &node{path: n.path + "[]", typ: elem}
	r.fill(k, t)
	n.kids = []*node{k}
}

// fields determines the fields of a struct.
func (r *resolver) fields(n *node, outer tag) {
	params := r.params
	if outer.with != "" {
		if v := reflect.Indirect(params); v.IsValid() && v.Kind() == reflect.Struct && v.FieldByName(outer.with).IsValid() {
			r.params = v.FieldByName(outer.with)
		} else {
			r.errorf(n, "no field %s in %s", outer.with, typeName(params))
		}
	}
	if n.typ.NumField() == 0 {
		r.errorf(n, "%s has no fields", n.typ)
	}
	for i := range n.typ.NumField() {
		r.field(n, outer, i)
	}
	r.params = params
}

func (r *resolver) field(n *node, outer tag, i int) {
	f := n.typ.Field(i)
	t, wrong := parseTag(f)
	k := &node{index: i, path: n.path + "." + f.Name, typ: f.Type, dir: t.dir, back: t.back, abut: t.abut, clock: t.clock, tag: t, doc: f.Tag.Get("doc")}
	n.kids = append(n.kids, k)
	switch {
	case wrong != "":
		r.errorf(k, "%s", wrong)
		return
	case !f.IsExported() && !f.Anonymous:
		r.errorf(k, "not exported: reflection cannot set it; write %s", strings.ToUpper(f.Name[:1])+f.Name[1:])
		return
	}
	switch {
	case t.name != "":
		k.name = t.name
	case !f.Anonymous && !t.inline:
		k.name = snake.Case(f.Name)
	case t.inline && isLeaf(f.Type):
		k.name = snake.Case(f.Name)
	}
	if t.width == "" && t.inline { // the payload of a stream inherits the words of the stream's tag
		t.width, t.of = outer.width, outer.of
	}
	r.fill(k, t)
}

func isLeaf(t reflect.Type) bool {
	_, ok := reflect.New(t).Interface().(leafHolder)
	return ok
}
