package fault

import (
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// wire is a rule for what the wires carry, below the data link layer.
type wire struct {
	active
	seen  int    // packets that it could have happened to
	gap   int    // bits until the next wrong one
	until uint64 // counter of the link at which a fault that lasts ends
}

func newWire(a active) *wire {
	w := &wire{active: a}
	w.gap = w.next()
	return w
}

// next draws the number of good bits before the next wrong one.
func (w *wire) next() int {
	if w.Probability == 1 {
		return 0
	}
	return int(min(math.MaxInt32, math.Log(1-w.rng.Float64())/math.Log1p(-w.Probability)))
}

// disturb is the noise of a plan.
func (x *Injection) disturb(dir link.Direction, at des.Time, p link.Packet) link.Damage {
	var d link.Damage
	for _, w := range x.wires {
		if w.Place == wireOf(dir) && w.hits(p, at, x.link) {
			x.note(Event{Kind: w.Kind, Place: w.Place, N: w.seen, At: at, TLP: name(p)})
			w.spoil(&d, p)
		} else if w.lasts(dir, p, x.link) {
			d.Lost = true
		}
	}
	return d
}

func wireOf(dir link.Direction) Place {
	if dir == link.Down {
		return WireDown
	}
	return WireUp
}

// name is how a packet stands in the log.
func name(p link.Packet) string {
	switch {
	case p.TLP != nil:
		return p.TLP.String()
	case p.NAK:
		return "NAK"
	}
	return "ACK"
}

// fits reports whether the rule is about packets like this.
func (w *wire) fits(p link.Packet) bool {
	switch w.Kind {
	case LostTLP, RepeatedTLP, ReplayRollover:
		return p.TLP != nil
	case LostACK:
		return p.TLP == nil && !p.NAK
	case LostNAK:
		return p.NAK
	case ReplayTimeout:
		return p.TLP == nil
	}
	return true
}

// hits reports whether the rule happens to a packet.
func (w *wire) hits(p link.Packet, at des.Time, l *link.Link) bool {
	if !w.fits(p) || w.until > 0 {
		return false
	}
	w.seen++
	if w.seen < w.Nth || at < w.After || w.Times > 0 && w.happened == w.Times {
		return false
	}
	if w.Kind == BitError {
		if w.gap >= p.Bits() {
			w.gap -= p.Bits()
			return false
		}
	} else if w.Probability < 1 && w.rng.Float64() >= w.Probability {
		return false
	}
	w.happened++
	w.until = w.end(l)
	return true
}

// end is the counter at which a fault that lasts ends, 0 for others.
func (w *wire) end(l *link.Link) uint64 {
	if w.Kind == ReplayTimeout || w.Kind == ReplayRollover {
		return w.counter(l) + 1
	}
	return 0
}

// counter is what a fault that lasts waits for. Acknowledgements on a wire are those of
// the TLPs on the other one.
func (w *wire) counter(l *link.Link) uint64 {
	tlps := link.Down
	if w.Place == WireUp {
		tlps = link.Up
	}
	if w.Kind == ReplayRollover {
		return l.LineStats(tlps).Trainings
	}
	return l.LineStats(1 - tlps).Timeouts
}

// lasts reports whether a fault that has begun takes this packet too.
func (w *wire) lasts(dir link.Direction, p link.Packet, l *link.Link) bool {
	if w.until == 0 || w.Place != wireOf(dir) {
		return false
	}
	if w.counter(l) >= w.until {
		w.until = 0
		return false
	}
	return w.fits(p)
}

// spoil does the fault.
func (w *wire) spoil(d *link.Damage, p link.Packet) {
	switch w.Kind {
	case BitError:
		for w.Probability < 1 && w.gap < p.Bits() {
			d.Flips = append(d.Flips, w.gap)
			w.gap += 1 + w.next()
		}
		if w.Probability == 1 {
			d.Flips = append(d.Flips, w.rng.IntN(p.Bits()))
			return
		}
		w.gap -= p.Bits()
	case RepeatedTLP:
		d.Twice = true
	default:
		d.Lost = true
	}
}
