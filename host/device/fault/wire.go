package fault

import (
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// wire is an active rule for packets below the data link layer.
type wire struct {
	*active
	seen  int    // packets that the rule applied to
	gap   int    // number of good bits before the next bit error
	until uint64 // link counter value that ends a lasting fault
}

func newWire(a *active) *wire {
	w := &wire{active: a}
	w.gap = w.next()
	return w
}

// next samples the number of good bits before the next bit error.
func (w *wire) next() int {
	if w.Probability == 1 {
		return 0
	}
	return int(min(math.MaxInt32, math.Log(1-w.rng.Float64())/math.Log1p(-w.Probability)))
}

// disturb implements the wire rules of the plan as noise on the link.
func (x *Injection) disturb(dir link.Direction, at des.Time, p link.Packet) link.Damage {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	var d link.Damage
	for _, w := range x.wires {
		if w.Place == wireOf(dir) && w.hits(p, at, x.target.Link) {
			x.note(Event{Kind: w.Kind, Place: w.Place, N: w.seen, At: at, TLP: name(p)})
			w.spoil(&d, p)
		} else if w.lasts(dir, p, x.target.Link) {
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

// name returns the name of a packet in the log.
func name(p link.Packet) string {
	switch {
	case p.TLP != nil:
		return p.TLP.String()
	case p.NAK:
		return "NAK"
	}
	return "ACK"
}

// fits reports whether the rule applies to packets of this type.
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

// hits reports whether the rule strikes a packet.
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

// end returns the counter value at which a lasting fault ends, or 0 if the fault does not last.
func (w *wire) end(l *link.Link) uint64 {
	if w.Kind == ReplayTimeout || w.Kind == ReplayRollover {
		return w.counter(l) + 1
	}
	return 0
}

// counter returns the link counter that a lasting fault waits for. Acknowledgements on one wire
// belong to the TLPs on the other wire.
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

// lasts reports whether a lasting fault also loses this packet.
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

// spoil applies the fault.
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
