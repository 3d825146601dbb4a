package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// clock is that of a domain, or the module's own for nil.
func (b *builder) clock(d *ir.Domain) *syntax.Object {
	if d == nil {
		return b.objs["clk"]
	}
	return b.objs[d.Clock]
}

// resetOf is the reset of a domain, or the module's own for nil, and whether it is
// active low. The object is nil if there is none.
func (b *builder) resetOf(d *ir.Domain) (rst *syntax.Object, low bool) {
	switch {
	case d == nil:
		return b.objs["rst"], b.u.IR.Own.Low
	case d.Reset == nil:
		return nil, false
	}
	return b.objs[d.Reset], d.Low
}

// acting is 1 while a reset acts.
func acting(rst *syntax.Object, low bool) syntax.Expr {
	if low {
		return &syntax.Unary{Op: "!", X: &syntax.Ident{Obj: rst}}
	}
	return &syntax.Ident{Obj: rst}
}

// async tells whether the reset of a domain, or the module's own, acts at once.
func (b *builder) async(d *ir.Domain) bool {
	if d == nil {
		return b.u.IR.Own.Async
	}
	return d.Async
}

// resetting is the item of registers that a reset gives what then does.
func (b *builder) resetting(d *ir.Domain, then, els []syntax.Stmt) *syntax.AlwaysItem {
	rst, low := b.resetOf(d)
	it := &syntax.AlwaysItem{Clock: b.clock(d), Body: []syntax.Stmt{&syntax.IfStmt{Cond: acting(rst, low), Then: then, Else: els}}}
	if b.async(d) {
		it.Reset, it.Low = rst, low
	}
	return it
}
