package netlist

import (
	"regexp"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// unreachable tells whether ABC proves that no run leads to different outputs. Both netlists
// begin in the same state, which may be any, and with a reset, which may come again. Unlike the induction
// of Equivalent, this knows registers that differ, and what states there can be.
//
// Memories are not part of it. What they read is anything, the same in both, and what they are asked and told
// has to be the same: so that they are, as long as that holds.
func (m *miter) unreachable(n *Netlist) (bool, error) {
	if len(n.top.Domains) > 0 {
		return false, nil // a step is an edge of the only clock
	}
	if err := n.aiger(m.product(n.top), "runs"); err != nil {
		return false, err
	}
	finished, out, err := n.abc("read_aiger runs.aig; strash; scorr -F 6; pdr")
	return finished && verified.Match(out), err
}

var verified = regexp.MustCompile(`(?m)^Verification of invariant with \d+ clauses was successful`)

// product is a module of both netlists, without memories, whose output tells whether they
// differ.
func (m *miter) product(top *ir.Module) *module {
	p := &pair{joint: newJoint(m.golden), miter: m, same: map[bit]bit{}}
	out := &module{Cells: p.cells, Ports: map[string]port{}}
	p.inputs(out)
	started := p.begin(out, top)
	p.twins()
	for name, x := range m.golden.Ports {
		if x.Direction == "output" {
			p.against(x.Bits, m.faulty.Ports[name].Bits, func(i int) bit {
				if while, ok := m.valid[x.Bits[i]]; ok {
					return p.all([]bit{started, while})
				}
				return started
			})
		}
	}
	for name, c := range m.golden.Cells {
		if c.Type == "$mem_v2" {
			for _, pin := range []string{"WR_EN", "WR_ADDR", "WR_DATA", "RD_ADDR"} {
				p.against(c.Pins[pin], m.faulty.Cells[name].Pins[pin], p.counts(c, pin))
			}
		}
	}
	out.Ports["differ"] = port{"output", p.cell("$reduce_or", 1, p.unequal(), nil)}
	return out
}

// inputs are what both netlists share: inputs, and what memories read.
func (p *pair) inputs(out *module) {
	share := func(name string, gold, faulty []bit) {
		out.Ports[name] = port{"input", gold}
		for i, b := range faulty {
			p.same[b] = gold[i]
		}
	}
	for name, x := range p.miter.golden.Ports {
		if x.Direction == "input" {
			share(name, x.Bits, p.faulty.Ports[name].Bits)
		}
	}
	for name, c := range p.miter.golden.Cells {
		if c.Type == "$mem_v2" {
			share("read_"+name, c.Pins["RD_DATA"], p.faulty.Cells[name].Pins["RD_DATA"])
		}
	}
}

// begin makes the first step one with a reset, and gives registers any value in it, the same in both
// netlists. The result is 1 in all later steps.
func (p *pair) begin(out *module, top *ir.Module) (started bit) {
	clock := p.miter.golden.Ports[top.Own.ClockName()].Bits
	register := func(name string, d, q []bit) {
		p.cells[name] = &cell{Type: "$dff", Parameters: map[string]string{"WIDTH": binary32(len(d)), "CLK_POLARITY": "1"},
			Directions: map[string]string{"CLK": "input", "D": "input", "Q": "output"}, Pins: map[string][]bit{"CLK": clock, "D": d, "Q": q}}
	}
	started = p.fresh(1)[0]
	register("added_started", []bit{one}, []bit{started})
	if x, ok := out.Ports[top.Own.ResetName()]; ok && top.Reset {
		asked := p.fresh(1)
		out.Ports[top.Own.ResetName()] = port{"input", asked}
		first := one
		if top.Own.Low {
			first = zero
		}
		p.choose("added_reset", started, asked, []bit{first}, x.Bits)
	}
	for name, c := range p.miter.golden.Cells {
		if c.Type != "$dff" {
			continue
		}
		twin, any := p.faulty.Cells[name], p.fresh(len(c.Pins["Q"]))
		out.Ports["first_"+name] = port{"input", any}
		for prefix, x := range map[string]*cell{"": c, "faulty_": twin} {
			var d, q []bit
			for i, b := range x.Pins["D"] {
				if x == twin {
					d, q = append(d, p.twin(b)), append(q, p.twin(x.Pins["Q"][i]))
				} else {
					d, q = append(d, b), append(q, x.Pins["Q"][i])
				}
			}
			held := p.fresh(len(q))
			register(prefix+name, d, held)
			p.choose(prefix+"now_"+name, started, held, any, q)
		}
	}
	return started
}

// fresh are nets that nothing has.
func (j *joint) fresh(n int) []bit {
	out := make([]bit, n)
	for i := range out {
		out[i] = j.next
		j.next++
	}
	return out
}

// choose drives y with a if s is 1, else with b.
func (j *joint) choose(name string, s bit, a, b, y []bit) {
	j.cells[name] = &cell{Type: "$mux", Parameters: map[string]string{"WIDTH": binary32(len(y))},
		Directions: map[string]string{"A": "input", "B": "input", "S": "input", "Y": "output"},
		Pins:       map[string][]bit{"A": b, "B": a, "S": {s}, "Y": y}}
}

// twin is the net here for one of the faulty netlist.
func (p *pair) twin(b bit) bit {
	if b <= one {
		return b
	}
	if _, ok := p.same[b]; !ok {
		p.same[b] = p.fresh(1)[0]
	}
	return p.same[b]
}

// twins adds the cells without state of both netlists.
func (p *pair) twins() {
	for name, c := range p.miter.golden.Cells {
		if !c.keeps() {
			p.cells[name] = c
		}
	}
	for name, c := range p.faulty.Cells {
		if c.keeps() {
			continue
		}
		x := &cell{Type: c.Type, Parameters: c.Parameters, Directions: c.Directions, Pins: map[string][]bit{}}
		for pin, bits := range c.Pins {
			for _, b := range bits {
				x.Pins[pin] = append(x.Pins[pin], p.twin(b))
			}
		}
		p.cells["faulty_"+name] = x
	}
}

// against notes nets that have to be equal while they count.
func (p *pair) against(gold, faulty []bit, counts func(i int) bit) {
	for i, b := range gold {
		p.a, p.b, p.while = append(p.a, b), append(p.b, p.twin(faulty[i])), append(p.while, counts(i))
	}
}
