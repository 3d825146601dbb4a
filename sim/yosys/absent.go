package yosys

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// absent moves loose flip-flops of gold to kept if an output or a paired flip-flop depends on them.
// Their assumed constants are their values after some random cycles.
func (n *Netlist) absent(gold *eda.Module, s *states) error {
	found := reached(gold, *s)
	if len(found) == 0 {
		return nil
	}
	held, err := n.held(gold)
	if err != nil {
		return err
	}
	loose := s.loose[0]
	s.loose[0] = nil
	for _, f := range loose {
		switch {
		case !found[f.net("Q")]:
			s.loose[0] = append(s.loose[0], f)
		case held[f.net("Q")]:
			s.kept = append(s.kept, kept{f, eda.One})
		default:
			s.kept = append(s.kept, kept{f, eda.Zero})
		}
	}
	return nil
}

// held returns the values of the register bits after some random cycles.
func (n *Netlist) held(gold *eda.Module) (map[eda.Bit]bool, error) {
	d, err := n.Design()
	if err != nil {
		return nil, err
	}
	run, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	if err := shake(run, 1, func() {}); err != nil {
		return nil, err
	}
	out := map[eda.Bit]bool{}
	for i, x := range run.State() {
		if x.Depth > 0 {
			continue
		}
		words := run.Read(i, 0)
		for k, b := range n.bitsOf(gold, x.Path) {
			out[b] = words[k/64]>>(k%64)&1 == 1
		}
	}
	return out, nil
}

// reached returns the outputs of unpaired flip-flops that results depend on.
func reached(m *eda.Module, s states) map[eda.Bit]bool {
	j, out := newJoint(m), map[eda.Bit]bool{}
	paired := map[eda.Bit]bool{}
	for _, x := range m.Ports {
		if x.Direction == "output" {
			for _, b := range x.Bits {
				j.need(b)
			}
		}
	}
	for _, p := range s.pairs {
		paired[p[0].net("Q")] = true
		j.need(p[0].net("D"))
	}
	flops := flipFlops(m)
	for found := true; found; {
		found = false
		for q := range j.leaves {
			if f, ok := flops[q]; ok && !paired[q] && !out[q] {
				out[q], found = true, true
				j.need(f.net("D"))
			}
		}
	}
	return out
}

// bitsOf returns the nets of a register or of an element of a register.
func (n *Netlist) bitsOf(gold *eda.Module, path string) []eda.Bit {
	if net, ok := gold.Nets[path]; ok {
		return net.Bits
	}
	at := strings.LastIndexByte(path, '[')
	if at < 0 {
		return nil
	}
	width := n.states[path[:at]].Width
	k, err := strconv.Atoi(strings.TrimSuffix(path[at+1:], "]"))
	if bits := gold.Nets[path[:at]].Bits; err == nil && k*width+width <= len(bits) {
		return bits[k*width:][:width]
	}
	return nil
}

// shake resets s and drives it with random inputs. It calls look in each cycle.
func shake(s *interp.Sim, seed uint64, look func()) error {
	r := rand.New(rand.NewPCG(seed, 2))
	sim.PowerUp(s, seed)
	rate := []float64{0.5, 0.9, 0.1, 0.97}[seed%4]
	for c := range 1500 {
		for i, p := range s.Ports() {
			if !p.Input {
				continue
			}
			x := make([]uint64, ir.Words(p.Type.Bits()))
			for k := range x {
				switch r.IntN(4) {
				case 0:
					x[k] = r.Uint64()
				case 1:
					x[k] = r.Uint64N(4)
				default:
					for b := range 64 {
						if r.Float64() < rate {
							x[k] |= 1 << b
						}
					}
				}
			}
			bv.Mask(x, p.Type.Bits())
			s.Set(i, x)
		}
		s.SetReset(c == 0 || r.IntN(300) == 0)
		if err := s.Step(); err != nil {
			return fmt.Errorf("yosys: %w", err)
		}
		look()
	}
	return nil
}
