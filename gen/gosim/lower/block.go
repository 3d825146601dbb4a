package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
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

// Cycle is the kernels of a part of a cycle of copies, and the values that some leave to others.
type Cycle struct {
	Kernels  []*kernel.Kernel
	Crossing map[*plan.Value]bool
	Rows     [][]*plan.Value // values that lie one behind the other
}

// Edge is a clock edge of p, of so many copies whose inputs are at some places. An error says why there are no
// kernels of it.
func Edge(p *plan.Plan, copies int, inputs map[*plan.Value]kernel.Place) (Cycle, error) {
	c, err := cycle("edge", edge(p), copies, &rows{map[*plan.Value]*row{}, inputs})
	fetch(c.Kernels, copies, inputs)
	return c, err
}

// Outputs puts outputs at places, by their numbers, of values that lie as the edge has them: its rows are those of
// both. All else is as for Edge.
func Outputs(p *plan.Plan, copies int, inputs map[*plan.Value]kernel.Place, places map[int]kernel.Place, edge Cycle) (Cycle, error) {
	r := &rows{map[*plan.Value]*row{}, inputs}
	for _, list := range edge.Rows {
		r.add(list)
	}
	return cycle("outputs", outputs(p, places), copies, r)
}

// cycle makes kernels that do tasks, of values that lie in rows or have no place yet.
func cycle(name string, t *tasks, copies int, r *rows) (Cycle, error) {
	phases, err := t.best(copies)
	if err != nil {
		return Cycle{}, err
	}
	c := Cycle{Crossing: t.crossing()}
	divided := t.divide(phases, &c, r)
	ports := maps.Clone(r.in)
	for v := range c.Crossing {
		ports[v] = kernel.Place{Part: "between", Field: names.Field(v), Size: v.LaneBits()}
	}
	for i, parts := range divided {
		for n, p := range parts {
			size := phases[i].size
			lo := newLowering(&plan.Unit{Kind: plan.Loop, Lanes: copies}, kernel.New(fmt.Sprintf("block_%s%d_%d", name, i, n), copies, size))
			lo.k.Doc = fmt.Sprintf("%s: phase %d of %d of the %s, of %d copies at a time", lo.k.Name, i+1, len(phases), name, 512/size)
			lo.k.Lines = true
			lo.ports = ports
			b := &blocked{lo, c.Crossing}
			b.part(p)
			if b.err != nil {
				return Cycle{}, fmt.Errorf("%s: %w", lo.k.Name, b.err)
			}
			lo.k.Simplify()
			c.Kernels = append(c.Kernels, lo.k)
		}
	}
	return c, nil
}

// divide finds the parts of phases. Groups decide which values wait in memory, and these which parts are alike: groups
// are those of what would be no such parts without them.
func (t *tasks) divide(phases []phase, c *Cycle, r *rows) (out [][]part) {
	used := map[*plan.Value]bool{}
	for v := range r.of { // elsewhere
		used[v] = true
	}
	t.common = t.commons()
	maps.Copy(c.Crossing, t.common)
	only := t.only()
	left, rests, groups := make([]map[*task]bool, len(phases)), make([][]*task, len(phases)), make([][]group, len(phases))
	var families []family
	for i, p := range phases {
		left[i] = t.leftOut(p.tasks, t.grouped(p, only))
		families = append(families, t.families(p.tasks, left[i], c.Crossing)...)
	}
	r.placeAll(families)
	for i, p := range phases {
		rests[i] = restOf(t.parts(p.tasks, left[i], c.Crossing, r.clone()))
		if len(rests[i]) > 0 {
			groups[i] = t.grouped(phase{p.size, rests[i]}, only)
			t.across(groups[i], c.Crossing)
		}
	}
	for i, p := range phases {
		parts := t.parts(p.tasks, left[i], c.Crossing, r)
		for n, x := range parts {
			switch {
			case len(x.members) > 1:
				for _, y := range slices.Concat(x.members...) {
					for _, v := range slices.Concat(y.reads, []*plan.Value{y.out, y.register}) {
						used[v] = true
					}
				}
			case slices.Equal(x.members[0], rests[i]):
				parts[n].groups = groups[i]
			default: // more than before
				parts[n].groups = []group{{tasks: x.members[0]}}
			}
		}
		out = append(out, parts)
	}
	c.Rows = slices.DeleteFunc(r.all(), func(row []*plan.Value) bool {
		return !slices.ContainsFunc(row, func(v *plan.Value) bool { return used[v] })
	})
	return out
}

// restOf are the tasks of the part that is not done several times.
func restOf(parts []part) []*task {
	for _, p := range parts {
		if len(p.members) == 1 {
			return p.members[0]
		}
	}
	return nil
}

// part does a part.
func (b *blocked) part(p part) {
	if len(p.members) > 1 {
		b.alike(p)
	}
	for _, g := range p.groups {
		b.group(g)
	}
}

// alike does all members of a part.
func (b *blocked) alike(p part) {
	b.ports = maps.Clone(b.ports)
	for _, v := range p.again {
		at, ok := b.ports[v]
		if !ok {
			at = placeOf(v)
		}
		at.Again = true
		b.ports[v] = at
	}
	for _, x := range p.members[0] {
		if b.err == nil {
			x.do(b)
		}
	}
	b.k.Repeat(len(p.members))
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
