package build

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// findLoopConsts finds how wide each function of loop variables must be.
func (b *builder) findLoopConsts() {
	for e := range b.uses {
		if e.Op == ir.LoopConst {
			k := e.Index.String()
			b.widest[k] = max(b.widest[k], min(e.Type.Width, syntax.LoopVarWidth))
		}
	}
}

// loopConst translates a function of loop variables to the low bits of a localparam.
func (b *builder) loopConst(e *ir.Expr) syntax.Expr {
	key, w := e.Index.String(), e.Type.Width
	o := b.consts[key]
	if o == nil {
		s, a := b.scopeOf(e), b.affine(e.Index)
		o = &syntax.Object{Name: b.names.Fresh(loopConstName(e.Index)), Kind: syntax.Localparam, Width: b.widest[key], Loops: s.loops(), Pos: e.Pos}
		_, o.Greatest = e.Index.Range()
		b.consts[key] = o
		var value syntax.Expr = &syntax.LoopValue{Value: a}
		if len(a.Terms) == 1 && a.Terms[0].Mul == 1 && a.Const == 0 {
			value = &syntax.LoopBits{Var: a.Terms[0].Var, Width: o.Width}
		} else {
			o.Integer, o.Width = true, max(o.Width, numberWidth(a))
		}
		s.params = append(s.params, &syntax.DeclItem{Obj: o, Init: value})
	}
	if w > syntax.LoopVarWidth {
		return &syntax.Concat{Parts: []syntax.Expr{syntax.Zeros(w - syntax.LoopVarWidth), &syntax.Ident{Obj: o}}}
	}
	return syntax.SelectBits(&syntax.Ident{Obj: o}, 0, w)
}

// loopConstName returns a name such as LANE, LANE_PLUS_1 or LANE_X4_PLUS_COLUMN.
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

// numberWidth returns the width of the widest number in a.
func numberWidth(a syntax.Affine) int {
	w := bits.Len(uint(a.Const))
	for _, t := range a.Terms {
		w = max(w, bits.Len(uint(max(t.Mul, -t.Mul))))
	}
	return w
}
