package cycle

import (
	"iter"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// edge returns the tasks of a clock edge: next values of registers, results of assertions, and
// writes to memories. A register is overwritten, and a memory is written, only after the last task
// that reads its present value.
func edge(p *plan.Plan) *tasks {
	t := newTasks(p)
	taken := map[*plan.Value]*task{}
	for r, d := range nextOf(p) {
		reads, size := []*plan.Value(nil), max(8, r.Q.LaneBits())
		for _, v := range []*plan.Value{d.V, r.Mask, r.Clear} {
			if v != nil {
				reads = append(reads, v)
			}
		}
		if d.V != nil {
			size = max(size, d.V.LaneBits())
		}
		x := t.effect(size, func(b *blocked) { b.take(r, d) }, reads...)
		x.lanes, x.register = lanes{r.Mask, r.Clear}, r.Q
		if x.plain = inLanes(d, r.Q.Lanes); x.plain {
			x.label = t.labels.take(r, d, reads)
		}
		taken[r.Q] = x
	}
	for _, x := range p.Checks {
		t.effect(8, func(b *blocked) { b.keep(x.Fail) }, x.Fail)
	}
	written := map[*plan.Memory]*task{}
	for _, m := range p.Mems {
		written[m] = t.writes(m)
	}
	for _, x := range t.list { // including tasks that a later write has added
		for _, v := range x.reads {
			if y := taken[v]; y != nil && y != x {
				x.first(y)
			}
		}
		if x.out != nil && written[x.out.Node.Mem] != nil {
			x.first(written[x.out.Node.Mem])
		}
	}
	return t
}

// nextOf returns each register and the value that it takes. If that value is only a copy for the
// register, nextOf returns the original, unless registers would then wait for each other. The masks
// of the registers are not registers.
func nextOf(p *plan.Plan) iter.Seq2[*plan.Regs, plan.Operand] {
	return func(yield func(*plan.Regs, plan.Operand) bool) {
		from := map[*plan.Value]*plan.Value{}
		for _, r := range p.Regs {
			d := r.D
			if n := d.V.Node; n.Code == ir.Or && len(n.Args) == 1 {
				first := n.Args[0].V
				for first != r.Q && from[first] != nil {
					first = from[first]
				}
				if first != r.Q {
					d = n.Args[0]
					from[r.Q] = d.V
				}
			}
			if !yield(r, d) {
				return
			}
		}
	}
}

// writes appends the writes to m, one after the other, and returns the first, or nil.
func (t *tasks) writes(m *plan.Memory) (first *task) {
	var last *task
	for writes := range rowsOf(m) {
		w := writes[0]
		operands := []plan.Operand{w.Enable, w.Addr}
		size, do := max(32, plan.ElemBits(m.Width), plan.ElemBits(w.Addr.Width)), func(b *blocked) { b.write(m, w) }
		if len(writes) > 1 {
			operands[1], _, _ = rowAt(m, w.Addr)
			do = func(b *blocked) { b.writeRow(m, writes) }
		}
		for _, w := range writes {
			operands = append(operands, w.Data)
		}
		var reads []*plan.Value
		for _, o := range operands {
			if o.V != nil {
				reads = append(reads, o.V)
			}
		}
		x := t.effect(size, do, reads...)
		x.lanes.mask = w.Enable.V
		x.takes = several * len(writes)
		if last == nil {
			first = x
		} else {
			last.first(x)
		}
		last = x
	}
	return first
}

// outputs returns the tasks that store ports at places.
func outputs(p *plan.Plan, places map[int]kernel.Place) *tasks {
	t := newTasks(p)
	for i, refs := range p.Outputs {
		if refs == nil {
			continue
		}
		o := plan.Operand{V: refs[0].V, At: plan.Identity, K: refs[0].K, Width: p.D.Ports[i].Sig.Type.Width}
		var reads []*plan.Value
		if o.V != nil {
			reads = append(reads, o.V)
		}
		t.effect(places[i].Size, func(b *blocked) { b.show(places[i], o) }, reads...)
	}
	return t
}
