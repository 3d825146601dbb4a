package cycle

import (
	"encoding/binary"
	"fmt"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// axi is DMA by an AXI4 master. Read data and write responses return in the order of the requests,
// which AXI4 permits for any IDs.
type axi struct {
	reads  axiReads
	writes axiWrites
}

// mostBursts is the maximum number of open bursts of a direction.
const mostBursts = 32

// Responses of AXI4 (A3.4.4).
const (
	respOkay   = 0
	respSlave  = 2
	respDecode = 3
)

// response returns the response to a burst that ended with a DMA error.
func response(e link.Error) uint64 {
	switch e {
	case 0:
		return respOkay
	case link.UnsupportedRequest:
		return respDecode
	}
	return respSlave
}

// burst is a burst of beats, which have the size of the bus and increasing addresses.
type burst struct {
	id    uint64 // of the design
	addr  uint64
	beats int
}

// address is an address channel.
type address struct {
	addr, id, len, size, kind, valid, ready sim.Wire
}

func newAddress(w *sim.Wires, channel string) address {
	pin := func(name string) sim.Wire { return w.Find("m_axi_" + channel + name) }
	return address{pin("addr"), pin("id"), pin("len"), pin("size"), pin("burst"), pin("valid"), pin("ready")}
}

// kindIncreasing is the burst type INCR (A3.4.1).
const kindIncreasing = 1

// take returns the burst that the design offers. It stops the card if the burst is of a kind that
// is not supported.
func (a *address) take(c *Card, beatBytes int) burst {
	b := burst{id: a.id.Get(), addr: a.addr.Get(), beats: int(a.len.Get()) + 1}
	if size := 1 << a.size.Get(); size != beatBytes {
		c.fail("a burst at %#x has beats of %d bytes; expected %d, the width of the bus", b.addr, size, beatBytes)
	}
	if kind := a.kind.Get(); kind != kindIncreasing && b.beats > 1 {
		c.fail("a burst at %#x is of type %d; expected INCR (%d)", b.addr, kind, kindIncreasing)
	}
	return b
}

func (x *axi) busy() bool { return x.reads.busy() || x.writes.busy() }

func (x *axi) present() {
	x.reads.present()
	x.writes.present()
}

func (x *axi) sample(c *Card) {
	x.reads.sample(c)
	x.writes.sample(c)
}

func (x *axi) forget() {
	x.reads.forget()
	x.writes.forget()
}

func (x *axi) state() string {
	if r, w := x.reads.open.len(), x.writes.open.len(); r > 0 || w > 0 {
		return fmt.Sprintf("%d read and %d write bursts open", r, w)
	}
	return ""
}

func (x *axi) readData(id uint32, data []byte)   { x.reads.take(id, data) }
func (x *axi) readDone(id uint32, e link.Error)  { x.reads.done(id, e) }
func (x *axi) writeDone(id uint32, e link.Error) { x.writes.done(id, e) }

// axiReads serves the read channels. Bursts have consecutive numbers, which identify their
// descriptors.
type axiReads struct {
	ar                   address
	data, id, resp, last sim.Wire
	valid, ready         sim.Wire
	beatBytes            int
	open                 queue[*axiRead]
	first, next          uint32 // numbers of the first open burst and of the next burst
	room                 bool   // accepts a burst in this cycle
}

// axiRead is an open read burst.
type axiRead struct {
	burst
	lead int    // bytes of the first beat before the address
	data []byte // received, after lead bytes
	sent int    // beats
	done bool
	err  link.Error
}

func newAXIReads(w *sim.Wires) axiReads {
	pin := func(name string) sim.Wire { return w.Find("m_axi_r" + name) }
	r := axiReads{ar: newAddress(w, "ar"), data: pin("data"), id: pin("id"), resp: pin("resp"), last: pin("last"), valid: pin("valid"), ready: pin("ready")}
	r.beatBytes = r.data.Bits() / 8
	return r
}

// due reports whether the next beat of the first burst can be sent.
func (r *axiReads) due() bool {
	if r.open.len() == 0 {
		return false
	}
	b := *r.open.front()
	return b.done || len(b.data) >= (b.sent+1)*r.beatBytes
}

func (r *axiReads) busy() bool { return r.due() }

func (r *axiReads) present() {
	r.room = r.open.len() < mostBursts
	r.ar.ready.SetBool(r.room)
	due := r.due()
	r.valid.SetBool(due)
	if !due {
		return
	}
	b := *r.open.front()
	setBytes(r.data, b.data[min(b.sent*r.beatBytes, len(b.data)):], r.beatBytes)
	r.id.Set(b.id)
	r.resp.Set(response(b.err))
	r.last.SetBool(b.sent == b.beats-1)
}

// setBytes sets a port to the first bytes of b, or to zero beyond its end.
func setBytes(w sim.Wire, b []byte, n int) {
	var beat [64]byte
	copy(beat[:n], b)
	words := w.Words()
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(beat[8*i:])
	}
}

func (r *axiReads) sample(c *Card) {
	if r.due() && r.ready.Bool() {
		b := *r.open.front()
		if b.sent++; b.sent == b.beats {
			r.open.pop()
			r.first++
		}
	}
	if r.room && r.ar.valid.Bool() {
		r.begin(c)
	}
}

// begin starts a burst. Only the first beat can start at an unaligned address.
func (r *axiReads) begin(c *Card) {
	b := &axiRead{burst: r.ar.take(c, r.beatBytes)}
	b.lead = int(b.addr) & (r.beatBytes - 1)
	b.data = make([]byte, b.lead, b.beats*r.beatBytes)
	number := r.next
	r.open.push(b)
	r.next++
	if err := c.ep.ReadRequest(b.addr, b.beats*r.beatBytes-b.lead, number); err != nil {
		r.done(number, link.UnsupportedRequest)
	}
}

// burst returns an open burst by its number.
func (r *axiReads) burst(number uint32) *axiRead {
	return *r.open.at(int(number - r.first))
}

func (r *axiReads) take(number uint32, data []byte) {
	b := r.burst(number)
	b.data = append(b.data, data...)
}

func (r *axiReads) done(number uint32, e link.Error) {
	b := r.burst(number)
	b.done, b.err = true, e
}

func (r *axiReads) forget() {
	r.open = queue[*axiRead]{}
	r.first = r.next
}
