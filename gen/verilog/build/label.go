package build

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// constant translates a constant to a number or a name: its own name, or the name of a value
// of g.
func (b *builder) constant(e *ir.Expr, g *ir.Signal) syntax.Expr {
	label := e.Label
	if label == "" && g != nil && g.Enum != nil {
		label = g.Enum.Label(e.Uint())
	}
	if label != "" {
		return &syntax.Ident{Obj: b.param(label, e)}
	}
	return &syntax.Number{Width: e.Type.Width, Val: e.Val, Hex: e.Hex}
}

// param returns the localparam of a constant. There is one for each width in which it is used.
func (b *builder) param(label string, e *ir.Expr) *syntax.Object {
	key := labelKey{label, e.Type.Width}
	o := b.labels[key]
	if o == nil {
		name := label
		for other := range b.labels {
			if other.label == label {
				name = fmt.Sprintf("%s_W%d", label, e.Type.Width)
			}
		}
		o = &syntax.Object{Name: b.names.Fresh(name), Kind: syntax.Localparam, Width: e.Type.Width, Pos: e.Pos}
		b.labels[key] = o
		b.values[o] = e
	}
	return o
}

// labelKey identifies a constant by name and width.
type labelKey struct {
	label string
	width int
}

// declareLabels declares a localparam for each named constant in the text. Constants of an
// enum are together, in the order of their values. Others follow, by name.
func (b *builder) declareLabels() {
	var items []syntax.Item
	add := func(k labelKey, group string) {
		if o := b.labels[k]; o != nil {
			e := b.values[o]
			o.Group = group
			items = append(items, &syntax.DeclItem{Obj: o, Init: &syntax.Number{Width: e.Type.Width, Val: e.Val, Hex: e.Hex, Count: !e.Hex}})
			delete(b.labels, k)
		}
	}
	for _, e := range b.plan.IR.Enums {
		for _, v := range e.Values {
			add(labelKey{e.Label(v.Value), e.Width}, e.Name)
		}
	}
	others := slices.SortedFunc(maps.Keys(b.labels), func(x, y labelKey) int {
		return cmp.Or(cmp.Compare(x.label, y.label), cmp.Compare(x.width, y.width))
	})
	for _, k := range others {
		add(k, "")
	}
	b.body.params = append(items, b.body.params...)
}
