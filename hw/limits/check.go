package limits

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Block is a struct whose fields are attributes.
type Block interface {
	// Limits returns the ranges of attributes, by name. An attribute without an entry may have any
	// value of its type.
	Limits() map[string]Range
}

// Mistake is an attribute that is out of range.
type Mistake struct{ Attribute, Text string }

// Error implements error.
func (m Mistake) Error() string { return m.Text }

// Check returns a mistake for each attribute of a block that is out of range, in the order of the
// fields. Each element of a list and each value of a map must be in the range. A nil pointer is an
// attribute that is absent.
func Check(b Block) (list []Mistake) {
	ranges := b.Limits()
	v := reflect.Indirect(reflect.ValueOf(b))
	for i := range v.NumField() {
		name, kind, _ := strings.Cut(v.Type().Field(i).Tag.Get("hcl"), ",")
		if r, ok := ranges[name]; ok && (kind == "" || kind == "optional") {
			list = append(list, r.check(name, name, v.Field(i))...)
		}
	}
	return list
}

// First returns the name and the error of the first attribute that is out of range.
func First(b Block) (attribute string, err error) {
	if list := Check(b); len(list) > 0 {
		return list[0].Attribute, list[0]
	}
	return "", nil
}

// check returns the mistakes of a value, which messages call path.
func (r Range) check(attribute, path string, v reflect.Value) (list []Mistake) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			list = r.check(attribute, path, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			list = append(list, r.check(attribute, fmt.Sprintf("%s[%d]", path, i), v.Index(i))...)
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, k := range keys {
			list = append(list, r.check(attribute, path+"."+k.String(), v.MapIndex(k))...)
		}
	default:
		if !r.holds(v) {
			list = []Mistake{{attribute, fmt.Sprintf("%s is %s; expected %s", path, quoted(v), r)}}
		}
	}
	return list
}

// quoted returns a value as in HCL.
func quoted(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return fmt.Sprintf("%q", v)
	case v.CanInt():
		return fmt.Sprint(v.Int()) // a duration has no unit in HCL
	}
	return fmt.Sprint(v)
}
