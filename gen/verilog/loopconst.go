package verilog

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// findLoopConsts finds how wide each function of loop variables is needed.
func (b *builder) findLoopConsts() {
	for e := range b.uses {
		if e.Op == ir.LoopConst {
			k := e.Index.String()
			b.widest[k] = max(b.widest[k], min(e.Type.Width, loopVarWidth))
		}
	}
}

// loopConst is a function of loop variables: the low bits of a localparam.
func (b *builder) loopConst(e *ir.Expr) expr {
	key, w := e.Index.String(), e.Type.Width
	o := b.consts[key]
	if o == nil {
		s, a := b.scopeOf(e), b.affine(e.Index)
		o = &object{name: b.names.fresh(loopConstName(e.Index)), kind: paramObject, width: b.widest[key], loops: s.loops(), pos: e.Pos}
		_, o.greatest = e.Index.Range()
		b.consts[key] = o
		var value expr = &loopValue{a}
		if len(a.terms) == 1 && a.terms[0].mul == 1 && a.konst == 0 {
			value = &loopBits{a.terms[0].v, o.width}
		} else {
			o.integer, o.width = true, max(o.width, numberWidth(a))
		}
		s.params = append(s.params, &declItem{obj: o, init: value})
	}
	if w > loopVarWidth {
		return &concat{[]expr{zeros(w - loopVarWidth), &ident{o}}}
	}
	return selectBits(&ident{o}, 0, w)
}

// loopConstName is LANE, LANE_PLUS_1, LANE_X4_PLUS_COLUMN.
func loopConstName(a ir.Affine) string {
	var parts []string
	for _, t := range a.Terms {
		s := strings.ToUpper(t.Loop.Name)
		if t.Mul != 1 {
			s += fmt.Sprintf("_X%d", t.Mul)
		}
		parts = append(parts, strings.ReplaceAll(s, "-", "M"))
	}
	if a.Const > 0 {
		parts = append(parts, fmt.Sprint(a.Const))
	}
	s := strings.Join(parts, "_PLUS_")
	if a.Const < 0 {
		s += fmt.Sprintf("_MINUS_%d", -a.Const)
	}
	return s
}

// numberWidth is the width of the widest number in a.
func numberWidth(a affine) int {
	w := bits.Len(uint(a.konst))
	for _, t := range a.terms {
		w = max(w, bits.Len(uint(max(t.mul, -t.mul))))
	}
	return w
}
