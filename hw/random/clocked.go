package random

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
)

// clocked is a random module with several clocks. Each clock domain has its own hardware, which
// receives the output of the previous domain through crossing registers.
type clocked struct{ module }

// ModuleName returns a name that is unique over all modules and seeds.
func (p clocked) ModuleName() string { return fmt.Sprintf("rand%d_clocks", p.Seed) }

// clockedPorts are the ports of a clocked module.
type clockedPorts struct {
	Clocks  []hw.Clock
	In, Out []hw.Bits
}

// clockKind describes a clock of a random module.
type clockKind struct {
	name, reset string
	kind        []hw.ResetKind
}

// kinds returns the clocks of the module. Their resets are of all kinds; some clocks have none.
func (p clocked) kinds() []clockKind {
	r := rand.New(rand.NewPCG(p.Seed, 77))
	out := make([]clockKind, p.Clocks)
	for i := range out {
		c := &out[i]
		c.name = fmt.Sprintf("c%d_clk", i)
		if r.IntN(5) == 0 {
			continue
		}
		c.reset = fmt.Sprintf("c%d_rst", i)
		if r.IntN(2) == 0 {
			c.reset += "_n"
			c.kind = append(c.kind, hw.Low)
		}
		if r.IntN(2) == 0 {
			c.kind = append(c.kind, hw.Async)
		}
	}
	return out
}

func (c clockKind) async() bool {
	for _, k := range c.kind {
		if k == hw.Async {
			return true
		}
	}
	return false
}

// Build describes the module.
func (p clocked) Build(m *hw.Module) (io clockedPorts) {
	kinds := p.kinds()
	for _, c := range kinds {
		io.Clocks = append(io.Clocks, m.Clock(c.name, c.reset, c.kind...))
	}
	b := &builder{m: m, p: p.module, r: rand.New(rand.NewPCG(p.Seed, 78))}
	b.taste = b.r.IntN(1000)
	var launched hw.Bits // from the previous clock
	for i, c := range io.Clocks {
		m.Clocked(c, func() {
			b.unreset, b.p.Async = kinds[i].reset == "", kinds[i].async()
			b.open(nil)
			io.In = append(io.In, b.keep(m.In(fmt.Sprint("in", i), b.width())))
			if i > 0 {
				b.keep(m.Crossing(b.name("crossing"), c, hw.CrossHeld, io.Out[i-1]))
				b.keep(m.Crossing(b.name("launched"), c, hw.CrossFlow, launched))
			}
			b.pieces(1 + p.Size/2)
			b.drive()
			out := m.Out(fmt.Sprint("digest", i), digestWidth)
			out.Set(b.digest())
			launched = m.Data(b.name("launch"), digestWidth)
			launched.Set(out)
			io.Out = append(io.Out, out)
			b.close()
		})
	}
	return io
}

// side instantiates p as one part of together.
func (p clocked) side(m *hw.Module) {
	prefix := fmt.Sprintf("d%d_", p.Seed)
	io := hw.Inst(m, fmt.Sprintf("seed%d", p.Seed), p)
	var clocks []hw.Clock
	for i, c := range p.kinds() {
		if c.reset != "" {
			c.reset = prefix + c.reset
		}
		clocks = append(clocks, m.Clock(prefix+c.name, c.reset, c.kind...))
		io.Clocks[i].Set(clocks[i])
	}
	for i, c := range clocks {
		m.Clocked(c, func() {
			io.In[i].Set(m.In(prefix+fmt.Sprint("in", i), io.In[i].Width()))
			m.Out(prefix+fmt.Sprint("digest", i), digestWidth).Set(io.Out[i])
		})
	}
}
