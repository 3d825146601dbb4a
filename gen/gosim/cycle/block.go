package cycle

import (
	"maps"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// blocked builds the kernel of tasks.
type blocked struct {
	*lower.Builder
	crossing map[*plan.Value]bool // values that other kernels need
}

// part adds a part.
func (b *blocked) part(p part) {
	if len(p.members) > 1 {
		b.alike(p)
	}
	for _, g := range p.groups {
		b.group(g)
	}
}

// alike adds all members of a part.
func (b *blocked) alike(p part) {
	b.Places = maps.Clone(b.Places)
	for _, v := range p.again {
		at, ok := b.Places[v]
		if !ok {
			at = lower.PlaceOf(v)
		}
		at.Again = true
		b.Places[v] = at
	}
	for _, x := range p.members[0] {
		if b.Err == nil {
			x.do(b)
		}
	}
	b.Kernel.Repeat(len(p.members))
}

// operation computes n.
func (b *blocked) operation(n *plan.Node) {
	if n.Wide() {
		b.Fail("%s of %d bits", n.Code, n.Width)
		return
	}
	k := b.Kernel
	k.Size = wordsFor(n)
	if n.Code == ir.Slice && n.Args[0].Width <= k.Widest { // load the whole value instead of a part of memory
		k.Size = max(k.Size, plan.ElemBits(n.Args[0].Width))
	}
	var x kernel.Value
	if row, word, ok := rowAt(n.Mem, n.Args...); ok {
		x = b.row(n.Mem, row, n.MemAt, word)
	} else {
		x = b.Node(n)
	}
	b.Local[n.Out] = x
	if b.crossing[n.Out] {
		b.store(b.Places[n.Out], x, kernel.None)
	}
}

// store stores x at a place whose lanes may have fewer bits.
func (b *blocked) store(at kernel.Place, x, mask kernel.Value) {
	k := b.Kernel
	if k.IsMask(x) {
		at.Size = 0
	} else {
		k.Size = at.Size
		x = k.Resize(x)
	}
	k.Store(at, x, mask, -1)
}

// present returns v in words of its size, or a mask.
func (b *blocked) present(v *plan.Value) kernel.Value {
	return b.operand(plan.Operand{V: v, At: plan.Identity, Width: v.Width}, v.LaneBits())
}

// operand returns o in words of at least the given size, or as a mask.
func (b *blocked) operand(o plan.Operand, size int) kernel.Value {
	if o.Width == 1 {
		return b.Mask(o)
	}
	if b.Kernel.Size = size; o.V != nil {
		b.Kernel.Size = max(size, o.V.LaneBits())
	}
	return b.Word(o)
}

// keep stores the result of an assertion.
func (b *blocked) keep(fail *plan.Value) {
	b.store(lower.PlaceOf(fail), b.present(fail), kernel.None)
}

// show stores an output.
func (b *blocked) show(at kernel.Place, o plan.Operand) {
	b.Kernel.Size = at.Size
	b.Kernel.Store(at, b.Whole(o), kernel.None, -1)
}

// take stores d, the next value of r.
func (b *blocked) take(r *plan.Regs, d plan.Operand) {
	k, mask := b.Kernel, kernel.None
	if r.Mask != nil {
		mask = b.present(r.Mask)
	}
	x := b.operand(d, r.Q.LaneBits())
	if r.Clear != nil {
		clear := b.present(r.Clear)
		x = b.choice(clear, r.Init[0], x)
		if mask != kernel.None {
			mask = k.Do(kernel.MaskOr, mask, clear)
		}
	}
	b.store(lower.PlaceOf(r.Q), x, mask)
}

// choice returns a constant in the lanes of a mask, else x.
func (b *blocked) choice(mask kernel.Value, constant uint64, x kernel.Value) kernel.Value {
	k := b.Kernel
	switch {
	case !k.IsMask(x):
		return k.Do(kernel.Blend, mask, k.Const(constant), x)
	case constant != 0:
		return k.Do(kernel.MaskOr, x, mask)
	}
	return k.Do(kernel.MaskAndNot, x, mask)
}

// group adds tasks.
func (b *blocked) group(g group) {
	all := func() {
		for _, x := range g.tasks {
			if b.Err == nil {
				x.do(b)
			}
		}
	}
	if g.lanes.mask == nil {
		all()
		return
	}
	mask := b.present(g.lanes.mask)
	if g.lanes.clear != nil {
		mask = b.Kernel.Do(kernel.MaskOr, mask, b.present(g.lanes.clear))
	}
	before := maps.Clone(b.Local)
	b.Use = mask
	b.Kernel.Within(mask, all)
	b.Use, b.Local = kernel.None, before
}
