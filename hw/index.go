package hw

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Index is a position that is known at elaboration: a constant or a linear function of loop
// variables.
type Index struct {
	a      ir.Affine
	m      *Module
	sc     *ir.Scope
	broken bool
}

// At returns a constant Index.
func At(i int) Index { return Index{a: ir.Affine{Const: i}} }

// Plus returns i+n.
func (i Index) Plus(n int) Index {
	i.a.Const += n
	return i
}

// Times returns i*n.
func (i Index) Times(n int) Index {
	i.a = i.a.Times(n)
	return i
}

// Add returns i+j, for indices of nested loops.
func (i Index) Add(j Index) Index {
	u := begin(ir.Caller(0), i.value(), j.value())
	sc := u.deeper(i.sc, j.sc)
	return Index{a: i.a.Plus(j.a), m: u.m, sc: sc, broken: u.broken}
}

// Bits returns the index as a number of width bits.
func (i Index) Bits(width int) Bits {
	u := begin(ir.Caller(0), i.value())
	t := ir.Type{Width: width}
	lo, hi := i.a.Range()
	if u.allowed(t) && (lo < 0 || !fits(uint64(hi), width)) {
		u.errorf("const", "index %s does not fit in %d bits", span(lo, hi), width)
	}
	if i.m == nil && !u.broken {
		return Bits{&value{e: constant(width, uint64(i.a.Const), u.pos)}}
	}
	out := u.node(ir.LoopConst, t)
	out.e.Index, out.sc = i.a, i.sc
	return Bits{out}
}

// value returns the dependencies of an index, for use with begin.
func (i Index) value() *value {
	return &value{m: i.m, sc: i.sc, k: &unsized{}, broken: i.broken}
}

// span formats the range lo to hi.
func span(lo, hi int) string {
	if lo == hi {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}
