package link

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// Direction is a direction on a link.
type Direction uint8

// Down is away from the root complex, Up towards it.
const (
	Down Direction = iota
	Up
)

func (d Direction) String() string {
	if d == Down {
		return "down"
	}
	return "up"
}

// Receiver is what sits at an end of a link.
type Receiver interface {
	// Receive takes a TLP that has arrived on p. The receiver calls
	// [Port.Release] once for it, now or when its buffer is free again.
	Receive(p *Port, t *pcie.TLP)
}

// Observer sees each TLP when its first byte goes on the link, also those that
// are lost on the way. It must not keep or change the TLP, nor send.
type Observer func(dir Direction, at des.Time, t *pcie.TLP)

// Fate is what an [Injector] decides about a TLP.
type Fate struct {
	Drop bool // it never arrives
	// Overflow is that the receiver has no room for it: it is lost, and the link goes down.
	Overflow bool
	Delay    des.Time    // it arrives so much later; others may then overtake it
	Behind   []*pcie.TLP // go on the link next, without waiting for credits; no injector sees them
	Cause    string      // for people; empty if nothing was done
}

// Injector sees each TLP before it goes on the link, may change it, and decides
// its fate. It is how faults get into a simulation.
type Injector func(dir Direction, at des.Time, t *pcie.TLP) Fate

// Witness sees what the injector has done to a TLP, before any [Observer] sees the
// TLP: as it was, as it goes on the link, and its fate. It must not keep or change
// them.
type Witness func(dir Direction, at des.Time, was, is *pcie.TLP, fate Fate)

// Link joins two ports.
type Link struct {
	cfg       Config
	ports     [2]*Port // sending Down, sending Up
	observers []Observer
	inject    Injector
	noise     Noise
	witness   Witness
	up        bool
	epoch     int // counts the times the link went down
}

// Port is one end of a link.
type Port struct {
	link *Link
	dir  Direction // of what it sends
	tx   *channel
	rx   *channel
	own  Receiver

	generateECRC, checkECRC bool
}

// Connect joins above, on the side of the root complex, and below, with a link.
// The first port is the one of above. Root complexes and switches do this in
// Attach; Connect is for receivers of one's own.
func Connect(k *des.Kernel, cfg Config, above, below Receiver) (*Port, *Port, error) {
	if err := cfg.Check(); err != nil {
		return nil, nil, err
	}
	l := &Link{cfg: cfg, up: true}
	down := newChannel(k, l, Down, cfg.LatencyDown, cfg.LatencyUp, cfg.DownCredits)
	up := newChannel(k, l, Up, cfg.LatencyUp, cfg.LatencyDown, cfg.UpCredits)
	l.ports[Down] = &Port{link: l, dir: Down, tx: down, rx: up, own: above}
	l.ports[Up] = &Port{link: l, dir: Up, tx: up, rx: down, own: below}
	down.to, up.to = l.ports[Up], l.ports[Down]
	for _, c := range []*channel{down, up} {
		k.Watch(fmt.Sprintf("link %s %v", cfg.Name, c.dir), c.state)
	}
	return l.ports[Down], l.ports[Up], nil
}

// Send queues a TLP for transmission. It must not be changed any more. sent,
// unless nil, is called when the last byte has gone on the link, or when the
// link is down and the TLP is discarded.
func (p *Port) Send(t *pcie.TLP, sent func()) {
	p.digest(t)
	p.tx.send(outgoing{tlp: t, sent: sent})
}

// forward is Send for a TLP that came in on from, whose buffer it occupies until
// it leaves.
func (p *Port) forward(t *pcie.TLP, from *Port) { p.tx.send(outgoing{tlp: t, from: from}) }

// Release gives back the buffer of a received TLP: its credits return to the
// sender.
func (p *Port) Release(t *pcie.TLP) { p.rx.release(t) }

// Queued is the number of TLPs that wait for transmission.
func (p *Port) Queued() int { return p.tx.queued }

// Link is the link that the port belongs to.
func (p *Port) Link() *Link { return p.link }

// report tells what owns the port of an error there, with the TLP at fault or nil.
func (p *Port) report(e config.Error, t *pcie.TLP) {
	if r, ok := p.own.(interface {
		report(config.Error, *pcie.TLP)
	}); ok {
		r.report(e, t)
	}
}

// Config is the configuration of the link.
func (l *Link) Config() Config { return l.cfg }

// Stats are the counters of one direction.
func (l *Link) Stats(dir Direction) Stats { return l.ports[dir].tx.stats }

// Observe adds an observer.
func (l *Link) Observe(o Observer) { l.observers = append(l.observers, o) }

// Transit returns the time from the first byte of a TLP on the link to its arrival, if
// nothing delays it on the way.
func (l *Link) Transit(dir Direction, t *pcie.TLP) des.Time {
	c := l.ports[dir].tx
	return des.Time(uint64(t.WireLen())*c.perByte>>32) + c.latency
}

// Inject sets the injector, or removes it with nil.
func (l *Link) Inject(f Injector) { l.inject = f }

// Disturb lets noise at the wires of the link, in both directions, for good: from now
// on the data link layer sees to it that TLPs come through all the same. It happens
// while nothing is on the link.
func (l *Link) Disturb(n Noise) {
	l.noise = n
	down, up := l.ports[Down].tx, l.ports[Up].tx
	down.line, up.line = newLine(down, up), newLine(up, down)
}

// LineStats are what the data link layer has met in one direction, all zero without
// noise.
func (l *Link) LineStats(dir Direction) LineStats {
	if c := l.ports[dir].tx; c.line != nil {
		return c.line.stats
	}
	return LineStats{}
}

// WitnessFaults sets the witness of what injectors do.
func (l *Link) WitnessFaults(w Witness) { l.witness = w }

// decide gives the fate of a TLP.
func (l *Link) decide(dir Direction, at des.Time, t *pcie.TLP) Fate {
	if l.inject == nil {
		return Fate{}
	}
	if l.witness == nil {
		return l.inject(dir, at, t)
	}
	was := *t
	was.Data = slices.Clone(t.Data)
	fate := l.inject(dir, at, t)
	l.witness(dir, at, &was, t, fate)
	return fate
}

// Up reports whether the link carries TLPs.
func (l *Link) Up() bool { return l.up }

// SetUp takes the link down or up again. What is queued or under way when it
// goes down is lost; when it comes up, all credits are fresh. A root complex
// answers reads of what is behind a link that is down with UR.
func (l *Link) SetUp(up bool) {
	if up == l.up {
		return
	}
	l.up = up
	if up {
		for _, p := range l.ports {
			p.tx.initCredits()
		}
		for _, p := range l.ports {
			if r, ok := p.own.(interface{ linkUp(*Port) }); ok {
				r.linkUp(p)
			}
		}
		return
	}
	l.epoch++
	for _, p := range l.ports {
		p.tx.discard()
	}
	for _, p := range l.ports {
		if r, ok := p.own.(interface{ linkDown(*Port) }); ok {
			r.linkDown(p)
		}
	}
}

// Stats counts what one direction of a link has carried.
type Stats struct {
	TLPs         uint64
	Kinds        [10]uint64 // TLPs by pcie.Kind
	WireBytes    uint64     // with headers and framing
	PayloadBytes uint64     // Data only
	Busy         des.Time   // time in which bytes were on the link
	Dropped      uint64     // by the injector, a link that is down, or a bad digest
	BadDigests   uint64     // TLPs with a wrong digest that the receiver has checked
}
