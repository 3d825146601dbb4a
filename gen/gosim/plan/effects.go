package plan

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// effects sets the operands of registers, memories, assertions and outputs.
func (p *Plan) effects() {
	for _, r := range p.Regs {
		r.D = p.operand(r.Q.Lanes, r.Q.Width, func(l int) Ref { return p.where[p.D.Regs[r.List[l]].D] })
		if !r.D.Same(r.Q.Lanes) || r.D.V.Node == nil {
			r.D = Operand{V: p.copied(r.Q.Lanes, r.Q.Width, r.D, p.placeOf(r)), At: Identity, Width: r.Q.Width}
		}
	}
	p.clears()
	p.rollWrites()
	p.rollChecks()
	p.Outputs = make([][]Ref, len(p.D.Ports))
	for i, port := range p.D.Ports {
		if port.Sig.Kind == ir.Output {
			for _, n := range port.Nets {
				p.Outputs[i] = append(p.Outputs[i], p.where[n])
			}
		}
	}
}

func (p *Plan) rollWrites() {
	nth := make([]int, len(p.D.Mems)) // writes so far
	order := make([]int, len(p.D.Writes))
	for i, w := range p.D.Writes {
		order[i] = nth[w.Mem]
		nth[w.Mem]++
	}
	for _, g := range bySpot(len(p.D.Writes), func(i int) (spot, *netlist.Copy, int32) {
		w := p.D.Writes[i]
		return spot{p.MemAt[w.Mem].M, w.Copy.Place, fmt.Sprint(order[i])}, w.Copy, 0
	}) {
		m := p.MemAt[p.D.Writes[g[0]].Mem].M
		w := &Write{Lanes: len(g)}
		port := func(net func(netlist.Write) netlist.Net) Operand {
			width := int(p.D.Width[net(p.D.Writes[g[0]])])
			return p.operand(len(g), width, func(l int) Ref { return p.where[net(p.D.Writes[g[l]])] })
		}
		w.Enable = port(func(w netlist.Write) netlist.Net { return w.Enable })
		w.Addr = port(func(w netlist.Write) netlist.Net { return w.Addr })
		w.Data = port(func(w netlist.Write) netlist.Net { return w.Data })
		_, w.At = p.memory(len(g), func(l int) int { return p.D.Writes[g[l]].Mem })
		m.Writes = append(m.Writes, w)
	}
}

func (p *Plan) rollChecks() {
	for _, g := range bySpot(len(p.D.Checks), func(i int) (spot, *netlist.Copy, int32) {
		c := p.D.Checks[i]
		return spot{fmt.Sprint(c.Pos, c.Text), c.Copy.Place, nil}, c.Copy, 0
	}) {
		enable := p.operand(len(g), 1, func(l int) Ref { return p.where[p.D.Checks[g[l]].Enable] })
		cond := p.operand(len(g), 1, func(l int) Ref { return p.where[p.D.Checks[g[l]].Cond] })
		n := p.newNode(ir.Mux, len(g), 1, cond, Never, enable)
		n.Out.Stored, n.Place = true, p.D.Checks[g[0]].Copy.Place
		p.Checks = append(p.Checks, &check{Fail: n.Out, List: g})
	}
}
