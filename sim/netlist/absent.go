package netlist

import "github.com/hotline-rtl/hotline/sim/interp"

// absent takes the flip-flops of gold that are loose, and that outputs or those which have a pair
// depend on, for kept ones, with what they hold after some random cycles.
func (n *Netlist) absent(gold *module, s *states) error {
	reached := gold.reached(*s)
	if len(reached) == 0 {
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
		case !reached[f.net("Q")]:
			s.loose[0] = append(s.loose[0], f)
		case held[f.net("Q")]:
			s.kept = append(s.kept, kept{f, one})
		default:
			s.kept = append(s.kept, kept{f, zero})
		}
	}
	return nil
}

// held are the bits of registers that are 1 after some random cycles.
func (n *Netlist) held(gold *module) (map[bit]bool, error) {
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
	out := map[bit]bool{}
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

// reached are the outputs of flip-flops that have no pair, and that results depend on.
func (m *module) reached(s states) map[bit]bool {
	j, out := newJoint(drivers(m)), map[bit]bool{}
	paired := map[bit]bool{}
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
	flops := m.flipFlops()
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
