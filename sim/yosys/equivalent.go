package yosys

import (
	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/formal"
)

// Equivalent reports whether ABC proves that nobody at the ports can tell the mutant from the
// netlist. Payload counts only while it is valid, as far as names tell.
func (x Mutant) Equivalent() (bool, error) {
	gold, err := x.n.gold()
	if err != nil {
		return false, err
	}
	faulty, err := x.n.load(x.file(), "gold")
	if err != nil {
		return false, err
	}
	return formal.Equal(gold, faulty, x.n.top, x.n.valids(gold))
}

// valids returns the bit that makes each bit of payload count. Payload of several lanes has a valid of
// as many bits.
func (n *Netlist) valids(m *eda.Module) map[eda.Bit]eda.Bit {
	out := map[eda.Bit]eda.Bit{}
	for name, valid := range n.payload {
		if lanes := m.Ports[valid].Bits; len(lanes) > 0 {
			bits := m.Ports[name].Bits
			for i, b := range bits {
				out[b] = lanes[i*len(lanes)/len(bits)]
			}
		}
	}
	return out
}
