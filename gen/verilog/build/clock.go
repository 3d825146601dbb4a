package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// clock returns the clock of a domain, or the module's own for nil.
func (b *builder) clock(d *ir.Domain) *syntax.Object {
	if d == nil {
		return b.objs["clk"]
	}
	return b.objs[d.Clock]
}

// resetOf returns the reset of a domain, or the module's own for nil, and whether it is active
// low. The object is nil if there is none.
func (b *builder) resetOf(d *ir.Domain) (rst *syntax.Object, low bool) {
	switch {
	case d == nil:
		return b.objs["rst"], b.plan.IR.Own.Low
	case d.Reset == nil:
		return nil, false
	}
	return b.objs[d.Reset], d.Low
}

// acting returns a condition that holds while a reset acts.
func acting(rst *syntax.Object, low bool) syntax.Expr {
	if low {
		return &syntax.Unary{Op: "!", X: &syntax.Ident{Obj: rst}}
	}
	return &syntax.Ident{Obj: rst}
}

// async reports whether the reset of a domain, or the module's own for nil, is asynchronous.
func (b *builder) async(d *ir.Domain) bool {
	if d == nil {
		return b.plan.IR.Own.Async
	}
	return d.Async
}

// resetting returns a clocked block that executes then in reset, and els otherwise.
func (b *builder) resetting(d *ir.Domain, then, els []syntax.Stmt) *syntax.AlwaysItem {
	rst, low := b.resetOf(d)
	it := &syntax.AlwaysItem{Clock: b.clock(d), Body: []syntax.Stmt{&syntax.IfStmt{Cond: acting(rst, low), Then: then, Else: els}}}
	if b.async(d) {
		it.Reset, it.Low = rst, low
	}
	return it
}
