package hclfile

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Error converts the errors in diags to one error with a line per diagnostic, in the order of the
// file. It returns nil if there are none.
func Error(diags hcl.Diagnostics) error {
	diags = slices.Clone(diags) // package gohcl ranges over maps
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(start(a), start(b)) })
	var errs []error
	for _, d := range diags {
		if d.Severity != hcl.DiagError {
			continue
		}
		where := ""
		if d.Subject != nil {
			where = fmt.Sprintf("%s:%d: ", d.Subject.Filename, d.Subject.Start.Line)
		}
		detail := strings.TrimPrefix(strings.ReplaceAll(d.Detail, "\n", " "), "Unsuitable value: ") // already in the summary
		errs = append(errs, fmt.Errorf("%s%s: %s", where, d.Summary, detail))
	}
	return format.Mistakes(errs...)
}

// start returns the byte offset of the subject of d.
func start(d *hcl.Diagnostic) int {
	if d.Subject == nil {
		return 0
	}
	return d.Subject.Start.Byte
}

// expected adds the supported names to errors about an unsupported argument or block.
func expected(diags hcl.Diagnostics, body *hclsyntax.Body, to any) hcl.Diagnostics {
	for _, d := range diags {
		if d.Subject == nil || d.Summary != "Unsupported argument" && d.Summary != "Unsupported block type" {
			continue
		}
		schema, _ := gohcl.ImpliedBodySchema(reflect.New(around(*d.Subject, body, reflect.TypeOf(to).Elem())).Interface())
		if d.Summary == "Unsupported block type" {
			schema.Attributes = nil
		}
		if list := known(schema); list != "" {
			d.Detail += " Expected " + list + "."
		}
	}
	return diags
}

// around returns the type of the innermost block around a position.
func around(place hcl.Range, body *hclsyntax.Body, t reflect.Type) reflect.Type {
	for _, b := range body.Blocks {
		if !hcl.RangeBetween(b.OpenBraceRange, b.CloseBraceRange).ContainsPos(place.Start) {
			continue
		}
		for f := range t.NumField() {
			if field := t.Field(f); field.Tag.Get("hcl") == b.Type+",block" {
				inner := field.Type
				for inner.Kind() != reflect.Struct {
					inner = inner.Elem()
				}
				return around(place, b.Body, inner)
			}
		}
	}
	return t
}

// known lists the arguments and blocks of a body.
func known(s *hcl.BodySchema) string {
	var attributes, blocks []string
	for _, a := range s.Attributes {
		attributes = append(attributes, a.Name)
	}
	for _, b := range s.Blocks {
		blocks = append(blocks, b.Type)
	}
	slices.Sort(attributes)
	slices.Sort(blocks)
	var list []string
	if len(attributes) > 0 {
		list = append(list, "one of "+strings.Join(attributes, ", "))
	}
	if len(blocks) > 0 {
		list = append(list, "a block "+strings.Join(blocks, ", "))
	}
	return strings.Join(list, ", or ")
}
