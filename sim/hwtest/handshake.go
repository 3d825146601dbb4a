package hwtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// handshake is a Simulator that checks the rules of hw.Stream for the streams that a design sends:
//
//   - x_valid does not change if only x_ready changes;
//   - once x_valid is 1, x_valid and the data stay the same until x_ready is 1, too.
//
// A reset ends the second rule, and so does a bench that breaks it for a stream that it sends. A
// design that marks x_ready as unused requires a bench that is always ready, so it is not checked.
type handshake struct {
	sim.Simulator
	sent, received []*stream // by the design
	reset, broken  bool
}

// newHandshake returns s with checks, or s if the design sends no stream. It omits designs with
// clock ports, because a stream may be in any of their domains.
func newHandshake(d *ir.Design, s sim.Simulator) sim.Simulator {
	if slices.ContainsFunc(d.Top.Ports, d.Top.IsClock) {
		return s
	}
	h := &handshake{Simulator: s}
	for _, valid := range s.Ports() {
		stem, ok := strings.CutSuffix(valid.Name, "valid")
		at := slices.IndexFunc(s.Ports(), func(p sim.Port) bool {
			return p.Name == stem+"ready" && p.Input != valid.Input && p.Type == valid.Type
		})
		switch {
		case !ok || at < 0 || valid.Type.Bits() != 1:
		case !valid.Input && d.Top.Port(stem+"ready").Unused:
		case valid.Input:
			h.received = append(h.received, newStream(s, stem, true))
		default:
			h.sent = append(h.sent, newStream(s, stem, false))
		}
	}
	if len(h.sent) == 0 {
		return s
	}
	return h
}

// SetReset notes whether the next Step is a reset.
func (h *handshake) SetReset(on bool) {
	h.reset = on
	h.Simulator.SetReset(on)
}

// Step checks the cycle before it ends.
func (h *handshake) Step() error {
	for _, x := range h.received {
		h.broken = h.broken || x.changed(h.reset) != nil
	}
	for _, x := range h.sent {
		err := x.changed(h.reset)
		if err == nil || h.broken {
			err = x.depends()
		}
		if err != nil && !h.reset {
			return err
		}
	}
	return h.Simulator.Step()
}

// stream is a stream at the boundary of a design.
type stream struct {
	stem         string
	valid, ready sim.Pin
	data         []sim.Pin
	waits        bool       // valid was 1 without a transfer in the last cycle
	held         [][]uint64 // data of the last cycle
}

// newStream returns the stream whose ports begin with stem.
func newStream(s sim.Simulator, stem string, input bool) *stream {
	x := &stream{stem: stem, valid: sim.Find(s, stem+"valid"), ready: sim.Find(s, stem+"ready")}
	for _, p := range s.Ports() {
		if p.Input == input && stemOf(s.Ports(), p.Name) == stem {
			x.data = append(x.data, sim.Find(s, p.Name))
		}
	}
	x.held = make([][]uint64, len(x.data))
	return x
}

// stemOf returns the longest beginning of a name that a valid port has too, or "". The name of a
// valid port has none.
func stemOf(ports []sim.Port, name string) (stem string) {
	for _, p := range ports {
		if x, ok := strings.CutSuffix(p.Name, "valid"); ok && p.Name != name && len(x) > len(stem) && strings.HasPrefix(name, x) {
			stem = x
		}
	}
	return stem
}

// changed returns an error if valid or the data differ from the last cycle, in which the receiver
// was not ready.
func (x *stream) changed(reset bool) (err error) {
	valid := x.valid.Bool()
	if x.waits && !valid {
		err = fmt.Errorf("%svalid falls without a transfer; it must stay 1 until %sready is 1", x.stem, x.stem)
	}
	for i, p := range x.data {
		now := p.Words()
		if x.waits && err == nil && !slices.Equal(now, x.held[i]) {
			err = fmt.Errorf("the data of %svalid changes from %#x to %#x without a transfer; it must stay the same until %sready is 1", x.stem, x.held[i], now, x.stem)
		}
		x.held[i] = slices.Clone(now)
	}
	x.waits = valid && !x.ready.Bool() && !reset
	return err
}

// depends returns an error if valid changes with ready.
func (x *stream) depends() error {
	ready, valid := x.ready.Bool(), x.valid.Bool()
	x.ready.SetBool(!ready)
	changed := x.valid.Bool()
	x.ready.SetBool(ready)
	if changed != valid {
		return fmt.Errorf("%svalid changes with %sready; valid must not depend on ready", x.stem, x.stem)
	}
	return nil
}
