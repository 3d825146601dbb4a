package cycle

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// A cyclic redundancy check consists of dozens of parities of different bits of the same words.
// They are merged into one task: the product of the words with a bit matrix.

// fewParities is the maximum number of parities that are computed one by one.
const fewParities = 4

// mostParities is the maximum number of parities in a product.
const mostParities = 64

// parities contains parities of bits of the same words.
type parities struct {
	words []*plan.Value
	rows  [][]uint64 // a mask for each word
	outs  []run
	task  *task
}

// run is a value whose bits are consecutive parities, starting at a given one.
type run struct {
	of    *parities
	first int
	value *plan.Value
}

// selected adds to some the bits of values whose exclusive-or is o. It returns false if o is not an
// exclusive-or of bits.
func selected(o plan.Operand, some map[*plan.Value]uint64) bool {
	if o.V == nil {
		return o.Zero()
	}
	n := o.V.Node
	switch {
	case n != nil && n.Code == ir.ZExt:
		return selected(n.Args[0], some)
	case n != nil && n.Code == ir.Xor:
		return !slices.ContainsFunc(n.Args, func(a plan.Operand) bool { return !selected(a, some) })
	case n != nil && n.Code == ir.And && len(n.Args) == 2 && n.Args[0].V != nil && n.Args[1].K != nil:
		some[n.Args[0].V] ^= n.Args[1].K[0]
	case n != nil && n.Code == ir.And && len(n.Args) == 2 && n.Args[1].V != nil && n.Args[0].K != nil:
		some[n.Args[1].V] ^= n.Args[0].K[0]
	default:
		some[o.V] ^= plan.Ones(o.Width)
	}
	return true
}

// parityRuns returns the parities of p, by value, if there are many of the same words. Their order
// is the order in which they are concatenated.
func parityRuns(p *plan.Plan) map[*plan.Value]run {
	groups := map[string][]run{}
	met := map[*plan.Value]bool{}
	for _, u := range slices.Backward(p.Units) { // nested concatenations come first
		for _, n := range slices.Backward(u.Nodes) {
			for _, v := range pieces(n.Out) {
				if x, ok := parityOf(v); ok && !met[v] {
					met[v] = true
					key := fmt.Sprint(ids(x.of.words))
					groups[key] = append(groups[key], x)
				}
			}
		}
	}
	out := map[*plan.Value]run{}
	for _, list := range groups {
		if len(list) <= fewParities {
			continue
		}
		for part := range slices.Chunk(list, mostParities) {
			all := &parities{words: part[0].of.words}
			for i, x := range part {
				all.rows = append(all.rows, x.of.rows[0])
				out[x.value] = run{all, i, x.value}
			}
		}
	}
	return out
}

// parityOf returns v as a parity of words, or false if it is none.
func parityOf(v *plan.Value) (run, bool) {
	if v == nil || v.Node == nil { // a constant has none
		return run{}, false
	}
	some := map[*plan.Value]uint64{}
	if n := v.Node; n.Code != ir.RedXor || !selected(n.Args[0], some) || len(some) == 0 {
		return run{}, false
	}
	words := slices.SortedFunc(maps.Keys(some), func(a, b *plan.Value) int { return a.ID - b.ID })
	row := make([]uint64, len(words))
	for i, w := range words {
		if row[i] = some[w]; w.Width > 64 {
			return run{}, false
		}
	}
	return run{&parities{words: words, rows: [][]uint64{row}}, 0, v}, true
}

// ids returns the numbers of values.
func ids(values []*plan.Value) (out []int) {
	for _, v := range values {
		out = append(out, v.ID)
	}
	return out
}

// pieces returns the operands of the concatenation v, the least significant first, or v itself.
func pieces(v *plan.Value) (out []*plan.Value) {
	if v == nil || v.Node == nil || v.Node.Code != ir.Concat || v.Node.List != nil {
		return []*plan.Value{v}
	}
	for _, a := range slices.Backward(v.Node.Args) {
		out = append(out, pieces(a.V)...)
	}
	return out
}

// runOf returns v as consecutive parities, or false if it has another form.
func (t *tasks) runOf(v *plan.Value) (run, bool) {
	all := pieces(v)
	first, ok := t.runs[all[0]]
	for i, x := range all {
		if r, is := t.runs[x]; !ok || !is || r.of != first.of || r.first != first.first+i {
			return run{}, false
		}
	}
	return run{first.of, first.first, v}, true
}

// inRun appends the computation of consecutive parities.
func (t *tasks) inRun(r run) {
	g := r.of
	if g.outs = append(g.outs, r); g.task == nil {
		for _, w := range g.words {
			t.value(w)
		}
		g.task = t.add(&task{size: 64, reads: g.words, takes: several * len(g.words), do: func(b *blocked) { b.parities(g) }})
	}
	t.of[r.value] = g.task
}

// parities computes the parities that are needed.
func (b *blocked) parities(g *parities) {
	k := b.Kernel
	k.Size = 64
	words := make([]kernel.Value, len(g.words))
	for i, w := range g.words {
		words[i] = b.Whole(plan.Operand{V: w, At: plan.Identity, Width: w.Width})
	}
	all := k.Parities(words, g.rows)
	for _, r := range g.outs {
		k.Size = 64
		x := kernel.None
		if r.value.Width == 1 {
			x = k.Test(all, 1<<r.first)
		} else {
			x = k.And(k.Shift(all, -r.first), plan.Ones(r.value.Width))
		}
		b.Local[r.value] = x
		if b.crossing[r.value] {
			b.store(b.Places[r.value], x, kernel.None)
		}
	}
}
