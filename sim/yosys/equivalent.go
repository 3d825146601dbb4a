package yosys

import (
	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/formal"
)

// Equivalent reports whether ABC proves that the mutant behaves like the netlist at the ports.
// Payload is compared only while it is valid. The relation of payload and valid follows from port
// names.
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

// valids maps each payload bit to the bit that qualifies it. If valid has several bits, each
// qualifies an equal part of the payload.
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
