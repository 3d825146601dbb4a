package build

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// name returns a separate signal for e, declared in the outermost scope that can compute it. Equal
// expressions share a signal.
func (b *builder) name(e *ir.Expr) *syntax.Object {
	if o := b.named[e]; o != nil {
		return o
	}
	where := b.where
	b.where = continuous
	defer func() { b.where = where }()
	hint := b.hint(e)
	if !plan.NeedsBlock(e) {
		o := b.wire(e, hint, b.inline(e, nil))
		b.named[e] = o
		return o
	}
	s := b.scopeOf(e)
	o := &syntax.Object{Kind: syntax.Reg, Width: e.Type.Bits(), Loops: s.loops(), Pos: e.Pos}
	it := b.block(e, o)
	key := fmt.Sprint(s.name(), o.Width, " ", syntax.StmtsText(it.Body))
	if same := b.equal[key]; same != nil {
		b.named[e] = same
		return same
	}
	o.Name = b.names.Fresh(hint)
	b.equal[key], b.named[e] = o, o
	s.out = append(s.out, &syntax.DeclItem{Obj: o, Src: b.src(e.Pos), Local: true}, b.labelled(it, o))
	return o
}

// labelled adds a label to a block that declares variables.
func (b *builder) labelled(it *syntax.AlwaysItem, dest *syntax.Object) *syntax.AlwaysItem {
	if len(it.Vars) > 0 {
		it.Label = b.names.Fresh(dest.Name + "_loop")
	}
	return it
}

// wire declares a wire with e's type and the value init, or finds one with the same value.
func (b *builder) wire(e *ir.Expr, hint string, init syntax.Expr) *syntax.Object {
	s, width := b.scopeOf(e), e.Type.Bits()
	key := fmt.Sprint(s.name(), width, " ", syntax.ExprText(init))
	if o := b.equal[key]; o != nil {
		return o
	}
	o := &syntax.Object{Name: b.names.Fresh(hint), Kind: syntax.Wire, Width: width, Loops: s.loops(), Pos: e.Pos}
	b.equal[key] = o
	s.out = append(s.out, &syntax.DeclItem{Obj: o, Init: init})
	return o
}

// scopeOf returns the outermost scope in which everything that e reads is known.
func (b *builder) scopeOf(e *ir.Expr) *scope {
	s := b.body
	ir.WalkExpr(e, map[*ir.Expr]bool{}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Ref:
			s = deeper(s, b.scopes[x.Sig.Scope])
		case ir.MemRead:
			s = deeper(s, b.scopes[x.Mem.Scope])
		case ir.ElemAt, ir.LoopConst:
			for _, t := range x.Index.Terms {
				s = deeper(s, b.scopes[t.Loop.Body])
			}
		}
	})
	return s
}
