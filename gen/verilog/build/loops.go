package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// integer returns the variable of a for statement at a nesting depth.
func (b *builder) integer(depth, n int) *syntax.LoopVar {
	return &syntax.LoopVar{Name: b.localName([]string{"k", "m"}[depth]), N: n}
}

// lane returns element v of an object with elements of size bits.
func lane(x syntax.Expr, v *syntax.LoopVar, size int) syntax.Expr {
	return &syntax.Part{Obj: x.(*syntax.Ident).Obj, Elem: v.Times(1), Size: size, Width: size}
}

// loopNumber returns a loop variable as a number of width bits.
func loopNumber(v *syntax.LoopVar, width int) syntax.Expr {
	if width > syntax.LoopVarWidth {
		all := &syntax.LoopBits{Var: v, Width: syntax.LoopVarWidth}
		return &syntax.Concat{Parts: []syntax.Expr{syntax.Zeros(width - syntax.LoopVarWidth), all}}
	}
	return &syntax.LoopBits{Var: v, Width: width}
}

// block returns the always block that gives dest the value of e. It has no label yet.
func (b *builder) block(e *ir.Expr, dest *syntax.Object) *syntax.AlwaysItem {
	where := b.where
	b.where = sensitive
	defer func() { b.where = where }()
	d := &syntax.Ident{Obj: dest}
	if e.Op == ir.Update {
		return &syntax.AlwaysItem{Body: b.update(e, d), Src: b.src(e.Pos)}
	}
	k := b.integer(0, 0)
	it := &syntax.AlwaysItem{Vars: []*syntax.LoopVar{k}, Src: b.src(e.Pos)}
	body := func(n int, st ...syntax.Stmt) syntax.Stmt {
		k.N = n
		return &syntax.ForStmt{Var: k, Body: st}
	}
	clear := &syntax.SetStmt{Lhs: d, Rhs: syntax.Zeros(dest.Width)}
	accumulate := func(x syntax.Expr) syntax.Stmt {
		return &syntax.SetStmt{Lhs: d, Rhs: &syntax.Binary{Op: "|", X: d, Y: x}}
	}
	switch e.Op {
	case ir.EqLanes:
		v, x := e.Args[0], b.simple(e.Args[1])
		eq := &syntax.Binary{Op: "==", X: lane(&syntax.Ident{Obj: b.vector(v)}, k, v.Type.Width), Y: x}
		it.Body = []syntax.Stmt{body(v.Type.Len, &syntax.SetStmt{Lhs: lane(d, k, 1), Rhs: eq})}
	case ir.Select:
		v := e.Args[1]
		add := accumulate(lane(&syntax.Ident{Obj: b.vector(v)}, k, v.Type.Width))
		if mask := e.Args[0]; simplify.AnyOf(e) == nil {
			add = &syntax.IfStmt{Cond: lane(&syntax.Ident{Obj: b.vector(mask)}, k, 1), Then: []syntax.Stmt{add}}
		}
		it.Body = []syntax.Stmt{clear, body(v.Type.Len, add)}
	case ir.Encode:
		x := &syntax.Ident{Obj: b.vector(e.Args[0])}
		add := accumulate(loopNumber(k, dest.Width))
		it.Body = []syntax.Stmt{clear, body(x.Obj.Width, &syntax.IfStmt{Cond: lane(x, k, 1), Then: []syntax.Stmt{add}})}
	case ir.PopCount:
		x := &syntax.Ident{Obj: b.vector(e.Args[0])}
		one := &syntax.Concat{Parts: []syntax.Expr{syntax.Zeros(dest.Width - 1), lane(x, k, 1)}}
		it.Body = []syntax.Stmt{clear, body(x.Obj.Width, &syntax.SetStmt{Lhs: d, Rhs: &syntax.Binary{Op: "+", X: d, Y: one}})}
	case ir.Route:
		b.route(e, d, it)
	case ir.DivU, ir.ModU:
		it.Body, it.Locals = b.longDivision(e, d, k)
	default:
		panic("verilog: no block for " + e.Op.String())
	}
	return it
}

// update copies the vector and overwrites an element.
func (b *builder) update(e *ir.Expr, d *syntax.Ident) []syntax.Stmt {
	v, i, x := e.Args[0], e.Args[1], e.Args[2]
	w := v.Type.Width
	old := b.expr(v)
	if folds(v) && folds(i) { // Icarus waits for ever in a block that may read constants alone
		old = &syntax.Ident{Obj: b.vector(v)}
	}
	set := &syntax.SetStmt{Lhs: b.chosen(d.Obj, v.Type.Len, w, i), Rhs: b.expr(x)}
	return append([]syntax.Stmt{&syntax.SetStmt{Lhs: d, Rhs: old}}, b.guarded(i, v.Type.Len, set)...)
}

// route compares the destination of each source with each number. An indexed write for each
// source would be shorter, but synthesis would make it a shifter over all bits.
func (b *builder) route(e *ir.Expr, d *syntax.Ident, it *syntax.AlwaysItem) {
	valid, dest := &syntax.Ident{Obj: b.vector(e.Args[0])}, &syntax.Ident{Obj: b.vector(e.Args[1])}
	n, a := e.Args[1].Type.Len, e.Args[1].Type.Width
	k, m := it.Vars[0], b.integer(1, n)
	it.Vars = append(it.Vars, m)
	k.N = min(e.Type.Len, 1<<a)
	if k.N < e.Type.Len { // numbers that no destination has
		it.Body = []syntax.Stmt{&syntax.SetStmt{Lhs: d, Rhs: syntax.Zeros(d.Obj.Width)}}
	}
	to := &syntax.Part{Obj: d.Obj, Size: 1, Width: 1, Elem: k.Times(n).Plus(m.Times(1))}
	match := &syntax.Binary{Op: "&&", X: lane(valid, m, 1), Y: &syntax.Binary{Op: "==", X: lane(dest, m, a), Y: loopNumber(k, a)}}
	inner := &syntax.ForStmt{Var: m, Body: []syntax.Stmt{&syntax.SetStmt{Lhs: to, Rhs: match}}}
	it.Body = append(it.Body, &syntax.ForStmt{Var: k, Body: []syntax.Stmt{inner}})
}

// localName returns a name for the declarations in blocks. All blocks share it.
func (b *builder) localName(base string) string {
	if b.inside[base] == "" {
		b.inside[base] = b.names.Fresh(base)
	}
	return b.inside[base]
}
