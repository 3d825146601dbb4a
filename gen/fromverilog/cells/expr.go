package cells

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Ref returns the value of a signal.
func Ref(s *ir.Signal) *ir.Expr { return &ir.Expr{Op: ir.Ref, Type: s.Type, Sig: s} }

// Packed converts a value to one word.
func Packed(e *ir.Expr) *ir.Expr {
	if !e.Type.IsVec() {
		return e
	}
	return node(ir.Pack, e.Type.Bits(), e)
}

// Unpacked converts a word to a value of type t.
func Unpacked(e *ir.Expr, t ir.Type) *ir.Expr {
	if !t.IsVec() {
		return e
	}
	return &ir.Expr{Op: ir.Unpack, Type: t, Args: []*ir.Expr{e}}
}

func node(op ir.Op, width int, args ...*ir.Expr) *ir.Expr {
	return &ir.Expr{Op: op, Type: ir.Type{Width: width}, Args: args}
}

// Literal returns a constant of bits, least significant first.
func Literal(bits []eda.Bit) *ir.Expr {
	val := make([]uint64, ir.Words(len(bits)))
	for i, b := range bits {
		val[i/64] |= uint64(b) << (i % 64)
	}
	return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: len(bits)}, Val: val}
}

// Number returns a constant of a width.
func Number(width, n int) *ir.Expr {
	bits := make([]eda.Bit, width)
	for i := range bits {
		bits[i] = eda.Bit(n >> i & 1)
	}
	return Literal(bits)
}

// concat concatenates values to one word, the first most significant.
func concat(parts []*ir.Expr) *ir.Expr {
	if len(parts) == 1 {
		return parts[0]
	}
	width := 0
	for _, p := range parts {
		width += p.Type.Width
	}
	return node(ir.Concat, width, parts...)
}

func slice(e *ir.Expr, lo, width int) *ir.Expr {
	if lo == 0 && width == e.Type.Width {
		return e
	}
	s := node(ir.Slice, width, e)
	s.Lo = lo
	return s
}

// resize truncates or extends e to a width.
func resize(e *ir.Expr, width int, signed bool) *ir.Expr {
	switch {
	case width == e.Type.Width:
		return e
	case width < e.Type.Width:
		return slice(e, 0, width)
	case signed:
		return node(ir.SExt, width, e)
	}
	return node(ir.ZExt, width, e)
}

func not(e *ir.Expr) *ir.Expr { return node(ir.Not, e.Type.Width, e) }

// Xor returns the exclusive or of two words.
func Xor(a, b *ir.Expr) *ir.Expr { return node(ir.Xor, a.Type.Width, a, b) }

// Mux returns yes if cond is 1, otherwise no.
func Mux(cond, yes, no *ir.Expr) *ir.Expr { return node(ir.Mux, yes.Type.Width, cond, yes, no) }

// nonzero returns a bit that is 1 if any bit of e is 1. Yosys may leave no bits.
func nonzero(e *ir.Expr) *ir.Expr {
	if e == nil {
		return Number(1, 0)
	}
	if e.Type.Width == 1 {
		return e
	}
	return node(ir.Ne, 1, e, Number(e.Type.Width, 0))
}

// split divides e into words of a width, least significant first.
func split(e *ir.Expr, width int) []*ir.Expr {
	var out []*ir.Expr
	for lo := range e.Type.Width / width {
		out = append(out, slice(e, lo*width, width))
	}
	return slices.Clip(out)
}
