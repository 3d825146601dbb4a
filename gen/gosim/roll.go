package gosim

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

func roll(d *flat.Design) *plan {
	p := &plan{d: d, where: make([]ref, len(d.Width)), gathers: map[string]*value{}, views: map[*value]*value{}}
	for _, k := range d.Consts {
		p.where[k.Net] = ref{k: k.Val}
	}
	p.rollInputs()
	p.rollMems()
	p.rollRegs()
	groups := p.groups()
	for _, g := range groups {
		p.declare(g)
	}
	for _, n := range slices.Clone(p.nodes) {
		p.connect(n, groups[n.id])
	}
	p.effects()
	return p
}

func (p *plan) rollInputs() {
	p.inputs = make([]*value, len(p.d.Ports))
	for i, port := range p.d.Ports {
		if port.Sig.Kind != ir.Input {
			continue
		}
		v := p.newValue(port.Sig.Type.Width, len(port.Nets))
		v.stored, v.doc = true, port.Sig.Name
		p.inputs[i] = v
		for l, n := range port.Nets {
			p.where[n] = ref{v: v, lane: l}
		}
	}
}

// spot is where something stands: equal spots but for iterations make lanes.
type spot struct {
	what  any
	place string
	shape string
}

// bySpot groups 0..n-1 by spot, in order of first appearance, each group sorted
// by iterations and element.
func bySpot(n int, at func(int) (spot, *flat.Copy, int32)) [][]int {
	index := map[spot]int{}
	var out [][]int
	for i := range n {
		s, _, _ := at(i)
		g, ok := index[s]
		if !ok {
			g = len(out)
			index[s] = g
			out = append(out, nil)
		}
		out[g] = append(out[g], i)
	}
	for _, g := range out {
		slices.SortStableFunc(g, func(a, b int) int {
			_, ca, ea := at(a)
			_, cb, eb := at(b)
			if c := slices.Compare(ca.Iters, cb.Iters); c != 0 {
				return c
			}
			return int(ea - eb)
		})
	}
	return out
}

func (p *plan) rollMems() {
	p.memAt = make([]memRef, len(p.d.Mems))
	for _, g := range bySpot(len(p.d.Mems), func(i int) (spot, *flat.Copy, int32) {
		m := p.d.Mems[i]
		return spot{m.IR, m.Copy.Place, ""}, m.Copy, 0
	}) {
		m := p.d.Mems[g[0]].IR
		mem := &memory{id: len(p.mems), depth: m.Depth, room: room(m.Depth), width: m.Width, lanes: len(g), list: g, init: m.Init}
		p.mems = append(p.mems, mem)
		for l, i := range g {
			p.memAt[i] = memRef{mem, l}
		}
	}
}

// room is the storage for a memory of so many words: reads of small ones need no
// check of the address if it is a power of two.
func room(depth int) int {
	if depth > 4096 {
		return depth
	}
	return 1 << bits.Len(uint(depth-1))
}

func (p *plan) rollRegs() {
	for _, g := range bySpot(len(p.d.Regs), func(i int) (spot, *flat.Copy, int32) {
		r := p.d.Regs[i]
		return spot{r.Sig, r.Copy.Place, ""}, r.Copy, r.Elem
	}) {
		first := p.d.Regs[g[0]]
		r := &regs{q: p.newValue(int(p.d.Width[first.Q]), len(g)), list: g}
		r.q.reg, r.q.stored, r.q.doc = r, true, first.Path
		if first.Reset {
			r.init = first.Init
		}
		for l, i := range g {
			p.where[p.d.Regs[i].Q] = ref{v: r.q, lane: l}
		}
		p.regs = append(p.regs, r)
	}
}

// groups are the operations that become nodes: those with the same origin, or
// one by one where a group would depend on itself.
func (p *plan) groups() [][]int {
	groups := bySpot(len(p.d.Ops), func(i int) (spot, *flat.Copy, int32) {
		op := &p.d.Ops[i]
		shape := fmt.Sprint(op.Code, p.d.Width[op.Out], op.NOut)
		for k, a := range op.Args {
			if k > 3 {
				shape += fmt.Sprint(" ", len(op.Args))
				break
			}
			shape += fmt.Sprint(" ", p.d.Width[a])
		}
		return spot{op.From, op.Copy.Place, shape}, op.Copy, op.Elem
	})
	for {
		cyclic := p.cyclic(groups)
		for i, g := range groups {
			if len(g) > 1 && !p.regular(g) {
				cyclic[i] = true
			}
		}
		if len(cyclic) == 0 {
			return groups
		}
		var out [][]int
		for i, g := range groups {
			if !cyclic[i] {
				out = append(out, g)
				continue
			}
			for _, op := range g {
				out = append(out, []int{op})
			}
		}
		groups = out
	}
}

// regular tells whether the parameters of the operations have a form.
func (p *plan) regular(g []int) bool {
	lo := func(l int) int { return int(p.d.Ops[g[l]].Lo) }
	switch p.d.Ops[g[0]].Code {
	case ir.Slice:
		_, ok := fit(len(g), lo)
		return ok
	case ir.MemRead:
		m := p.memAt[lo(0)].m
		for l := range g {
			if p.memAt[lo(l)].m != m {
				return false
			}
		}
		_, ok := fit(len(g), func(l int) int { return p.memAt[lo(l)].lane })
		return ok
	}
	return true
}

// declare makes the node of a group and its result.
func (p *plan) declare(g []int) {
	op := &p.d.Ops[g[0]]
	n := &node{id: len(p.nodes), code: op.Code, lanes: len(g), nout: int(op.NOut), width: int(p.d.Width[op.Out]),
		place: op.Copy.Place, pos: op.Pos}
	multi := op.Code == ir.Update || op.Code == ir.Route
	if !multi {
		n.nout = 1
	}
	n.out = p.newValue(n.width, n.lanes*n.nout)
	n.out.node = n
	for l, i := range g {
		o := &p.d.Ops[i]
		for k := range n.nout {
			p.where[o.Out+flat.Net(k)] = ref{v: n.out, lane: l*n.nout + k}
		}
	}
	p.nodes = append(p.nodes, n)
}
