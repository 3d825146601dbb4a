package sim

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Payload maps the name of an output that is meaningful only in some cycles to the name of its
// valid port. The output is meaningful while the valid port is 1. Outputs without an entry are
// control and always compared.
//
// A valid port of n bits has n lanes: bit k qualifies the k-th of n equal parts of the payload. The
// valid port is an output, an input, or an input some cycles earlier (Delayed). An empty name marks
// an output that is never meaningful.
type Payload map[string]string

// Unless returns a valid condition for outputs that are meaningful while the port is 0.
func Unless(port string) string { return "!" + port }

// Delayed returns a valid condition that refers to the input port n cycles earlier.
func Delayed(port string, n int) string { return strings.Repeat("'", n) + port }

// StreamPayload derives the payload of the streams among ports from the port names that hw.Stream
// and packages axis and axil use. For example, x_data and every other output with prefix x_ belong
// to x_valid, rdata and rresp to rvalid, and bresp to bvalid. The entries of more are added and
// take precedence.
func StreamPayload(ports []Port, more Payload) Payload {
	out := Payload{}
	for _, p := range ports {
		best := ""
		for _, v := range ports {
			stem, ok := strings.CutSuffix(v.Name, "valid")
			if ok && !v.Input && !p.Input && len(stem) > len(best) && strings.HasPrefix(p.Name, stem) && isPayload(p.Name) {
				best = stem
			}
		}
		if best != "" {
			out[p.Name] = best + "valid"
		}
	}
	for name, valid := range more {
		out[name] = valid
	}
	return out
}

func isPayload(name string) bool {
	return !strings.HasSuffix(name, "valid") && !strings.HasSuffix(name, "ready")
}

// masker clears invalid payload in output frames, cycle by cycle.
type masker struct {
	f     *Format
	rules []rule
	was   [][]uint64 // input frames, most recent first
	mask  []uint64
}

// rule is a payload field and its valid condition.
type rule struct {
	out, valid Field
	input      bool
	inverted   bool
	delay      int
	never      bool
}

// delays is the maximum delay of a valid condition in cycles.
const delays = 3

func newMasker(f *Format, p Payload) *masker {
	m := &masker{f: f, mask: make([]uint64, f.OutWords)}
	for range delays + 1 {
		m.was = append(m.was, make([]uint64, f.InWords))
	}
	fields := map[string]rule{}
	for _, x := range f.In {
		fields[f.Ports[x.Port].Name] = rule{valid: x, input: true}
	}
	for _, x := range f.Out {
		fields[f.Ports[x.Port].Name] = rule{valid: x}
	}
	for _, x := range f.Out {
		name, ok := p[f.Ports[x.Port].Name]
		if !ok {
			continue
		}
		wanted, inverted := strings.CutPrefix(name, "!")
		valid := strings.TrimLeft(wanted, "'")
		r, ok := fields[valid]
		if !ok && name != "" {
			panic("sim: payload of " + valid + ", which is not a port")
		}
		r.out, r.delay, r.inverted, r.never = x, len(wanted)-len(valid), inverted, name == ""
		m.rules = append(m.rules, r)
	}
	return m
}

// cycle records the inputs and outputs of a cycle. In each of frames, it clears the payload that
// they mark as invalid.
func (m *masker) cycle(in, out []uint64, frames ...[]uint64) {
	last := m.was[delays]
	copy(m.was[1:], m.was)
	m.was[0] = last
	copy(last, in)
	for i := range m.mask {
		m.mask[i] = ^uint64(0)
	}
	for _, r := range m.rules {
		mask := r.out.Of(m.mask)
		clear(mask)
		if r.never {
			continue
		}
		frame := out
		if r.input {
			frame = m.was[r.delay]
		}
		valid := r.valid.Of(frame)
		lanes := m.f.Ports[r.valid.Port].Type.Bits()
		width := m.f.Ports[r.out.Port].Type.Bits() / lanes
		ones := make([]uint64, ir.Words(width))
		bv.Not(ones, ones, width)
		for k := range lanes {
			if bv.Bit(valid, k) != r.inverted {
				bv.Insert(mask, k*width, ones, width)
			}
		}
	}
	for _, f := range frames {
		bv.And(f, f, m.mask)
	}
}
