package hw

import (
	"reflect"
	"strings"

	"github.com/hotline-rtl/hotline/hw/internal/snake"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// param is a parameter of a module.
type param struct {
	name  string
	value reflect.Value
	doc   string
}

// parameters appends the fields of v to list. It flattens embedded structs.
func parameters(list []param, v reflect.Value) []param {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct && !f.Type.Implements(shapeType) {
			list = parameters(list, v.Field(i))
		} else {
			list = append(list, param{f.Name, v.Field(i), meaning(f.Tag)})
		}
	}
	return list
}

// meaning returns what a field's tags state about it: its documentation and its unit.
func meaning(tag reflect.StructTag) string {
	doc := tag.Get("doc")
	if unit := tag.Get("unit"); unit != "" {
		doc = strings.TrimSpace(doc + " (" + unit + ")")
	}
	return doc
}

// display appends the parameters in v as people read them: with names in snake case and without
// empty values. A nested struct gives one parameter for each of its fields.
func display(list []ir.Parameter, prefix string, v reflect.Value) []ir.Parameter {
	for _, p := range parameters(nil, v) {
		name, value := prefix+snake.Case(p.name), describe(p.value)
		switch {
		case p.value.Kind() == reflect.Struct && !p.value.Type().Implements(shapeType):
			list = display(list, name+"_", p.value)
		case value != "":
			list = append(list, ir.Parameter{Name: name, Value: value, Doc: p.doc})
		}
	}
	return list
}

// displayed returns the parameters of a generator. If it is no struct, its value is the only
// parameter.
func displayed(g any) []ir.Parameter {
	v := reflect.Indirect(reflect.ValueOf(g))
	if v.Kind() != reflect.Struct {
		return []ir.Parameter{{Name: snake.Case(plainName(v.Type())), Value: describe(v)}}
	}
	return display(nil, "", v)
}
