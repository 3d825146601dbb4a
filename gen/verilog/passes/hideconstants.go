package passes

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
)

// hideConstants replaces values that may be constant in some iteration of a loop by wires that
// Verilator keeps. It does so where Verilator would warn of the constant: in a comparison with
// one outcome, and as an index out of range, although a condition guards it.
func hideConstants(m *syntax.Module) {
	h := &hider{constancy: newConstancy(m), names: m.Names, made: map[string]*syntax.Object{}}
	m.Items = h.list(m.Items, nil)
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
func (h *hider) list(list []syntax.Item, v *syntax.LoopVar) []syntax.Item {
	outer, scope := h.loops, h.scope
	if v != nil {
		h.loops = append(outer[:len(outer):len(outer)], v)
	}
	var out []syntax.Item
	for _, it := range list {
		if g, ok := it.(*syntax.GenerateItem); ok {
			h.scope = scope + " " + g.Label
			g.Body = h.list(g.Body, g.Var)
			h.scope = scope
		} else {
			h.item(it)
		}
		out = append(append(out, h.decls...), it)
		h.decls = nil
	}
	h.loops = outer
	return out
}

func (h *hider) item(it syntax.Item) {
	if a, ok := it.(*syntax.AlwaysItem); ok && a.Initial {
		return
	}
	syntax.WalkItem(it, func(x syntax.Expr, _ bool) {
		syntax.WalkExpr(x, func(y syntax.Expr) {
			switch y := y.(type) {
			case *syntax.Binary:
				if syntax.IsOrder(y.Op) && h.sided(y.X, y.Op == "<") {
					h.hide(&y.X)
				}
				if syntax.IsOrder(y.Op) && h.sided(y.Y, y.Op == ">") {
					h.hide(&y.Y)
				}
			case *syntax.DynPart:
				if h.may(y.Index) {
					h.hide(&y.Index)
				}
			case *syntax.Word:
				if h.varying(y.Addr) {
					h.hide(&y.Addr)
				}
			}
		})
	})
}

// hide replaces the operands that make x constant by wires.
func (h *hider) hide(x *syntax.Expr) {
	if s, ok := (*x).(*syntax.Signed); ok {
		h.hide(&s.X)
		return
	}
	if h.pure(*x) {
		*x = &syntax.Ident{Obj: h.wire(*x)}
		return
	}
	switch y := (*x).(type) {
	case *syntax.Unary:
		h.hideVarying(&y.X)
	case *syntax.Binary:
		h.hideVarying(&y.X, &y.Y)
	case *syntax.Ternary:
		h.hideVarying(&y.Cond, &y.Yes, &y.No)
	case *syntax.Repeat:
		h.hideVarying(&y.X)
	case *syntax.Concat:
		for i := range y.Parts {
			h.hideVarying(&y.Parts[i])
		}
	}
}

// hideVarying hides the expressions of list that may have any constant value.
func (h *hider) hideVarying(list ...*syntax.Expr) {
	for _, x := range list {
		if h.varying(*x) {
			h.hide(x)
		}
	}
}

// pure reports whether x depends only on constants and generate loops.
func (h *hider) pure(x syntax.Expr) bool {
	pure := true
	syntax.WalkExpr(x, func(y syntax.Expr) {
		switch y := y.(type) {
		case *syntax.Ident:
			pure = pure && h.object(y.Obj)
		case *syntax.Part:
			pure = pure && h.object(y.Obj) && h.generated(y.Elem)
		case *syntax.DynPart:
			pure = pure && h.object(y.Obj)
		case *syntax.Word:
			pure = false
		case *syntax.LoopBits:
			pure = pure && h.around(y.Var)
		case *syntax.LoopValue:
			pure = pure && h.generated(y.Value)
		}
	})
	return pure
}

// generated reports whether a depends only on generate loops around the present items.
func (h *hider) generated(a syntax.Affine) bool {
	for _, t := range a.Terms {
		if !h.around(t.Var) {
			return false
		}
	}
	return true
}

// around reports whether v is the variable of a generate loop around the present items.
func (h *hider) around(v *syntax.LoopVar) bool {
	for _, l := range h.loops {
		if l == v {
			return true
		}
	}
	return false
}

// wire declares an opaque wire with the value x, or finds it.
func (h *hider) wire(x syntax.Expr) *syntax.Object {
	key := h.scope + ": " + syntax.ExprText(x)
	if o := h.made[key]; o != nil {
		return o
	}
	hint := "constant"
	syntax.WalkExpr(x, func(y syntax.Expr) {
		if id, ok := y.(*syntax.Ident); ok && hint == "constant" {
			hint = strings.ToLower(id.Obj.Name) + "_value"
		}
	})
	o := &syntax.Object{Name: h.names.Fresh(hint), Kind: syntax.Wire, Width: syntax.WidthOf(x), Loops: h.loops, Opaque: true}
	h.made[key] = o
	h.decls = append(h.decls, &syntax.DeclItem{Obj: o, Init: x})
	return o
}
