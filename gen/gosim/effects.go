package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

// effects finds the operands of registers, memories, assertions and outputs.
func (p *plan) effects() {
	for _, r := range p.regs {
		r.d = p.operand(r.q.lanes, r.q.width, func(l int) ref { return p.where[p.d.Regs[r.list[l]].D] })
		if !r.d.same(r.q.lanes) || r.d.v.node == nil {
			r.d = operand{v: p.copied(r.q.lanes, r.q.width, r.d), at: identity, width: r.q.width}
		}
	}
	p.clears()
	p.rollWrites()
	p.rollChecks()
	p.outputs = make([][]ref, len(p.d.Ports))
	for i, port := range p.d.Ports {
		if port.Sig.Kind == ir.Output {
			for _, n := range port.Nets {
				p.outputs[i] = append(p.outputs[i], p.where[n])
			}
		}
	}
}

func (p *plan) rollWrites() {
	nth := make([]int, len(p.d.Mems)) // writes so far
	order := make([]int, len(p.d.Writes))
	for i, w := range p.d.Writes {
		order[i] = nth[w.Mem]
		nth[w.Mem]++
	}
	for _, g := range bySpot(len(p.d.Writes), func(i int) (spot, *flat.Copy, int32) {
		w := p.d.Writes[i]
		return spot{p.memAt[w.Mem].m, w.Copy.Place, fmt.Sprint(order[i])}, w.Copy, 0
	}) {
		m := p.memAt[p.d.Writes[g[0]].Mem].m
		w := &write{lanes: len(g)}
		port := func(net func(flat.Write) flat.Net) operand {
			width := int(p.d.Width[net(p.d.Writes[g[0]])])
			return p.operand(len(g), width, func(l int) ref { return p.where[net(p.d.Writes[g[l]])] })
		}
		w.enable = port(func(w flat.Write) flat.Net { return w.Enable })
		w.addr = port(func(w flat.Write) flat.Net { return w.Addr })
		w.data = port(func(w flat.Write) flat.Net { return w.Data })
		_, w.at = p.memory(len(g), func(l int) int { return p.d.Writes[g[l]].Mem })
		m.writes = append(m.writes, w)
	}
}

func (p *plan) rollChecks() {
	for _, g := range bySpot(len(p.d.Checks), func(i int) (spot, *flat.Copy, int32) {
		c := p.d.Checks[i]
		return spot{fmt.Sprint(c.Pos, c.Text), c.Copy.Place, ""}, c.Copy, 0
	}) {
		enable := p.operand(len(g), 1, func(l int) ref { return p.where[p.d.Checks[g[l]].Enable] })
		cond := p.operand(len(g), 1, func(l int) ref { return p.where[p.d.Checks[g[l]].Cond] })
		n := p.newNode(ir.Mux, len(g), 1, cond, never, enable)
		n.out.stored = true
		p.checks = append(p.checks, &check{fail: n.out, list: g})
	}
}
