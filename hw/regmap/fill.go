package regmap

import (
	"fmt"
	"reflect"
)

// Place is a field of an element of a register.
type Place struct {
	Register Register
	Field    Field
	Element  int
}

// Name returns the unique name of the field, for example control_reset or base_2.
func (p Place) Name() string { return signal(p.Register, p.Field, p.Element) }

// Places returns all fields, with registers in the order of the map.
func (m *Map) Places() (list []Place) {
	for _, r := range m.Registers {
		for i := range r.Elements() {
			for _, f := range r.Fields {
				list = append(list, Place{r, f, i})
			}
		}
	}
	return list
}

// Fill returns a struct of the map filled with the results of value for each field. V must be
// convertible to the type of the struct's fields. T is the struct from which m was made, possibly
// with values of another type. Otherwise Fill returns an error.
func Fill[T, V any](m *Map, value func(Place) V) (out T, err error) {
	v := reflect.ValueOf(&out).Elem()
	if layout(v.Type()) != m.layout {
		return out, fmt.Errorf("regmap: %s is not what the map %s was made of", v.Type(), m.Name)
	}
	for _, p := range m.Places() {
		to := v.Field(p.Field.path[0])
		if p.Register.Count > 0 {
			if to.Len() == 0 {
				to.Set(reflect.MakeSlice(to.Type(), p.Register.Count, p.Register.Count))
			}
			to = to.Index(p.Element)
		}
		if len(p.Field.path) > 1 {
			to = to.Field(p.Field.path[1])
		}
		x := reflect.ValueOf(value(p))
		if !x.CanConvert(to.Type()) {
			return out, fmt.Errorf("regmap: %s of %s is a %s, not a %s", p.Name(), m.Name, to.Type(), x.Type())
		}
		to.Set(x.Convert(to.Type()))
	}
	return out, nil
}
