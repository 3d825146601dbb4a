package verilog

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// name gives e a signal of its own, declared in the outermost scope that can
// compute it. Equal expressions share one.
func (b *builder) name(e *ir.Expr) *object {
	if o := b.named[e]; o != nil {
		return o
	}
	where := b.where
	b.where = continuous
	defer func() { b.where = where }()
	hint := b.hint(e)
	if !needsBlock(e) {
		o := b.wire(e, hint, b.inline(e, nil))
		b.named[e] = o
		return o
	}
	s := b.scopeOf(e)
	o := &object{kind: regObject, width: e.Type.Bits(), loops: s.loops(), pos: e.Pos}
	it := b.block(e, o)
	key := fmt.Sprint(s.name(), o.width, " ", bodyText(it.body))
	if same := b.equal[key]; same != nil {
		b.named[e] = same
		return same
	}
	o.name = b.names.fresh(hint)
	b.equal[key], b.named[e] = o, o
	s.out = append(s.out, &declItem{obj: o, src: b.src(e.Pos), local: true}, b.labelled(it, o))
	return o
}

// labelled gives a block that declares variables a label.
func (b *builder) labelled(it *alwaysItem, dest *object) *alwaysItem {
	if len(it.vars) > 0 {
		it.label = b.names.fresh(dest.name + "_loop")
	}
	return it
}

// wire declares a wire of e's type with a value, or finds one with the same value.
func (b *builder) wire(e *ir.Expr, hint string, init expr) *object {
	s, width := b.scopeOf(e), e.Type.Bits()
	key := fmt.Sprint(s.name(), width, " ", exprText(init))
	if o := b.equal[key]; o != nil {
		return o
	}
	o := &object{name: b.names.fresh(hint), kind: wireObject, width: width, loops: s.loops(), pos: e.Pos}
	b.equal[key] = o
	s.out = append(s.out, &declItem{obj: o, init: init})
	return o
}

// scopeOf is the outermost scope that knows all that e reads.
func (b *builder) scopeOf(e *ir.Expr) *frame {
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
