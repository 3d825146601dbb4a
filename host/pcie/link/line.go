package link

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/dll"
)

// line is the data link layer of a direction. It numbers TLPs, keeps them until they are
// acknowledged, and replays them if necessary. A link without noise has no line: [Config.TLPShare]
// models the cost of acknowledgements, and nothing is ever replayed.
type line struct {
	ch   *channel // of the TLPs
	back *channel // of their acknowledgements

	tx     dll.Transmitter[arrival]
	rx     dll.Receiver
	frames *des.Lane[frame]
	acks   *des.Lane[ack]
	expiry *des.Timer // REPLAY_TIMER
	due    *des.Timer // time of the next ACK

	patience   des.Time // duration of the replay timer
	ackLatency des.Time
	buffer     int // limit of unacknowledged bytes
	trained    int // number of retrainings without progress
	stats      LineStats
}

// LineStats counts the events of the data link layer in one direction.
type LineStats struct {
	Replays   uint64 // TLPs sent again
	BadTLPs   uint64 // TLPs received damaged, or with a sequence number too high
	BadDLLPs  uint64 // acknowledgements of them received damaged
	NAKs      uint64 // NAKs sent
	Timeouts  uint64 // expirations of the replay timer
	Trainings uint64 // retrainings of the link, after replays without progress
}

// The duration of a retraining, an assumption, and the number of retrainings without progress after
// which the link goes down.
const (
	trainingTime = 4 * des.Microsecond
	maxTrainings = 4
)

// frame is a TLP in flight, with its sequence number and its bit errors.
type frame struct {
	arrival
	seq   uint16
	flips []int
}

// ack is an acknowledgement in flight.
type ack struct {
	packet [6]byte
	flips  []int
	epoch  int
}

// newLine returns the data link layer of a channel. The capacity of its buffer is twice the data of
// a round trip, including the delay of the acknowledgement.
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

// replaying reports whether replays must be sent first.
func (l *line) replaying() bool { return l != nil && l.tx.Replaying() }

// reset discards all state, because the link went down (3.2.1).
func (l *line) reset() {
	if l == nil {
		return
	}
	l.tx, l.rx, l.trained = dll.Transmitter[arrival]{}, dll.Receiver{}, 0
	l.expiry.Stop()
	l.due.Stop()
}

// send sends a TLP for the first time, starting at time at. The serialiser is already reserved.
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

// put puts a TLP on the wire, which may damage, lose or duplicate it.
func (l *line) put(at des.Time, p Packet, a arrival) {
	d := l.ch.link.noise(l.ch.dir, at, p)
	for range d.copies() {
		l.frames.At(l.ch.freeAt+l.ch.latency, frame{arrival: a, seq: p.Seq, flips: d.Flips})
	}
}

// arrive receives a frame from the wire.
func (l *line) arrive(f frame) {
	if f.epoch != l.ch.link.epoch {
		l.ch.stats.Dropped++
		return // its credits were reset with the link
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

// deliver passes a TLP to the layer above, after a delay if one was injected.
func (l *line) deliver(a arrival) {
	if a.delay > 0 {
		l.ch.flight.At(l.ch.k.Now()+a.delay, a)
		return
	}
	l.ch.arrive(a)
}

// acknowledge sends an ACK or a NAK. [Config.TLPShare] includes the time of ACKs. A NAK is sent
// after the current TLP and occupies the link.
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

// acknowledged processes a received ACK or NAK.
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

// expired handles the expiration of the replay timer: no acknowledgement arrived in time.
func (l *line) expired() {
	l.stats.Timeouts++
	l.replay()
	l.ch.pump()
	l.ch.link.ports[l.ch.dir].report(config.ReplayTimerTimeout, nil) // after the replay
}

// replay schedules a replay of all unacknowledged TLPs. After too many replays, it retrains the
// link first, and eventually takes the link down.
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
