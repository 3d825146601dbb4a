package netlist

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// scalar returns the net of a scalar expression in f.
func (b *builder) scalar(f *frame, e *ir.Expr) Net { return b.elementOf(f, e, 0) }

// elementOf returns the net of element k of a vector expression, or of a scalar if k is 0. It
// resolves only the required part of the vector, so that apparent loops are not reported.
func (b *builder) elementOf(f *frame, e *ir.Expr, k int) Net {
	switch e.Op {
	case ir.Ref:
		return b.element(f.of(e.Sig.Scope), e.Sig, k)
	case ir.ElemAt:
		return b.elementOf(f, e.Args[0], f.index(e.Index))
	case ir.VecOf:
		return b.scalar(f, e.Args[k])
	}
	memo, ok := f.memo[e]
	if !ok {
		if !byElement(e) {
			memo = b.compute(f, e)
			f.memo[e] = memo
			return memo[k]
		}
		memo = make([]Net, e.Type.Count())
		for i := range memo {
			memo[i] = None // not resolved yet
		}
		f.memo[e] = memo
	}
	if memo[k] == None {
		memo[k] = b.lane(f, e, k)
	}
	return memo[k]
}

// byElement reports whether the elements of e can be resolved one by one.
func byElement(e *ir.Expr) bool {
	switch e.Op {
	case ir.Unpack, ir.Mux:
		return true
	case ir.And, ir.Or, ir.Xor:
		return e.Type.IsVec()
	}
	return false
}

// lane returns element k of an expression that is byElement.
func (b *builder) lane(f *frame, e *ir.Expr, k int) Net {
	switch e.Op {
	case ir.Unpack:
		return b.part(origin{f, e, k}, e.Args[0], k*e.Type.Width, e.Type.Width)
	case ir.Mux:
		return b.mux(f, e, k)
	}
	return b.one(origin{f, e, k}, e.Op, e.Type.Width, 0, b.elementOf(f, e.Args[0], k), b.elementOf(f, e.Args[1], k))
}

// mux returns element k of a multiplexer. It does not resolve branches that a constant condition
// excludes.
func (b *builder) mux(f *frame, e *ir.Expr, k int) Net {
	c := b.scalar(f, e.Args[0])
	if val, ok := b.fixed[c]; ok {
		return b.elementOf(f, e.Args[2-val[0]], k)
	}
	x, y := b.elementOf(f, e.Args[1], k), b.elementOf(f, e.Args[2], k)
	if x == y {
		return x
	}
	return b.one(origin{f, e, k}, ir.Mux, e.Type.Width, 0, c, x, y)
}

// part returns width bits of e from bit lo on and resolves only the required part of e.
func (b *builder) part(from origin, e *ir.Expr, lo, width int) Net {
	if lo == 0 && width == e.Type.Width {
		return b.scalar(from.f, e)
	}
	switch e.Op {
	case ir.Slice:
		return b.part(from, e.Args[0], lo+e.Lo, width)
	case ir.Pack:
		v := e.Args[0]
		size := func(int) int { return v.Type.Width }
		return b.gather(from, lo, width, v.Type.Len, size, func(i, lo, width int) Net {
			x := b.elementOf(from.f, v, i)
			return b.slice(from, x, lo, width)
		})
	case ir.Concat:
		arg := func(i int) *ir.Expr { return e.Args[len(e.Args)-1-i] }
		size := func(i int) int { return arg(i).Type.Width }
		return b.gather(from, lo, width, len(e.Args), size, func(i, lo, width int) Net {
			return b.part(from, arg(i), lo, width)
		})
	}
	return b.slice(from, b.scalar(from.f, e), lo, width)
}

// gather concatenates width bits from bit lo on of n pieces, the first least significant. size
// returns the width of a piece, and piece returns bits of a piece.
func (b *builder) gather(from origin, lo, width, n int, size func(int) int, piece func(i, lo, width int) Net) Net {
	var args []Net // the first least significant
	for i, at := 0, 0; i < n && at < lo+width; i++ {
		w := size(i)
		if first, end := max(lo, at), min(lo+width, at+w); first < end {
			args = append(args, piece(i, first-at, end-first))
		}
		at += w
	}
	slices.Reverse(args)
	return b.join(from, width, args)
}

// vector appends the nets of all elements of e to front.
func (b *builder) vector(f *frame, e *ir.Expr, front ...Net) []Net {
	for k := range e.Type.Count() {
		front = append(front, b.elementOf(f, e, k))
	}
	return front
}

// compute evaluates an expression whose results are computed together.
func (b *builder) compute(f *frame, e *ir.Expr) []Net {
	from, w, n := origin{f, e, 0}, e.Type.Width, e.Type.Count()
	switch e.Op {
	case ir.Const:
		return []Net{b.constNet(w, e.Val)}
	case ir.LoopConst:
		val := make([]uint64, ir.Words(w))
		val[0] = uint64(f.index(e.Index))
		return []Net{b.constNet(w, val)}
	case ir.Slice:
		return []Net{b.part(from, e.Args[0], e.Lo, w)}
	case ir.MemRead:
		addr := b.scalar(f, e.Args[0])
		m, ok := f.of(e.Mem.Scope).memIDs[e.Mem]
		if !ok { // never written and without contents
			return []Net{b.constNet(w, make([]uint64, ir.Words(w)))}
		}
		return []Net{b.one(from, ir.MemRead, w, m, addr)}
	case ir.Pack:
		args := b.vector(f, e.Args[0])
		slices.Reverse(args)
		return []Net{b.join(from, w, args)}
	case ir.Elem, ir.EqLanes: // vector, scalar
		x := b.scalar(f, e.Args[1])
		return []Net{b.one(from, e.Op, w, 0, b.vector(f, e.Args[0], x)...)}
	case ir.Update:
		i, x := b.scalar(f, e.Args[1]), b.scalar(f, e.Args[2])
		return b.emit(from, e.Op, w, n, 0, b.vector(f, e.Args[0], i, x)...)
	case ir.Select: // scalar, vector
		x := b.scalar(f, e.Args[0])
		if b.allSet(x) {
			return []Net{b.one(from, ir.Or, w, 0, b.vector(f, e.Args[1])...)}
		}
		return []Net{b.one(from, e.Op, w, 0, b.vector(f, e.Args[1], x)...)}
	case ir.Route:
		x := b.scalar(f, e.Args[0])
		return b.emit(from, e.Op, w, n, 0, b.vector(f, e.Args[1], x)...)
	}
	args := make([]Net, 0, 4)
	for _, a := range e.Args {
		args = append(args, b.scalar(f, a))
	}
	switch e.Op {
	case ir.Concat:
		return []Net{b.join(from, w, args)}
	case ir.ZExt:
		return []Net{b.extend(from, w, args[0])}
	case ir.Shl, ir.ShrU, ir.ShrS:
		if amount, ok := b.fixed[args[1]]; ok {
			return []Net{b.shift(from, e.Op, args[0], amount)}
		}
	}
	return []Net{b.one(from, e.Op, w, 0, args...)}
}
