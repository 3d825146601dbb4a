package hclfile

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/hotline-rtl/hotline/hw/limits"
)

// Block describes a block of a kind of file, from the struct that it is decoded into.
type Block struct {
	Name       string // as in HCL, with its labels; "" outside of blocks
	Attributes []Attribute
	Type       reflect.Type
}

// Attribute describes an attribute.
type Attribute struct {
	Name, Type, Unit string
	Range            string // "" for all values of the type
	Default          string // "required" if the attribute must be there, "" for none
	Meaning          string
}

// Blocks describes the blocks of a file that is decoded into v: first the attributes outside of
// blocks, then each block and the blocks in it. Fields have the tags of package gohcl and
//
//	unit:"..." doc:"..." // unit and meaning
//	default:"..."        // words for a default that depends on others
//	type:"..."           // for an expression
//
// Other defaults are the values of the fields. Ranges are the ranges of [limits.Block].
func Blocks(v any) []Block { return blocks("", reflect.ValueOf(v)) }

func blocks(name string, v reflect.Value) []Block {
	v = reflect.Indirect(v)
	b := Block{Name: name, Type: v.Type()}
	ranges := map[string]limits.Range{}
	if l, ok := addressed(v).(limits.Block); ok {
		ranges = l.Limits()
	}
	var inner []Block
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch name, kind, _ := strings.Cut(field.Tag.Get("hcl"), ","); kind {
		case "label":
			b.Name += fmt.Sprintf(" %q", strings.ToUpper(name))
		case "block":
			inner = append(inner, blocks(name, element(v.Field(i)))...)
		case "", "optional":
			if name != "" {
				b.Attributes = append(b.Attributes, attribute(name, kind, field, v.Field(i), ranges[name]))
			}
		}
	}
	return append([]Block{b}, inner...)
}

// addressed returns a pointer to a copy of v, which has all methods of its type.
func addressed(v reflect.Value) any {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

// element returns the block in a field: its first value, or the zero value.
func element(v reflect.Value) reflect.Value {
	switch {
	case v.Kind() == reflect.Slice && v.Len() > 0:
		return reflect.Indirect(v.Index(0))
	case v.Kind() == reflect.Slice:
		v = reflect.Zero(v.Type().Elem())
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return reflect.Zero(v.Type().Elem())
	}
	return reflect.Indirect(v)
}

func attribute(name, kind string, field reflect.StructField, v reflect.Value, r limits.Range) Attribute {
	a := Attribute{
		Name: name, Type: cmp.Or(field.Tag.Get("type"), typeName(field.Type)), Unit: field.Tag.Get("unit"),
		Range: r.String(), Meaning: field.Tag.Get("doc"), Default: "required",
	}
	if kind == "optional" {
		a.Default = cmp.Or(field.Tag.Get("default"), text(reflect.Indirect(v)))
	}
	return a
}

// text returns a default, or "" if there is none.
func text(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Bool || v.Kind() == reflect.String || v.CanUint():
		return fmt.Sprint(v)
	case v.CanInt():
		return fmt.Sprint(v.Int()) // a duration has no unit in HCL
	case v.CanFloat():
		return fmt.Sprintf("%.4g", v.Float())
	}
	return ""
}

// typeName returns the name of a type.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice:
		return "list of " + typeName(t.Elem()) + "s"
	case reflect.Map:
		return "object of " + typeName(t.Elem()) + "s"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Float64:
		return "number"
	}
	return t.Kind().String()
}
