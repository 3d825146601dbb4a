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

// Receiver is the component at an end of a link.
type Receiver interface {
	// Receive processes a TLP that has arrived on p. The receiver must call [Port.Release] once for
	// the TLP, immediately or when its buffer is free again.
	Receive(p *Port, t *pcie.TLP)
}

// Observer is called for each TLP when its first byte enters the link, including TLPs that are lost
// later. It must not keep or change the TLP, or send TLPs.
type Observer func(dir Direction, at des.Time, t *pcie.TLP)

// Fate is an [Injector]'s decision about a TLP.
type Fate struct {
	Drop bool // it never arrives
	// Overflow simulates a full receiver: the TLP is lost, and the link goes down.
	Overflow bool
	Delay    des.Time    // additional latency; other TLPs may overtake it
	Behind   []*pcie.TLP // sent next, without waiting for credits and without calling the injector
	Cause    string      // description for people; empty if nothing was injected
}

// Injector is called for each TLP before it enters the link. It may change the TLP and decides its
// fate. It injects faults into a simulation.
type Injector func(dir Direction, at des.Time, t *pcie.TLP) Fate

// Witness is called after the injector and before any [Observer], with the original TLP, the
// possibly changed TLP and its fate. It must not keep or change them.
type Witness func(dir Direction, at des.Time, was, is *pcie.TLP, fate Fate)

// Link connects two ports.
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
	dir  Direction // of the TLPs that it sends
	tx   *channel
	rx   *channel
	own  Receiver

	generateECRC, checkECRC bool
}

// Connect connects two receivers with a link; above is on the side of the root complex. It returns
// the port of above and the port of below. Root complexes and switches call it in Attach; other
// users call it for their own receivers.
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

// Send queues a TLP for transmission. The TLP must not be changed afterwards. Unless nil, sent is
// called when the last byte has entered the link, or when the TLP is discarded because the link is
// down.
func (p *Port) Send(t *pcie.TLP, sent func()) {
	p.digest(t)
	p.tx.send(outgoing{tlp: t, sent: sent})
}

// forward queues a TLP that arrived on from. The TLP occupies the buffer of from until it is sent.
func (p *Port) forward(t *pcie.TLP, from *Port) { p.tx.send(outgoing{tlp: t, from: from}) }

// Release releases the buffer of a received TLP and returns its credits to the sender.
func (p *Port) Release(t *pcie.TLP) { p.rx.release(t) }

// Queued returns the number of TLPs that wait for transmission.
func (p *Port) Queued() int { return p.tx.queued }

// Link returns the link of the port.
func (p *Port) Link() *Link { return p.link }

// report reports an error at the port to the port's owner, with the TLP at fault or nil.
func (p *Port) report(e config.Error, t *pcie.TLP) {
	if r, ok := p.own.(interface {
		report(config.Error, *pcie.TLP)
	}); ok {
		r.report(e, t)
	}
}

// Config returns the configuration of the link.
func (l *Link) Config() Config { return l.cfg }

// Stats returns the counters of one direction.
func (l *Link) Stats(dir Direction) Stats { return l.ports[dir].tx.stats }

// Observe adds an observer.
func (l *Link) Observe(o Observer) { l.observers = append(l.observers, o) }

// Transit returns the time from the first byte of a TLP on the link to its arrival, without
// queueing or injected delay.
func (l *Link) Transit(dir Direction, t *pcie.TLP) des.Time {
	c := l.ports[dir].tx
	return des.Time(uint64(t.WireLen())*c.perByte>>32) + c.latency
}

// Inject sets the injector; nil removes it.
func (l *Link) Inject(f Injector) { l.inject = f }

// Disturb permanently adds noise to both directions of the link. From then on, the data link layer
// runs and ensures that TLPs are delivered. It must be called while nothing is on the link.
func (l *Link) Disturb(n Noise) {
	l.noise = n
	down, up := l.ports[Down].tx, l.ports[Up].tx
	down.line, up.line = newLine(down, up), newLine(up, down)
}

// LineStats returns the data link layer's counters of one direction. Without noise, they are all
// zero.
func (l *Link) LineStats(dir Direction) LineStats {
	if c := l.ports[dir].tx; c.line != nil {
		return c.line.stats
	}
	return LineStats{}
}

// WitnessFaults sets the witness of injected faults.
func (l *Link) WitnessFaults(w Witness) { l.witness = w }

// decide returns the fate of a TLP.
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

// Up reports whether the link is up.
func (l *Link) Up() bool { return l.up }

// SetUp takes the link down or up. When it goes down, all TLPs queued or in flight are lost. When
// it comes up, all credits are initialised. A root complex completes reads of devices behind a link
// that is down with UR.
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

// Stats counts the traffic in one direction of a link.
type Stats struct {
	TLPs         uint64
	Kinds        [10]uint64 // TLPs by pcie.Kind
	WireBytes    uint64     // with headers and framing
	PayloadBytes uint64     // Data only
	Busy         des.Time   // time in which bytes were on the link
	Dropped      uint64     // by the injector, because the link was down, or because of a wrong digest
	BadDigests   uint64     // TLPs with a wrong digest, at a receiver that checks digests
}
