package plan

import (
	"math/bits"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

func roll(d *netlist.Design) *Plan {
	p := &Plan{D: d, where: make([]Ref, len(d.Width)), gathers: map[string]*Value{}, views: map[*Value]*Value{}}
	for _, k := range d.Consts {
		p.where[k.Net] = Ref{K: k.Val}
	}
	p.rollInputs()
	p.rollMems()
	p.rollRegs()
	groups := p.groups()
	p.loops = slices.ContainsFunc(groups, func(g []int) bool { return len(g) > 1 })
	for _, g := range groups {
		p.declare(g)
	}
	for _, n := range slices.Clone(p.nodes) {
		p.connect(n, groups[n.id])
	}
	p.effects()
	return p
}

func (p *Plan) rollInputs() {
	p.Inputs = make([]*Value, len(p.D.Ports))
	for i, port := range p.D.Ports {
		if port.Sig.Kind != ir.Input {
			continue
		}
		v := p.newValue(port.Sig.Type.Width, len(port.Nets))
		v.Stored, v.Doc = true, port.Sig.Name
		p.Inputs[i] = v
		for l, n := range port.Nets {
			p.where[n] = Ref{V: v, Lane: l}
		}
	}
}

// spot identifies a place in the source and the hierarchy. Items whose spots are equal become
// lanes; they differ only in their iterations.
type spot struct {
	what  any
	place string
	shape any
}

// bySpot groups 0..n-1 by spot, in order of first appearance, and sorts each group by iterations
// and element.
func bySpot(n int, at func(int) (spot, *netlist.Copy, int32)) [][]int {
	index := map[spot]int{}
	var out [][]int
	copies, elems := make([]*netlist.Copy, n), make([]int32, n)
	for i := range n {
		var s spot
		s, copies[i], elems[i] = at(i)
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
			if c := slices.Compare(copies[a].Iters, copies[b].Iters); c != 0 {
				return c
			}
			return int(elems[a] - elems[b])
		})
	}
	return out
}

func (p *Plan) rollMems() {
	p.MemAt = make([]memRef, len(p.D.Mems))
	for _, g := range bySpot(len(p.D.Mems), func(i int) (spot, *netlist.Copy, int32) {
		m := p.D.Mems[i]
		return spot{m.IR, m.Copy.Place, nil}, m.Copy, 0
	}) {
		m := p.D.Mems[g[0]].IR
		mem := &Memory{ID: len(p.Mems), Depth: m.Depth, Room: room(m.Depth), Width: m.Width, Lanes: len(g), List: g, Init: m.Init}
		p.Mems = append(p.Mems, mem)
		for l, i := range g {
			p.MemAt[i] = memRef{mem, l}
		}
	}
}

// room returns the number of words of storage for a memory of that depth. Small memories have a
// power of two, so that reads need no check of the address.
func room(depth int) int {
	if depth > 4096 {
		return depth
	}
	return 1 << bits.Len(uint(depth-1))
}

func (p *Plan) rollRegs() {
	for _, g := range bySpot(len(p.D.Regs), func(i int) (spot, *netlist.Copy, int32) {
		r := p.D.Regs[i]
		return spot{r.Sig, r.Copy.Place, nil}, r.Copy, r.Elem
	}) {
		first := p.D.Regs[g[0]]
		r := &Regs{Q: p.newValue(int(p.D.Width[first.Q]), len(g)), List: g}
		r.Q.reg, r.Q.Stored, r.Q.Doc = r, true, first.Path
		if first.Reset {
			r.Init = first.Init
		}
		for l, i := range g {
			p.where[p.D.Regs[i].Q] = Ref{V: r.Q, Lane: l}
		}
		p.Regs = append(p.Regs, r)
	}
}

// groups returns the operations that become nodes, grouped by origin. A group that would depend on
// itself, or whose parameters have no form, is split into single operations.
func (p *Plan) groups() [][]int {
	groups := bySpot(len(p.D.Ops), func(i int) (spot, *netlist.Copy, int32) {
		op := &p.D.Ops[i]
		shape := [...]int{int(op.Code), int(p.D.Width[op.Out]), int(op.NOut), len(op.Args), 0, 0, 0, 0}
		for k, a := range op.Args[:min(4, len(op.Args))] {
			shape[4+k] = int(p.D.Width[a])
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

// regular reports whether the parameters of the operations have a form.
func (p *Plan) regular(g []int) bool {
	lo := func(l int) int { return int(p.D.Ops[g[l]].Lo) }
	switch p.D.Ops[g[0]].Code {
	case ir.Slice:
		_, ok := Fit(len(g), lo)
		return ok
	case ir.MemRead:
		m := p.MemAt[lo(0)].M
		for l := range g {
			if p.MemAt[lo(l)].M != m {
				return false
			}
		}
		_, ok := Fit(len(g), func(l int) int { return p.MemAt[lo(l)].lane })
		return ok
	}
	return true
}

// declare creates the node of a group and its result.
func (p *Plan) declare(g []int) {
	op := &p.D.Ops[g[0]]
	n := &Node{id: len(p.nodes), Code: op.Code, Lanes: len(g), Nout: int(op.NOut), Width: int(p.D.Width[op.Out]),
		Place: op.Copy.Place, pos: op.From.Pos}
	multi := op.Code == ir.Update || op.Code == ir.Route
	if !multi {
		n.Nout = 1
	}
	n.Out = p.newValue(n.Width, n.Lanes*n.Nout)
	n.Out.Node = n
	for l, i := range g {
		o := &p.D.Ops[i]
		for k := range n.Nout {
			p.where[o.Out+netlist.Net(k)] = Ref{V: n.Out, Lane: l*n.Nout + k}
		}
	}
	p.nodes = append(p.nodes, n)
}
