package netlist

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// claim is that registers have one of some values, from reset on.
type claim struct {
	bits   []bit
	values []uint64
}

// Sizes of claims, in bits: of one register, of one with few values, of two registers. Of
// large designs there are claims about single registers only.
const (
	mostBits      = 8
	mostFewBits   = 16
	mostFewValues = 40
	mostPairBits  = 8
	mostPairs     = 300
)

// invariants are claims that hold from reset on, proved by induction. Random inputs
// suggest them.
func (n *Netlist) invariants() ([]claim, error) {
	if n.claims != nil {
		return *n.claims, nil
	}
	gold, err := n.gold()
	if err != nil {
		return nil, err
	}
	var claims []claim
	if reset := gold.Ports[n.top.Own.ResetName()]; n.top.Reset {
		d := drivers(gold)
		claims, err = n.suggestions(gold)
		for _, assume := range []string{"-set reset 1", "-set holds 1"} {
			if err == nil {
				claims, err = n.inductive(d, claims, reset.Bits, assume)
			}
		}
	}
	n.claims = &claims
	return claims, err
}

// inductive leaves claims that nothing contradicts. If nothing is left, time has run out as a rule:
// then it looks at each half alone.
func (n *Netlist) inductive(gold pins, claims []claim, reset []bit, assume string) ([]claim, error) {
	for {
		left, err := n.hold(gold, claims, reset, assume)
		if err != nil || len(left) == len(claims) {
			return left, err
		}
		if k := len(claims) / 2; len(left) == 0 && k > 0 {
			first, err := n.inductive(gold, claims[:k], reset, assume)
			if err != nil {
				return nil, err
			}
			second, err := n.inductive(gold, claims[k:], reset, assume)
			return slices.Concat(first, second), err
		}
		claims = left
	}
}

// hold leaves the claims that one counterexample does not contradict.
func (n *Netlist) hold(gold pins, claims []claim, reset []bit, assume string) ([]claim, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	j := newJoint(gold)
	var now, later []bit
	for _, c := range claims {
		next := make([]bit, len(c.bits))
		for i, q := range c.bits {
			p := gold.from[q]
			next[i] = p.cell.Pins["D"][p.at]
			j.need(next[i])
			j.need(q)
		}
		now, later = append(now, j.claim(c, c.bits)), append(later, j.claim(c, next))
	}
	j.need(reset[0])
	m := j.module(j.invert(later))
	m.Ports["holds"] = port{"output", []bit{j.all(now)}}
	m.Ports["reset"] = port{"output", reset}
	wrong, err := n.ask(m, len(claims), assume)
	if err != nil || wrong == nil {
		return claims, err
	}
	var out []claim
	for i, c := range claims {
		if !wrong[i] {
			out = append(out, c)
		}
	}
	return out, nil
}

// suggestions are what random inputs do not contradict.
func (n *Netlist) suggestions(gold *module) ([]claim, error) {
	d, err := n.read(gold, gold)
	if err != nil {
		return nil, err
	}
	s, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	var claims []claim
	var at [][]int // of each claim, the numbers of its registers
	small := map[string][]int{}
	states := s.State()
	for i, x := range states {
		bits := n.bitsOf(gold, x.Path)
		if x.Depth > 0 || len(bits) != x.Width || x.Width > mostFewBits {
			continue
		}
		claims, at = append(claims, claim{bits: bits}), append(at, []int{i})
		instance := x.Path[:max(0, strings.LastIndexByte(x.Path, '.'))]
		for _, k := range small[instance] {
			if states[k].Width+x.Width <= mostPairBits {
				claims, at = append(claims, claim{bits: slices.Concat(n.bitsOf(gold, states[k].Path), bits)}), append(at, []int{k, i})
			}
		}
		small[instance] = append(small[instance], i)
	}
	seen := make([]map[uint64]bool, len(claims))
	for i := range seen {
		seen[i] = map[uint64]bool{}
	}
	look := func() {
		for i, registers := range at {
			var value uint64
			lo := 0
			for _, k := range registers {
				value |= s.Read(k, 0)[0] << lo
				lo += states[k].Width
			}
			seen[i][value] = true
		}
	}
	for seed := range uint64(8) {
		if err := shake(s, seed, look); err != nil {
			return nil, err
		}
	}
	single := len(claims) > mostPairs
	var out []claim
	for i, c := range claims {
		if single && len(at[i]) > 1 {
			continue
		}
		c.values = slices.Sorted(maps.Keys(seen[i]))
		w := len(c.bits)
		if len(c.values) < 1<<w && (w <= mostBits || len(c.values) <= mostFewValues) {
			out = append(out, c)
		}
	}
	return out, nil
}

// bitsOf are the nets of a register, or of an element of one.
func (n *Netlist) bitsOf(gold *module, path string) []bit {
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

// shake resets s and drives it with random inputs: look looks at each cycle.
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
			return fmt.Errorf("netlist: %w", err)
		}
		look()
	}
	return nil
}
