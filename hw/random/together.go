package random

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Part is one of several designs that Together joins. Parts must have different seeds.
type Part struct {
	Seed    uint64
	Options Options
}

// Together joins the designs of parts into one design. Its ports are the ports of the parts in
// order, prefixed with the seed: d17_in0 is in0 of Random(17, ...). If a part has several clocks,
// the clock of the other parts becomes a port as well; clk and rst are then the first ports.
func Together(parts []Part) *ir.Design {
	d, err := hw.Elaborate(together{&parts})
	if err != nil {
		panic(fmt.Sprintf("random: %v: %v", parts, err))
	}
	return d
}

// together contains a pointer because generators must be comparable.
type together struct{ parts *[]Part }

// ModuleName returns a name without the pointer.
func (together) ModuleName() string { return "together" }

// Build describes the module.
func (t together) Build(m *hw.Module) struct{} {
	several := slices.ContainsFunc(*t.parts, func(p Part) bool { return p.Options.Clocks > 0 })
	var clock hw.Clock
	if several {
		clock = m.Clock("clk", "rst")
	}
	for _, p := range *t.parts {
		switch {
		case p.Options.Clocks > 0:
			clocked{newModule(p.Seed, p.Options)}.side(m)
		case several:
			m.Clocked(clock, func() { p.side(m) })
		default:
			p.side(m)
		}
	}
	return struct{}{}
}

// side describes the instance and the ports of a part.
func (p Part) side(m *hw.Module) {
	name := func(port string, i int) string { return fmt.Sprintf("d%d_%s%d", p.Seed, port, i) }
	io := hw.Inst(m, fmt.Sprintf("seed%d", p.Seed), newModule(p.Seed, p.Options))
	for i, x := range io.In {
		x.Set(m.In(name("in", i), x.Width()))
	}
	for i, v := range io.InVec {
		v.Set(m.InVec(name("in_vec", i), v.Len(), v.Width()))
	}
	for i, x := range io.Out {
		m.Out(name("out", i), x.Width()).Set(x)
	}
	for i, v := range io.OutVec {
		m.OutVec(name("out_vec", i), v.Len(), v.Width()).Set(v)
	}
	m.Out(fmt.Sprintf("d%d_digest", p.Seed), digestWidth).Set(io.Digest)
}
