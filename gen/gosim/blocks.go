package gosim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Copies depend on nothing but themselves. So a block of them, as many as a vector has lanes,
// can go through a whole cycle, or much of it, before the next block: a kernel reads inputs where
// users put them and registers, computes all between, which stays in registers of the
// processor, and writes next values where the present ones were. Other kernels are for
// outputs, and have no effect on state. Nothing is left out because it did not change: with a stimulus
// for each copy, something has changed everywhere.

// blocked makes a kernel of tasks.
type blocked struct {
	*lowering
	crossing map[*plan.Value]bool // that other kernels need
}

// sizesFor are the sizes of words of which so many copies are whole vectors.
func sizesFor(copies int) (out []int) {
	for _, size := range []int{8, 16, 32, 64} {
		if copies*size%512 == 0 {
			out = append(out, size)
		}
	}
	return out
}

// blocksOf are kernels that do tasks of copies, and the values that some leave to others; an error says why
// there are none.
func (c *copies) blocksOf(p *plan.Plan, name string, t *tasks) (kernels []*kernel.Kernel, crossing map[*plan.Value]bool, err error) {
	phases, err := t.best(c.n)
	if err != nil {
		return nil, nil, err
	}
	crossing = t.crossing()
	ports := map[*plan.Value]kernel.Place{}
	for i, at := range c.placesOf(p, ir.Input) {
		ports[p.Inputs[i]] = at
	}
	for v := range crossing {
		ports[v] = kernel.Place{Part: "between", Field: fieldName(v), Size: v.LaneBits()}
	}
	for i, phase := range phases {
		lo := newLowering(&plan.Unit{Kind: plan.Loop, Lanes: c.n}, kernel.New(fmt.Sprintf("block_%s%d", name, i), c.n, phase.size))
		lo.k.Doc = fmt.Sprintf("%s: phase %d of %d of the %s, of %d copies at a time", lo.k.Name, i+1, len(phases), name, 512/phase.size)
		lo.ports = ports
		b := &blocked{lo, crossing}
		for _, x := range phase.tasks {
			if x.do(b); b.err != nil {
				return nil, nil, fmt.Errorf("%s: %w", lo.k.Name, b.err)
			}
		}
		kernels = append(kernels, lo.k)
	}
	return kernels, crossing, nil
}

// placesOf is where the ports of a kind are, by number.
func (c *copies) placesOf(p *plan.Plan, kind ir.Kind) map[int]kernel.Place {
	side := map[ir.Kind]string{ir.Input: "In", ir.Output: "Out"}[kind]
	out := map[int]kernel.Place{}
	for i, elements := range c.split.Ports {
		sig := c.of.Ports[i].Sig
		if sig.Kind != kind {
			continue
		}
		size, at := plan.ElemBits(min(64, sig.Type.Width)), 0
		for _, port := range slices.Concat(elements...) {
			out[port] = kernel.Place{Part: side, Field: c.names[i], Bytes: at, Size: size}
			at += c.n * size / 8
		}
	}
	if r := c.split.Reset; r >= 0 && kind == ir.Input {
		out[r] = kernel.Place{Part: side, Field: p.Names[r], Size: 8}
	}
	return out
}

// operation computes n.
func (b *blocked) operation(n *plan.Node) {
	if n.Wide() {
		b.fail("%s of %d bits", n.Code, n.Width)
		return
	}
	k := b.k
	k.Size = wordsFor(n)
	if n.Code == ir.Slice && n.Args[0].Width <= k.Widest { // rather all of it than a part of memory
		k.Size = max(k.Size, plan.ElemBits(n.Args[0].Width))
	}
	var x kernel.Value
	if row, word, ok := rowAt(n.Mem, n.Args...); ok {
		x = b.row(n.Mem, row, n.MemAt, word)
	} else {
		x = b.node(n)
	}
	b.local[n.Out] = x
	if b.crossing[n.Out] {
		b.store(b.ports[n.Out], x, kernel.None)
	}
}

// store puts x where its lanes may be of fewer bits.
func (b *blocked) store(at kernel.Place, x, mask kernel.Value) {
	k := b.k
	if k.IsMask(x) {
		at.Size = 0
	} else {
		k.Size = at.Size
		x = k.Resize(x)
	}
	k.Store(at, x, mask, -1)
}

// present is v in words of its size, or a mask.
func (b *blocked) present(v *plan.Value) kernel.Value {
	return b.operand(plan.Operand{V: v, At: plan.Identity, Width: v.Width}, v.LaneBits())
}

// operand is o in words of at least a size, or a mask.
func (b *blocked) operand(o plan.Operand, size int) kernel.Value {
	if o.Width == 1 {
		return b.mask(o)
	}
	if b.k.Size = size; o.V != nil {
		b.k.Size = max(size, o.V.LaneBits())
	}
	return b.word(o)
}

// keep stores what an assertion finds.
func (b *blocked) keep(fail *plan.Value) {
	b.store(placeOf(fail), b.present(fail), kernel.None)
}

// show stores an output.
func (b *blocked) show(at kernel.Place, o plan.Operand) {
	b.k.Size = at.Size
	b.k.Store(at, b.whole(o), kernel.None, -1)
}

// take gives r its next value, d.
func (b *blocked) take(r *plan.Regs, d plan.Operand) {
	k, mask := b.k, kernel.None
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
	b.store(placeOf(r.Q), x, mask)
}

// choice is a constant in the lanes of a mask, else x.
func (b *blocked) choice(mask kernel.Value, constant uint64, x kernel.Value) kernel.Value {
	k := b.k
	switch {
	case !k.IsMask(x):
		return k.Do(kernel.Blend, mask, k.Const(constant), x)
	case constant != 0:
		return k.Do(kernel.MaskOr, x, mask)
	}
	return k.Do(kernel.MaskAndNot, x, mask)
}

// write writes to m in all lanes in which w is enabled.
func (b *blocked) write(m *plan.Memory, w *plan.Write) {
	k := b.k
	k.Size = max(32, plan.ElemBits(m.Width), plan.ElemBits(w.Addr.Width))
	mask, addr := b.mask(w.Enable), b.whole(w.Addr)
	if !plan.Bounded(w.Addr.Width, m.Depth) {
		mask = k.Do(kernel.MaskAnd, mask, k.Do(kernel.Less, addr, k.Const(uint64(m.Depth))))
	}
	k.Scatter(placeOfMemory(m), b.whole(w.Data), b.address(m, addr, w.At), mask, -1)
}

// cycleKernels are the names of kernels for whole cycles, and the values that these leave to each other.
type cycleKernels struct {
	edge, outputs []string
	between       []*plan.Value
}

// blocks makes the kernels of whole cycles; nil if there are none. Units then have none for the same
// processors.
func (e *emitter) blocks(c *copies) *cycleKernels {
	on, out := kernel.AVX512, &cycleKernels{}
	edge, crossing, err := c.blocksOf(e.p, "edge", c.edge(e.p))
	if err != nil {
		return nil
	}
	outputs, between, err := c.blocksOf(e.p, "outputs", c.outputs(e.p))
	if err != nil || e.kernels.Add(on, slices.Concat(edge, outputs)...) != nil { // all of them, or none
		return nil
	}
	maps.Copy(between, crossing)
	out.edge, out.outputs = namesOf(on, edge), namesOf(on, outputs)
	e.names = append(e.names, slices.Concat(out.edge, out.outputs)...)
	e.targets = slices.DeleteFunc(slices.Clone(e.targets), func(t *kernel.Target) bool { return t == on })
	for _, bits := range []bool{false, true} { // words of lanes should not cross cache lines
		for _, v := range e.p.Values {
			if between[v] && v.Bits() == bits {
				out.between = append(out.between, v)
			}
		}
	}
	return out
}

// namesOf are the functions that kernels are with a target.
func namesOf(on *kernel.Target, kernels []*kernel.Kernel) (names []string) {
	for _, k := range kernels {
		names = append(names, k.Name+on.Name)
	}
	return names
}

// fields are those for what kernels leave to each other, as many bytes as whole cache lines.
func (x *cycleKernels) fields() (out []string) {
	size := 0
	for _, v := range x.between {
		out = append(out, fmt.Sprintf("%s %s", fieldName(v), goType(v)))
		out = append(out, apart(v)...)
		size += max(v.Lanes*v.LaneBits()/8, 8*v.BitWords())
	}
	return append(out, fmt.Sprintf("_ [%d]byte", kernel.Beyond+63-(size+63)%64))
}

// apart is a field behind an array of many lines of the cache, so that the same lanes of arrays do not meet
// in few sets of it; none behind others.
func apart(v *plan.Value) []string {
	if bytes := v.Lanes * v.LaneBits() / 8; bytes < 1024 {
		return nil
	}
	return []string{"_ [64]byte"}
}
