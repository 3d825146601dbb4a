package synth

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// limits determine where a hierarchy is cut.
type limits struct {
	largest int // maximum size of a block that is mapped flat
	least   int // minimum size of a module that becomes a block inside a larger module
}

// usual limits yield blocks that Yosys maps in a few minutes; flat yields a single block.
var (
	usual = limits{largest: 100_000, least: 2_500}
	flat  = limits{largest: math.MaxInt}
)

// cutter cuts a hierarchy into blocks.
type cutter struct {
	limits
	flat   map[*ir.Module]int // size including all instances inside
	blocks []*Block           // inner blocks first
	made   map[*ir.Module]*Block
}

// cut returns the blocks of a design, inner blocks first.
func cut(d *ir.Design, l limits) []*Block {
	c := cutter{limits: l, flat: map[*ir.Module]int{}, made: map[*ir.Module]*Block{}}
	for _, m := range d.Modules { // callees first
		c.flat[m] = size(m)
		children(m, func(in *ir.Module, n int) { c.flat[m] += n * c.flat[in] })
	}
	c.block(d.Top)
	c.made[d.Top].Instances = 1
	for _, b := range slices.Backward(c.blocks) {
		children(b.module, func(in *ir.Module, n int) {
			if slices.Contains(b.inner, c.made[in]) {
				c.made[in].Instances += n * b.Instances
			}
		})
	}
	return c.blocks
}

// block creates the block of m, and the blocks inside it.
func (c *cutter) block(m *ir.Module) *Block {
	if b := c.made[m]; b != nil {
		return b
	}
	b := &Block{Name: m.Name, module: m}
	c.made[m] = b
	if c.flat[m] > c.largest {
		children(m, func(in *ir.Module, _ int) {
			if c.flat[in] >= c.least && !slices.Contains(b.inner, c.made[in]) {
				b.inner = append(b.inner, c.block(in))
			}
		})
	}
	b.size = c.flat[m]
	children(m, func(in *ir.Module, n int) {
		if slices.Contains(b.inner, c.made[in]) {
			b.size -= n * c.flat[in]
		}
	})
	c.blocks = append(c.blocks, b)
	return b
}

// children calls f for the instances in m, each with its number of copies.
func children(m *ir.Module, f func(in *ir.Module, n int)) {
	m.Body.Walk(func(s *ir.Scope) {
		for _, in := range s.Insts {
			f(in.Of, s.Copies())
		}
	})
}

// size estimates the logic of m without its instances: the number of bits of operands and of state.
func size(m *ir.Module) int {
	total := 0
	m.Body.Walk(func(s *ir.Scope) {
		n := 0
		for _, mem := range s.Mems {
			n += min(mem.Depth*mem.Width, leastMacro) // a macro's size does not depend on its bits
		}
		for _, x := range s.Signals {
			if x.Kind == ir.Reg {
				n += x.Type.Bits()
			}
		}
		seen := map[*ir.Expr]bool{}
		for _, st := range s.Stmts {
			n += statementSize(st, seen)
		}
		total += n * s.Copies()
	})
	return total
}

// statementSize returns the size of the expressions of a statement, except those seen before.
func statementSize(st ir.Stmt, seen map[*ir.Expr]bool) int {
	n := 0
	for _, e := range st.Exprs() {
		n += expressionSize(e, seen)
	}
	for _, block := range st.Blocks() {
		for _, inner := range block {
			n += statementSize(inner, seen)
		}
	}
	return n
}

// wiring lists operations without logic.
var wiring = map[ir.Op]bool{
	ir.Const: true, ir.Ref: true, ir.LoopConst: true, ir.Slice: true, ir.Concat: true, ir.ZExt: true, ir.SExt: true,
	ir.VecOf: true, ir.Pack: true, ir.Unpack: true, ir.ElemAt: true,
}

func expressionSize(e *ir.Expr, seen map[*ir.Expr]bool) int {
	if seen[e] {
		return 0
	}
	seen[e] = true
	n, below := e.Type.Bits(), 0
	for _, a := range e.Args {
		n = max(n, a.Type.Bits())
		below += expressionSize(a, seen)
	}
	if wiring[e.Op] {
		n = 0
	}
	return n + below
}
