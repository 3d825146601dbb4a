package hw

import (
	"path"
	"reflect"
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/hw/internal/snake"
)

// label is the part of a module's name that states a parameter, for example depth and 16.
type label struct {
	key        string
	field      string // of the generator
	name, text string // no text for values that a name omits
}

// labels returns the labels of a generator's parameters, and of the kind of its reset.
func labels(g any, async bool) (list []label) {
	v := reflect.Indirect(reflect.ValueOf(g))
	if v.Kind() == reflect.Struct {
		for _, p := range parameters(nil, v) {
			list = appendLabels(list, p.name, p.name, p.value)
		}
	}
	kind := "srst"
	if async {
		kind = "arst"
	}
	return append(list, label{key: "reset kind", text: kind})
}

// appendLabels appends the labels of a parameter, or of the fields of a struct.
func appendLabels(list []label, field, key string, v reflect.Value) []label {
	one := label{key: key, field: field, name: legal(key)}
	if v.IsValid() && v.Type().Implements(shapeType) {
		return append(list, shapeOf(v).labels(field, key)...)
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, p := range parameters(nil, v) {
			list = appendLabels(list, field, key+"_"+p.name, p.value)
		}
		return list
	case reflect.Interface:
		if v.IsNil() {
			return list
		}
		list = append(list, label{key: key + " type", field: field, text: legal(plainName(reflect.Indirect(v.Elem()).Type()))})
		return appendLabels(list, field, key, v.Elem())
	case reflect.Bool:
		if !v.Bool() {
			one.name = ""
			return append(list, one)
		}
		one.name, one.text = "", one.name
		return append(list, one)
	}
	if one.text = legal(strings.ReplaceAll(describe(v), "-", "m")); !numeric.MatchString(describe(v)) {
		one.name += "_"
	}
	return append(list, one)
}

// labels returns the name of the record, then the package and the width, which distinguish records
// of one name.
func (s *shape) labels(field, key string) []label {
	if s == nil {
		return nil
	}
	return []label{
		{key: key, field: field, text: s.record()},
		{key: key + " package", field: field, text: legal(path.Base(s.typ.PkgPath()))},
		{key: key + " width", field: field, text: s.width()},
	}
}

var (
	numeric = regexp.MustCompile(`^[-0-9]`)
	illegal = regexp.MustCompile(`[^a-z0-9]+`)
)

// legal converts text to a part of a name. Nothing remains of a value that has no text.
func legal(text string) string {
	return strings.Trim(illegal.ReplaceAllString(snake.Case(text), "_"), "_")
}
