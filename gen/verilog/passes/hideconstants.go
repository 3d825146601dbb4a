package passes

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
)

// hideConstants replaces values that may be constant in some iteration of a loop by wires that
// Verilator keeps. It does so where Verilator would warn of the constant: in a comparison with
// one outcome, and as an index out of range, although a condition guards it.
func hideConstants(m *syntax.Module) {
	k := &hider{constancy: newConstancy(m), names: m.Names, made: map[string]*syntax.Object{}}
	m.Items = k.list(m.Items, nil)
}

// hider replaces expressions by opaque wires.
type hider struct {
	*constancy
	names *syntax.Names
	made  map[string]*syntax.Object // by scope and text
	loops []*syntax.LoopVar         // around the present items
	scope string
	decls []syntax.Item // that the present item needs
}

// list returns items with the wires that they need before them.
func (k *hider) list(list []syntax.Item, v *syntax.LoopVar) []syntax.Item {
	outer, scope := k.loops, k.scope
	if v != nil {
		k.loops = append(outer[:len(outer):len(outer)], v)
	}
	var out []syntax.Item
	for _, it := range list {
		if g, ok := it.(*syntax.GenerateItem); ok {
			k.scope = scope + " " + g.Label
			g.Body = k.list(g.Body, g.Var)
			k.scope = scope
		} else {
			k.item(it)
		}
		out = append(append(out, k.decls...), it)
		k.decls = nil
	}
	k.loops = outer
	return out
}

func (k *hider) item(it syntax.Item) {
	if a, ok := it.(*syntax.AlwaysItem); ok && a.Initial {
		return
	}
	syntax.WalkItem(it, func(x syntax.Expr, _ bool) {
		syntax.WalkExpr(x, func(y syntax.Expr) {
			switch y := y.(type) {
			case *syntax.Binary:
				if syntax.IsOrder(y.Op) && k.sided(y.X, y.Op == "<") {
					k.hide(&y.X)
				}
				if syntax.IsOrder(y.Op) && k.sided(y.Y, y.Op == ">") {
					k.hide(&y.Y)
				}
			case *syntax.DynPart:
				if k.may(y.Index) {
					k.hide(&y.Index)
				}
			case *syntax.Word:
				if k.varying(y.Addr) {
					k.hide(&y.Addr)
				}
			}
		})
	})
}

// hide replaces the operands that make x constant by wires.
func (k *hider) hide(x *syntax.Expr) {
	if s, ok := (*x).(*syntax.Signed); ok {
		k.hide(&s.X)
		return
	}
	if k.pure(*x) {
		*x = &syntax.Ident{Obj: k.wire(*x)}
		return
	}
	switch y := (*x).(type) {
	case *syntax.Unary:
		k.hideVarying(&y.X)
	case *syntax.Binary:
		k.hideVarying(&y.X, &y.Y)
	case *syntax.Ternary:
		k.hideVarying(&y.Cond, &y.Yes, &y.No)
	case *syntax.Repeat:
		k.hideVarying(&y.X)
	case *syntax.Concat:
		for i := range y.Parts {
			k.hideVarying(&y.Parts[i])
		}
	}
}

// hideVarying hides the expressions of list that may have any constant value.
func (k *hider) hideVarying(list ...*syntax.Expr) {
	for _, x := range list {
		if k.varying(*x) {
			k.hide(x)
		}
	}
}

// pure reports whether x depends only on constants and generate loops.
func (k *hider) pure(x syntax.Expr) bool {
	pure := true
	syntax.WalkExpr(x, func(y syntax.Expr) {
		switch y := y.(type) {
		case *syntax.Ident:
			pure = pure && k.object(y.Obj)
		case *syntax.Part:
			pure = pure && k.object(y.Obj) && k.generated(y.Elem)
		case *syntax.DynPart:
			pure = pure && k.object(y.Obj)
		case *syntax.Word:
			pure = false
		case *syntax.LoopBits:
			pure = pure && k.around(y.Var)
		case *syntax.LoopValue:
			pure = pure && k.generated(y.Value)
		}
	})
	return pure
}

// generated reports whether a depends only on generate loops around the present items.
func (k *hider) generated(a syntax.Affine) bool {
	for _, t := range a.Terms {
		if !k.around(t.Var) {
			return false
		}
	}
	return true
}

// around reports whether v is the variable of a generate loop around the present items.
func (k *hider) around(v *syntax.LoopVar) bool {
	for _, l := range k.loops {
		if l == v {
			return true
		}
	}
	return false
}

// wire declares an opaque wire with the value x, or finds it.
func (k *hider) wire(x syntax.Expr) *syntax.Object {
	key := k.scope + ": " + syntax.ExprText(x)
	if o := k.made[key]; o != nil {
		return o
	}
	hint := "constant"
	syntax.WalkExpr(x, func(y syntax.Expr) {
		if id, ok := y.(*syntax.Ident); ok && hint == "constant" {
			hint = strings.ToLower(id.Obj.Name) + "_value"
		}
	})
	o := &syntax.Object{Name: k.names.Fresh(hint), Kind: syntax.Wire, Width: syntax.WidthOf(x), Loops: k.loops, Opaque: true}
	k.made[key] = o
	k.decls = append(k.decls, &syntax.DeclItem{Obj: o, Init: x})
	return o
}
