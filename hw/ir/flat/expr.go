package flat

import "github.com/hotline-rtl/hotline/hw/ir"

// scalar is the net of a scalar expression in f.
func (b *builder) scalar(f *frame, e *ir.Expr) Net { return b.elementOf(f, e, 0) }

// elementOf is the net of element k of a vector expression, resolving no more
// of the vector than that needs: what only looks like a loop is none.
func (b *builder) elementOf(f *frame, e *ir.Expr, k int) Net {
	switch e.Op {
	case ir.Ref:
		return b.element(f.of(e.Sig.Scope), e.Sig, k)
	case ir.ElemAt:
		return b.elementOf(f, e.Args[0], f.index(e.Index))
	case ir.VecOf:
		return b.scalar(f, e.Args[k])
	case ir.Mux:
		if e.Type.IsVec() {
			return b.mux(f, e, k)
		}
	case ir.And, ir.Or, ir.Xor:
		if e.Type.IsVec() {
			x, y := b.elementOf(f, e.Args[0], k), b.elementOf(f, e.Args[1], k)
			return b.emit(e.Op, e.Type.Width, 1, 0, e.Pos, x, y)[0]
		}
	case ir.Slice:
		if e.Args[0].Op == ir.Pack && e.Type.Width == e.Args[0].Args[0].Type.Width && e.Lo%e.Type.Width == 0 {
			return b.elementOf(f, e.Args[0].Args[0], e.Lo/e.Type.Width)
		}
	case ir.Unpack:
		if e.Args[0].Op == ir.Pack && e.Args[0].Args[0].Type == e.Type {
			return b.elementOf(f, e.Args[0].Args[0], k)
		}
	}
	return b.values(f, e)[k]
}

func (b *builder) mux(f *frame, e *ir.Expr, k int) Net {
	c, x, y := b.scalar(f, e.Args[0]), b.elementOf(f, e.Args[1], k), b.elementOf(f, e.Args[2], k)
	if x == y {
		return x
	}
	return b.emit(ir.Mux, e.Type.Width, 1, 0, e.Pos, c, x, y)[0]
}

// vector are the nets of all elements of e.
func (b *builder) vector(f *frame, e *ir.Expr) []Net {
	out := make([]Net, e.Type.Count())
	for k := range out {
		out[k] = b.elementOf(f, e, k)
	}
	return out
}

// values evaluates an expression that elementOf does not see through.
func (b *builder) values(f *frame, e *ir.Expr) []Net {
	if out, ok := f.memo[e]; ok {
		return out
	}
	out := b.compute(f, e)
	f.memo[e] = out
	return out
}

func (b *builder) compute(f *frame, e *ir.Expr) []Net {
	w, n := e.Type.Width, e.Type.Count()
	switch e.Op {
	case ir.Const:
		return []Net{b.constNet(w, e.Val)}
	case ir.LoopConst:
		return []Net{b.constNet(w, []uint64{uint64(f.index(e.Index))})}
	case ir.Mux:
		return []Net{b.mux(f, e, 0)}
	case ir.MemRead:
		m := f.of(e.Mem.Scope).memIDs[e.Mem]
		return b.emit(ir.MemRead, w, 1, m, e.Pos, b.scalar(f, e.Args[0]))
	case ir.Pack:
		elems := b.vector(f, e.Args[0])
		if len(elems) == 1 {
			return elems
		}
		args := make([]Net, len(elems))
		for i, x := range elems {
			args[len(elems)-1-i] = x
		}
		return b.emit(ir.Concat, w, 1, 0, e.Pos, args...)
	case ir.Unpack:
		x := b.scalar(f, e.Args[0])
		out := make([]Net, n)
		for k := range out {
			out[k] = b.emit(ir.Slice, w, 1, k*w, e.Pos, x)[0]
		}
		return out
	case ir.ReduceOr:
		return b.emit(ir.Or, w, 1, 0, e.Pos, b.vector(f, e.Args[0])...)
	case ir.Elem, ir.EqLanes: // vector, scalar
		x := b.scalar(f, e.Args[1])
		return b.emit(e.Op, w, n, 0, e.Pos, append([]Net{x}, b.vector(f, e.Args[0])...)...)
	case ir.Update:
		i, x := b.scalar(f, e.Args[1]), b.scalar(f, e.Args[2])
		return b.emit(e.Op, w, n, 0, e.Pos, append([]Net{i, x}, b.vector(f, e.Args[0])...)...)
	case ir.Select, ir.Route: // scalar, vector
		x := b.scalar(f, e.Args[0])
		return b.emit(e.Op, w, n, 0, e.Pos, append([]Net{x}, b.vector(f, e.Args[1])...)...)
	}
	args := make([]Net, len(e.Args))
	for i, a := range e.Args {
		args[i] = b.scalar(f, a)
	}
	return b.emit(e.Op, w, 1, e.Lo, e.Pos, args...)
}
