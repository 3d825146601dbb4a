package hclfile

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Limits of "for" expressions.
const (
	mostProduced = 1_000_000 // values and characters of one evaluation
	mostElement  = 1_000     // values and characters of an element that a variable refers to
)

// meter counts the output of the "for" expressions of a file and stops them at a limit. HCL's
// evaluator has no hook, so watch wraps the parts of a "for" expression in nodes that count each
// evaluation. Elements are limited, too, because a variable may occur often in the text.
type meter struct {
	left     int
	reported bool // an error has been reported
}

func newMeter() *meter { return &meter{left: mostProduced} }

func (m *meter) reset() { *m = *newMeter() }

// watch makes m count the output of the "for" expressions in a tree.
func (m *meter) watch(tree hclsyntax.Node) {
	var all []*hclsyntax.ForExpr
	hclsyntax.VisitAll(tree, func(n hclsyntax.Node) hcl.Diagnostics {
		if f, ok := n.(*hclsyntax.ForExpr); ok {
			all = append(all, f)
		}
		return nil
	})
	for _, f := range all {
		f.CollExpr = m.counted(f.CollExpr, mostElement)
		f.KeyExpr = m.counted(f.KeyExpr, mostProduced)
		f.ValExpr = m.counted(f.ValExpr, mostProduced)
		f.CondExpr = m.counted(f.CondExpr, mostProduced)
	}
}

// counted wraps a part of a "for" expression with a limit for each element of its value.
func (m *meter) counted(x hclsyntax.Expression, most int) hclsyntax.Expression {
	if x == nil {
		return nil
	}
	// The parentheses make x a child, so that its variables are found.
	return &countedExpr{&hclsyntax.ParenthesesExpr{Expression: x, SrcRange: x.Range()}, m, most}
}

type countedExpr struct {
	hclsyntax.Expression
	meter *meter
	most  int
}

// Value implements hcl.Expression.
func (x *countedExpr) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	m := x.meter
	if m.left < 0 {
		return cty.DynamicVal, m.stop(x, "")
	}
	v, diags := x.Expression.Value(ctx)
	if diags.HasErrors() {
		return v, diags
	}
	if m.left -= size(v, m.left); m.left < 0 {
		return cty.DynamicVal, m.stop(x, fmt.Sprintf("it produces more than %s values and characters", format.Thousands(mostProduced)))
	}
	if x.most < mostProduced && v.IsKnown() && !v.IsNull() && v.CanIterateElements() {
		for i := v.ElementIterator(); i.Next(); {
			if k, e := i.Element(); size(k, x.most)+size(e, x.most) > x.most+2 {
				m.left = -1
				return cty.DynamicVal, m.stop(x, fmt.Sprintf("an element has more than %s values and characters", format.Thousands(mostElement)))
			}
		}
	}
	return v, nil
}

// stop returns the error of an exhausted meter, at the first call only.
func (m *meter) stop(x hclsyntax.Expression, why string) hcl.Diagnostics {
	if m.reported {
		return nil
	}
	m.reported = true
	at := x.Range()
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "This 'for' expression is too large", Detail: why, Subject: &at}}
}

// size returns the number of values and characters of v. It may stop counting when the number
// exceeds most.
func size(v cty.Value, most int) int {
	n := 1
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case !v.IsKnown() || v.IsNull():
	case t == cty.String:
		n += len(v.AsString())
	case v.CanIterateElements():
		for i := v.ElementIterator(); n <= most && i.Next(); {
			k, e := i.Element()
			if t.IsObjectType() || t.IsMapType() {
				n += size(k, most-n)
			}
			n += size(e, most-n)
		}
	}
	return n
}
