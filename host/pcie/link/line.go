package link

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/dll"
)

// line is the data link layer of a direction: it numbers TLPs, keeps them until they
// are acknowledged, and sends them again when they are not. A link without noise has
// none, as all that it would do is taken into account otherwise: acknowledgements by
// [Config.TLPShare], and nothing is ever sent twice.
type line struct {
	ch   *channel // of the TLPs
	back *channel // of their acknowledgements

	tx     dll.Transmitter[arrival]
	rx     dll.Receiver
	frames *des.Lane[frame]
	acks   *des.Lane[ack]
	expiry *des.Timer // REPLAY_TIMER
	due    *des.Timer // of the next ACK

	patience   des.Time // of the replay timer
	ackLatency des.Time
	buffer     int // bytes that may be without acknowledgement
	trained    int // times without progress
	stats      LineStats
}

// LineStats counts what the data link layer of one direction has met.
type LineStats struct {
	Replays   uint64 // TLPs that were sent again
	BadTLPs   uint64 // that arrived damaged, or with a number too high
	BadDLLPs  uint64 // acknowledgements of them that arrived damaged
	NAKs      uint64 // sent
	Timeouts  uint64 // of the replay timer
	Trainings uint64 // of the link, as nothing came through
}

// How a link is trained again: how long it takes, an assumption, and after how often
// without progress the link goes down.
const (
	trainingTime = 4 * des.Microsecond
	maxTrainings = 4
)

// frame is a TLP under way, with its number and what the wire has done to it.
type frame struct {
	arrival
	seq   uint16
	flips []int
}

// ack is an acknowledgement under way.
type ack struct {
	packet [6]byte
	flips  []int
	epoch  int
}

// newLine makes the layer for a channel. Its buffer holds what a round trip takes,
// with the wait for the acknowledgement, twice.
func newLine(ch, back *channel) *line {
	gen, lanes := pcie.Gen(ch.link.cfg.Generation), ch.link.cfg.Lanes
	l := &line{ch: ch, back: back, ackLatency: des.Time(gen.AckLatency(lanes))}
	trip := ch.latency + ch.returnTime + l.ackLatency
	l.patience = 3 * trip
	ps, bytes := gen.ByteTime(lanes)
	l.buffer = int(2*int64(trip)*bytes/ps) + pcie.Boundary
	l.frames = des.NewLane(ch.k, l.arrive)
	l.acks = des.NewLane(ch.k, l.acknowledged)
	l.expiry = ch.k.NewTimer(l.expired)
	l.due = ch.k.NewTimer(func() { l.acknowledge(false) })
	return l
}

// ready reports whether t may be sent for the first time.
func (l *line) ready(t *pcie.TLP) bool {
	return l == nil || !l.tx.Replaying() && l.tx.Room(t.WireLen(), l.buffer)
}

// replaying reports whether something has to be sent again first.
func (l *line) replaying() bool { return l != nil && l.tx.Replaying() }

// reset forgets all, as a link that goes down does (3.2.1).
func (l *line) reset() {
	if l == nil {
		return
	}
	l.tx, l.rx, l.trained = dll.Transmitter[arrival]{}, dll.Receiver{}, 0
	l.expiry.Stop()
	l.due.Stop()
}

// send sends a TLP for the first time; the serialiser is booked for it from at on.
func (l *line) send(at des.Time, a arrival) {
	l.put(at, Packet{TLP: a.tlp, Seq: l.tx.Add(a, a.tlp.WireLen())}, a)
	if !l.expiry.Armed() {
		l.expiry.Set(l.ch.freeAt + l.patience)
	}
}

// sendAgain sends the next TLP of a replay.
func (l *line) sendAgain() {
	a, seq := l.tx.Again()
	at := l.ch.k.Now()
	l.ch.occupy(at, a.tlp.WireLen())
	l.stats.Replays++
	l.expiry.Set(l.ch.freeAt + l.patience)
	l.put(at, Packet{TLP: a.tlp, Seq: seq, Again: true}, a)
}

// put puts a TLP on the wire, which may do something to it.
func (l *line) put(at des.Time, p Packet, a arrival) {
	d := l.ch.link.noise(l.ch.dir, at, p)
	for range d.copies() {
		l.frames.At(l.ch.freeAt+l.ch.latency, frame{arrival: a, seq: p.Seq, flips: d.Flips})
	}
}

// arrive takes what comes from the wire.
func (l *line) arrive(f frame) {
	if f.epoch != l.ch.link.epoch {
		l.ch.stats.Dropped++
		return // its credits went with the link
	}
	if inFraming(f.flips) {
		l.stats.BadTLPs++
		l.ch.to.report(config.ReceiverError, nil)
		return
	}
	seq, good := f.check()
	verdict := l.rx.Take(seq, good)
	if !good || verdict == dll.Refuse {
		l.stats.BadTLPs++
		l.ch.to.report(config.BadTLP, nil)
	}
	switch verdict {
	case dll.Deliver:
		if !l.due.Armed() {
			l.due.Set(l.ch.k.Now() + l.ackLatency)
		}
		l.deliver(f.arrival)
	case dll.Duplicate:
		l.acknowledge(false)
	case dll.Refuse:
		l.acknowledge(true)
	}
}

// deliver hands a TLP to the layer above, late if an injector says so.
func (l *line) deliver(a arrival) {
	if a.delay > 0 {
		l.ch.flight.At(l.ch.k.Now()+a.delay, a)
		return
	}
	l.ch.arrive(a)
}

// acknowledge sends an ACK or a NAK. The time of ACKs is part of [Config.TLPShare]; a
// NAK takes its own, behind the TLP that is just being sent.
func (l *line) acknowledge(nak bool) {
	l.due.Stop()
	at := l.ch.k.Now()
	if nak {
		l.stats.NAKs++
		at = max(at, l.back.freeAt)
		l.back.occupy(at, dll.PacketBytes)
		at = l.back.freeAt
	}
	d := l.ch.link.noise(l.back.dir, at, Packet{Seq: l.rx.Last(), NAK: nak})
	for range d.copies() {
		l.acks.At(at+l.ch.returnTime, ack{dll.Acknowledgement(l.rx.Last(), nak), d.Flips, l.ch.link.epoch})
	}
}

// acknowledged takes an ACK or NAK that has come back.
func (l *line) acknowledged(a ack) {
	if a.epoch != l.ch.link.epoch {
		return
	}
	sender := l.ch.link.ports[l.ch.dir]
	seq, nak, ok := a.check()
	if !ok {
		l.stats.BadDLLPs++
		sender.report(config.BadDLLP, nil)
		return
	}
	progress, err := l.tx.Ack(seq)
	if err != nil {
		sender.report(config.DataLinkProtocol, nil)
		return
	}
	if progress {
		l.trained = 0
		l.expiry.Set(l.ch.k.Now() + l.patience)
	}
	if l.tx.Kept() == 0 {
		l.expiry.Stop()
	} else if nak {
		l.replay()
	}
	l.ch.pump()
}

// expired is the end of the replay timer: no acknowledgement has come for too long.
func (l *line) expired() {
	l.stats.Timeouts++
	l.replay()
	l.ch.pump()
	l.ch.link.ports[l.ch.dir].report(config.ReplayTimerTimeout, nil) // behind what goes again
}

// replay lets all go out again that is not acknowledged. When that has been tried too
// often the link is trained before, and at last goes down.
func (l *line) replay() {
	l.expiry.Set(max(l.ch.k.Now(), l.ch.freeAt) + l.patience)
	if !l.tx.Replay() {
		return
	}
	l.ch.link.ports[l.ch.dir].report(config.ReplayRollover, nil)
	if l.trained++; l.trained > maxTrainings {
		l.ch.link.SetUp(false)
		return
	}
	l.stats.Trainings++
	for _, c := range []*channel{l.ch, l.back} {
		c.freeAt = max(c.freeAt, l.ch.k.Now()) + trainingTime
	}
	l.expiry.Set(l.ch.freeAt + l.patience)
}
