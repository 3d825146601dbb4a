package netlist

import (
	"strings"

	"github.com/hotline-rtl/hotline/sim/interp"
)

// absent looks for flip-flops of gold that are loose, and that outputs or those which have
// depend on. One that always held what another holds makes a pair with the same gates; the others are
// kept, with what they held at last.
func (n *Netlist) absent(gold *module, s *states) error {
	reached := gold.reached(*s)
	if len(reached) == 0 {
		return nil
	}
	held, err := n.held(gold)
	if err != nil {
		return err
	}
	type behaviour struct{ clock, values string }
	behaves := func(f flipFlop) behaviour { return behaviour{gold.input(f.clock()), held[f.net("Q")]} }
	twins := map[behaviour]flipFlop{}
	for _, p := range s.pairs {
		if x := behaves(p[0]); strings.Contains(x.values, "0") && strings.Contains(x.values, "1") {
			twins[x] = p[1]
		}
	}
	loose := s.loose[0]
	s.loose[0] = nil
	for _, f := range loose {
		x := behaves(f)
		twin, ok := twins[x]
		switch {
		case !reached[f.net("Q")]:
			s.loose[0] = append(s.loose[0], f)
		case ok:
			s.pairs = append(s.pairs, [2]flipFlop{f, twin})
		case strings.HasSuffix(x.values, "1"):
			s.kept = append(s.kept, kept{f, one})
		default:
			s.kept = append(s.kept, kept{f, zero})
		}
	}
	return nil
}

// forgotten is a cycle in which pipelines hold nothing from power-up any more.
const forgotten = 100

// held are the values of bits of registers in a random run, a digit for each cycle from forgotten on.
func (n *Netlist) held(gold *module) (map[bit]string, error) {
	d, err := n.Design()
	if err != nil {
		return nil, err
	}
	run, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	states, cycle := run.State(), 0
	digits := make([][]byte, len(states)) // of all bits of a register, cycle by cycle
	err = shake(run, 1, func() {
		if cycle++; cycle < forgotten {
			return
		}
		for i, x := range states {
			if x.Depth > 0 {
				continue
			}
			for k, words := 0, run.Read(i, 0); k < x.Width; k++ {
				digits[i] = append(digits[i], '0'+byte(words[k/64]>>(k%64)&1))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := map[bit]string{}
	for i, x := range states {
		for k, b := range n.bitsOf(gold, x.Path) {
			var own strings.Builder
			for at := k; at < len(digits[i]); at += x.Width {
				own.WriteByte(digits[i][at])
			}
			out[b] = own.String()
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
