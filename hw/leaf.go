package hw

import (
	"reflect"
	"strconv"

	"github.com/hotline-rtl/hotline/hw/enum"
)

// leafHolder is implemented by pointers to Bits, Signed, Vec and Enum.
type leafHolder interface {
	hold(*value)
	held() *value
	named() (set enum.Set, ok bool)
	isVector() bool
}

func (a *Bits) hold(v *value)             { a.value = v }
func (a *Bits) held() *value              { return a.value }
func (*Bits) named() (s enum.Set, _ bool) { return s, false }
func (*Bits) isVector() bool              { return false }

func (a *Signed) hold(v *value)             { a.value = v }
func (a *Signed) held() *value              { return a.value }
func (*Signed) named() (s enum.Set, _ bool) { return s, false }
func (*Signed) isVector() bool              { return false }

func (v *Vec) hold(x *value)             { v.value = x }
func (v *Vec) held() *value              { return v.value }
func (*Vec) named() (s enum.Set, _ bool) { return s, false }
func (*Vec) isVector() bool              { return true }

func (a *Enum[T]) hold(v *value) { a.value = v }
func (a *Enum[T]) held() *value  { return a.value }
func (*Enum[T]) isVector() bool  { return false }
func (*Enum[T]) named() (enum.Set, bool) {
	var zero T
	return zero.Enum(), true
}

var arrayType = reflect.TypeFor[arrayHolder]()

// holder returns v as a leafHolder or an arrayHolder, or nil.
func holder(v reflect.Value) any {
	if !v.CanInterface() {
		return nil // an embedded struct of an unexported type
	}
	switch x := v.Addr().Interface().(type) {
	case leafHolder, arrayHolder:
		return x
	}
	return nil
}

// member is one signal of a record.
type member struct {
	path    string // for example Data.Row
	back    bool
	lens    []int // lengths of the enclosing Arrays, outermost first
	several bool  // a vector, in an Array or by itself
	v       *value
	hold    func(*value)
}

// extent formats the type of a member with all dimensions, for example 4x8x16.
func (p member) extent() string {
	t, s := p.v.typ(), ""
	for _, n := range p.lens {
		s += strconv.Itoa(n) + "x"
		t.Len /= n
	}
	if t.Len == 1 && len(p.lens) > 0 {
		t.Len = 0
	}
	return s + t.String()
}

// members returns the signals of a record in field order. x is a pointer to the record.
func members(x any) []member {
	v := reflect.ValueOf(x).Elem()
	return membersOf(nil, v, plainName(v.Type()), false)
}

func membersOf(out []member, v reflect.Value, path string, back bool) []member {
	switch x := holder(v).(type) {
	case leafHolder:
		return append(out, member{path: path, back: back, several: x.isVector(), v: x.held(), hold: x.hold})
	case arrayHolder:
		for _, p := range x.vectors() {
			p.path, p.back = path+p.path, back != p.back
			out = append(out, p)
		}
		return out
	}
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			out = membersOf(out, v.Index(i), path+"["+strconv.Itoa(i)+"]", back)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() && !f.Anonymous {
				continue
			}
			t, _ := parseTag(f)
			name := path
			if !f.Anonymous {
				name += "." + f.Name
			}
			out = membersOf(out, v.Field(i), name, back != t.back)
		}
	}
	return out
}

// sameLength gives the slices and Arrays of x the lengths of like and returns the members of x.
// Its arguments point to records of one type.
func sameLength(x, like any) []member {
	copySlices(reflect.ValueOf(x).Elem(), reflect.ValueOf(like).Elem())
	return members(x)
}

func copySlices(v, like reflect.Value) {
	switch x := holder(v).(type) {
	case leafHolder:
		return
	case arrayHolder:
		x.copyArray(holder(like))
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), like.Len(), like.Len()))
		for i := range v.Len() {
			copySlices(v.Index(i), like.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				copySlices(v.Field(i), like.Field(i))
			}
		}
	}
}
