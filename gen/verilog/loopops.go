package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

// integer is the variable of a for statement at a nesting depth.
func (b *builder) integer(depth, n int) *loopVar {
	return &loopVar{name: b.localName([]string{"k", "m"}[depth]), n: n}
}

// lane is element v of an object of elements of size bits.
func lane(x expr, v *loopVar, size int) expr {
	return &part{obj: x.(*ident).obj, elem: affine{terms: []affineTerm{{v, 1}}}, size: size, width: size}
}

// loopNumber is a loop variable as a number of width bits.
func loopNumber(v *loopVar, width int) expr {
	if width > loopVarWidth {
		return &concat{[]expr{zeros(width - loopVarWidth), &loopBits{v, loopVarWidth}}}
	}
	return &loopBits{v, width}
}

// block is the always block that gives dest the value of e. It has no label
// yet.
func (b *builder) block(e *ir.Expr, dest *object) *alwaysItem {
	where := b.where
	b.where = sensitive
	defer func() { b.where = where }()
	d := &ident{dest}
	if e.Op == ir.Update {
		return &alwaysItem{body: b.update(e, d), src: b.src(e.Pos)}
	}
	k := b.integer(0, 0)
	it := &alwaysItem{vars: []*loopVar{k}, src: b.src(e.Pos)}
	body := func(n int, st ...stmt) stmt {
		k.n = n
		return &forStmt{k, st}
	}
	clear := &setStmt{lhs: d, rhs: zeros(dest.width)}
	accumulate := func(x expr) stmt { return &setStmt{lhs: d, rhs: &binary{"|", d, x}} }
	switch e.Op {
	case ir.EqLanes:
		v, x := e.Args[0], b.simple(e.Args[1])
		eq := &binary{"==", lane(&ident{b.vector(v)}, k, v.Type.Width), x}
		it.body = []stmt{body(v.Type.Len, &setStmt{lhs: lane(d, k, 1), rhs: eq})}
	case ir.Select:
		v := e.Args[1]
		add := accumulate(lane(&ident{b.vector(v)}, k, v.Type.Width))
		if mask := e.Args[0]; anyOf(e) == nil {
			add = &ifStmt{cond: lane(&ident{b.vector(mask)}, k, 1), then: []stmt{add}}
		}
		it.body = []stmt{clear, body(v.Type.Len, add)}
	case ir.Encode:
		x := &ident{b.vector(e.Args[0])}
		add := accumulate(loopNumber(k, dest.width))
		it.body = []stmt{clear, body(x.obj.width, &ifStmt{cond: lane(x, k, 1), then: []stmt{add}})}
	case ir.PopCount:
		x := &ident{b.vector(e.Args[0])}
		one := &concat{[]expr{zeros(dest.width - 1), lane(x, k, 1)}}
		it.body = []stmt{clear, body(x.obj.width, &setStmt{lhs: d, rhs: &binary{"+", d, one}})}
	case ir.Route:
		b.route(e, d, it)
	case ir.DivU, ir.ModU:
		it.body, it.locals = b.longDivision(e, d, k)
	default:
		panic("verilog: no block for " + e.Op.String())
	}
	return it
}

// update copies the vector and overwrites an element.
func (b *builder) update(e *ir.Expr, d *ident) []stmt {
	v, i, x := e.Args[0], e.Args[1], e.Args[2]
	w := v.Type.Width
	old := b.expr(v)
	if folds(v) && folds(i) { // Icarus waits for ever in a block that may read constants alone
		old = &ident{b.vector(v)}
	}
	set := &setStmt{lhs: b.chosen(d.obj, v.Type.Len, w, i), rhs: b.expr(x)}
	return append([]stmt{&setStmt{lhs: d, rhs: old}}, b.guarded(i, v.Type.Len, set)...)
}

// route compares the destination of each source with each number. (An indexed write for
// each source would be shorter, but synthesis makes of it a shifter over all bits.)
func (b *builder) route(e *ir.Expr, d *ident, it *alwaysItem) {
	valid, dest := &ident{b.vector(e.Args[0])}, &ident{b.vector(e.Args[1])}
	n, a := e.Args[1].Type.Len, e.Args[1].Type.Width
	k, m := it.vars[0], b.integer(1, n)
	it.vars = append(it.vars, m)
	k.n = min(e.Type.Len, 1<<a)
	if k.n < e.Type.Len { // numbers that no destination has
		it.body = []stmt{&setStmt{lhs: d, rhs: zeros(d.obj.width)}}
	}
	to := &part{obj: d.obj, size: 1, width: 1, elem: affine{terms: []affineTerm{{k, n}, {m, 1}}}}
	match := &binary{"&&", lane(valid, m, 1), &binary{"==", lane(dest, m, a), loopNumber(k, a)}}
	it.body = append(it.body, &forStmt{k, []stmt{&forStmt{m, []stmt{&setStmt{lhs: to, rhs: match}}}}})
}

// localName is a name for what blocks declare inside; they share it.
func (b *builder) localName(base string) string {
	if b.inside[base] == "" {
		b.inside[base] = b.names.fresh(base)
	}
	return b.inside[base]
}
