package verilog

import "strings"

// keepConstants gives a wire that Verilator keeps to values that may be constant in some
// iteration of a loop, where Verilator would warn of the constant: in a comparison that then
// has one outcome, and as an index that is then out of range, although a condition guards
// it.
func keepConstants(m *module) {
	k := &keeper{constancy: newConstancy(m), names: m.names, made: map[string]*object{}}
	m.items = k.list(m.items, nil)
}

type keeper struct {
	*constancy
	names *names
	made  map[string]*object // by scope and text
	loops []*loopVar         // around the present items
	scope string
	decls []item // that the present item needs
}

// list returns items with the wires that they need before them.
func (k *keeper) list(list []item, v *loopVar) []item {
	outer, scope := k.loops, k.scope
	if v != nil {
		k.loops = append(outer[:len(outer):len(outer)], v)
	}
	var out []item
	for _, it := range list {
		if g, ok := it.(*generateItem); ok {
			k.scope = scope + " " + g.label
			g.body = k.list(g.body, g.v)
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

func (k *keeper) item(it item) {
	if a, ok := it.(*alwaysItem); ok && a.initial {
		return
	}
	walkItem(it, func(x expr, _ bool) {
		walkExpr(x, func(y expr) {
			switch y := y.(type) {
			case *binary:
				if isOrder(y.op) && k.sided(y.x, y.op == "<") {
					k.hide(&y.x)
				}
				if isOrder(y.op) && k.sided(y.y, y.op == ">") {
					k.hide(&y.y)
				}
			case *dynPart:
				if k.may(y.index) {
					k.hide(&y.index)
				}
			case *word:
				if k.varying(y.addr) {
					k.hide(&y.addr)
				}
			}
		})
	})
}

// hide puts wires in the place of what may make x constant.
func (k *keeper) hide(x *expr) {
	if s, ok := (*x).(*signed); ok {
		k.hide(&s.x)
		return
	}
	if k.pure(*x) {
		*x = &ident{k.wire(*x)}
		return
	}
	switch y := (*x).(type) {
	case *unary:
		k.hideVarying(&y.x)
	case *binary:
		k.hideVarying(&y.x, &y.y)
	case *ternary:
		k.hideVarying(&y.c, &y.yes, &y.no)
	case *repeat:
		k.hideVarying(&y.x)
	case *concat:
		for i := range y.parts {
			k.hideVarying(&y.parts[i])
		}
	}
}

func (k *keeper) hideVarying(list ...*expr) {
	for _, x := range list {
		if k.varying(*x) {
			k.hide(x)
		}
	}
}

// pure tells whether x depends on nothing but constants and generate loops.
func (k *keeper) pure(x expr) bool {
	pure := true
	walkExpr(x, func(y expr) {
		switch y := y.(type) {
		case *ident:
			pure = pure && k.object(y.obj)
		case *part:
			pure = pure && k.object(y.obj) && k.generated(y.elem)
		case *dynPart:
			pure = pure && k.object(y.obj)
		case *word:
			pure = false
		case *loopBits:
			pure = pure && k.around(y.v)
		case *loopValue:
			pure = pure && k.generated(y.a)
		}
	})
	return pure
}

// generated tells whether a depends on generate loops around the present items alone.
func (k *keeper) generated(a affine) bool {
	for _, t := range a.terms {
		if !k.around(t.v) {
			return false
		}
	}
	return true
}

func (k *keeper) around(v *loopVar) bool {
	for _, l := range k.loops {
		if l == v {
			return true
		}
	}
	return false
}

// wire declares a kept wire with the value x.
func (k *keeper) wire(x expr) *object {
	key := k.scope + ": " + exprText(x)
	if o := k.made[key]; o != nil {
		return o
	}
	hint := "constant"
	walkExpr(x, func(y expr) {
		if id, ok := y.(*ident); ok && hint == "constant" {
			hint = strings.ToLower(id.obj.name) + "_value"
		}
	})
	o := &object{name: k.names.fresh(hint), kind: wireObject, width: widthOf(x), loops: k.loops, kept: true}
	k.made[key] = o
	k.decls = append(k.decls, &declItem{obj: o, init: x})
	return o
}
