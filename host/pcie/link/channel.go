package link

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// channel is one direction of a link: a queue per flow-control class, the serialiser, and the
// credits of the receiver.
type channel struct {
	k    *des.Kernel
	link *Link
	dir  Direction
	to   *Port // the receiving port

	queues [pcie.Classes]des.FIFO[outgoing]
	queued int
	order  uint64
	retry  *des.Timer // fires when the serialiser is free or credits return

	perByte uint64   // picoseconds per byte, fixed point with 32 fractional bits
	frac    uint64   // accumulated rounding error of end times
	freeAt  des.Time // end of the latest transmission

	latency des.Time
	line    *line // nil on a link without noise
	flight  *des.Lane[arrival]
	sent    *des.Lane[func()]

	advertised [pcie.Classes]credit
	available  [pcie.Classes]credit
	returns    des.FIFO[creditReturn]
	returnTime des.Time

	stats Stats
}

// outgoing is a TLP that waits for transmission.
type outgoing struct {
	tlp   *pcie.TLP
	order uint64 // order of arrival in the queues
	from  *Port  // port whose buffer it occupies, if forwarded
	sent  func()
}

// arrival is a TLP in flight, which the data link layer delivers to the other end.
type arrival struct {
	tlp      *pcie.TLP
	epoch    int
	lost     bool // dropped by an injector
	overflow bool // injected buffer overflow
	delay    des.Time
}

// credit is a number of header and data credits. Infinite credits are never counted.
type credit struct {
	header, data       int
	infHeader, infData bool
}

type creditReturn struct {
	at    des.Time
	class pcie.Class
	data  int
}

func newChannel(k *des.Kernel, l *Link, dir Direction, latency, returnTime des.Time, c Credits) *channel {
	ps, bytes := pcie.Gen(l.cfg.Generation).ByteTime(l.cfg.Lanes)
	ch := &channel{
		k: k, link: l, dir: dir, latency: latency, returnTime: returnTime,
		perByte: uint64(math.Round(float64(ps) / float64(bytes) / l.cfg.TLPShare * (1 << 32))),
	}
	for class, n := range [pcie.Classes][2]int{{c.PH, c.PD}, {c.NPH, c.NPD}, {c.CPLH, c.CPLD}} {
		ch.advertised[class] = credit{n[0], n[1], n[0] == 0, n[1] == 0}
	}
	ch.initCredits()
	ch.retry = k.NewTimer(ch.pump)
	ch.flight = des.NewLane(k, ch.arrive)
	ch.sent = des.NewLane(k, func(sent func()) { sent() })
	return ch
}

func (c *channel) initCredits() {
	c.available = c.advertised
	c.returns = des.FIFO[creditReturn]{}
}

func (c *channel) send(o outgoing) {
	if !c.link.up {
		c.lose(o)
		return
	}
	c.order++
	o.order = c.order
	if c.queued == 0 && c.k.Now() >= c.freeAt { // the common case: no choice between queues
		c.collectCredits()
		if c.available[o.tlp.Class()].covers(o.tlp) && c.line.ready(o.tlp) {
			c.transmit(o)
			return
		}
	}
	c.queues[o.tlp.Class()].Push(o)
	c.queued++
	c.pump()
}

// pump transmits all TLPs that may be sent. If TLPs remain, it schedules another call.
func (c *channel) pump() {
	for c.queued > 0 || c.line.replaying() {
		if c.k.Now() < c.freeAt {
			c.retry.Set(c.freeAt)
			return
		}
		if c.line.replaying() {
			c.line.sendAgain()
			continue
		}
		c.collectCredits()
		class := c.choose()
		if class == pcie.Classes {
			if c.returns.Len() > 0 {
				c.retry.Set(c.returns.Peek().at)
			}
			return
		}
		if !c.line.ready((*c.queues[class].Peek()).tlp) {
			return // until an acknowledgement arrives
		}
		c.queued--
		c.transmit(c.queues[class].Pop())
	}
}

// choose returns the class whose head is transmitted next. It is the oldest head that has credits
// and may pass all older TLPs (2.4.1). The result is pcie.Classes if there is none.
func (c *channel) choose() pcie.Class {
	best, oldest := pcie.Classes, uint64(math.MaxUint64)
	for class := range c.queues {
		q := &c.queues[class]
		if q.Len() == 0 {
			continue
		}
		o := q.Peek()
		if o.order < oldest && c.available[class].covers(o.tlp) && c.mayGo(o) {
			best, oldest = pcie.Class(class), o.order
		}
	}
	return best
}

// mayGo reports whether the head of a queue may pass all older TLPs in other queues. Only posted
// requests block other classes.
func (c *channel) mayGo(o *outgoing) bool {
	writes := &c.queues[pcie.Posted]
	for i := range writes.Len() {
		w := writes.At(i)
		if w.order >= o.order {
			break
		}
		if pcie.MayPass(o.tlp, w.tlp) == pcie.MustNot {
			return false
		}
	}
	return true
}

func (c *channel) transmit(o outgoing) {
	now, t := c.k.Now(), o.tlp
	fate := c.link.decide(c.dir, now, t)
	c.launch(now, t, fate)
	if o.from != nil {
		o.from.Release(t)
	}
	if o.sent != nil {
		c.sent.At(c.freeAt, o.sent)
	}
	for _, t := range fate.Behind {
		c.launch(max(now, c.freeAt), t, Fate{})
	}
}

// launch puts a TLP on the link, which must be idle at that time.
func (c *channel) launch(at des.Time, t *pcie.TLP, fate Fate) {
	for _, observe := range c.link.observers {
		observe(c.dir, at, t)
	}
	c.available[t.Class()].take(t)
	c.occupy(at, t.WireLen())
	s := &c.stats
	s.TLPs++
	s.Kinds[t.Kind]++
	s.PayloadBytes += uint64(len(t.Data))
	a := arrival{tlp: t, epoch: c.link.epoch, lost: fate.Drop, overflow: fate.Overflow, delay: max(0, fate.Delay)}
	if c.line != nil {
		c.line.send(at, a)
		return
	}
	c.flight.At(c.freeAt+c.latency+a.delay, a)
}

// occupy reserves the serialiser for wire bytes. Back-to-back transmissions end at exact multiples
// of the byte time, rounded down.
func (c *channel) occupy(now des.Time, wire int) {
	if now > c.freeAt {
		c.frac = 0
	}
	exact := uint64(wire)*c.perByte + c.frac
	c.frac = exact & (1<<32 - 1)
	d := des.Time(exact >> 32)
	c.freeAt = now + d
	c.stats.WireBytes += uint64(wire)
	c.stats.Busy += d
}

// arrive passes a TLP to the receiver, unless it was lost.
func (c *channel) arrive(a arrival) {
	if a.epoch != c.link.epoch {
		c.stats.Dropped++
		return // its credits were reset with the link
	}
	if a.overflow {
		c.stats.Dropped++
		c.to.report(config.ReceiverOverflow, a.tlp)
		c.link.SetUp(false)
		return
	}
	bad := c.to.badDigest(a.tlp)
	if bad {
		c.stats.BadDigests++
		c.to.report(config.ECRCError, a.tlp)
	}
	if a.lost || bad && !c.to.passes(a.tlp) {
		c.stats.Dropped++
		c.release(a.tlp)
		return
	}
	c.to.own.Receive(c.to, a.tlp)
}

// discard drops all queued TLPs.
func (c *channel) discard() {
	for class := range c.queues {
		for q := &c.queues[class]; q.Len() > 0; {
			c.lose(q.Pop())
		}
	}
	c.queued = 0
	c.retry.Stop()
	c.line.reset()
}

func (c *channel) lose(o outgoing) {
	c.stats.Dropped++
	if o.from != nil {
		o.from.Release(o.tlp)
	}
	if o.sent != nil {
		c.k.After(0, o.sent)
	}
}

// state returns the channel's line in a deadlock report.
func (c *channel) state() string {
	if c.queued == 0 {
		return ""
	}
	s := fmt.Sprintf("%d TLPs wait for credits:", c.queued)
	for class := range c.queues {
		if q := &c.queues[class]; q.Len() > 0 {
			have := &c.available[class]
			s += fmt.Sprintf(" %v (%d, credits %d header %d data),", pcie.Class(class), q.Len(), have.header, have.data)
		}
	}
	return s[:len(s)-1]
}
