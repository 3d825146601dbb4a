package cycle

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// reads is the read engine of the shell. It accepts descriptors and emits data beats and statuses.
type reads struct {
	descAddr, descLen, descTag, descValid, descReady sim.Wire
	data, keep, id, last, valid, ready               sim.Wire
	statusTag, statusError, statusValid              sim.Wire

	beatBytes int
	open      map[uint32]*readDesc
	beats     queue[beat]
	statuses  queue[status]
	queued    uint64 // number of beats ever queued
	sent      uint64 // number of beats ever taken by the design
}

// readDesc assembles the data of a descriptor into beats.
type readDesc struct {
	size, given int // bytes requested, bytes assembled into beats
	rest        []byte
}

type beat struct {
	tag  uint32
	data []byte
	last bool
}

// status is emitted after all beats that were queued before it.
type status struct {
	tag   uint32
	code  link.Error
	after uint64
}

func newReads(w *sim.Wires) reads {
	desc := func(name string) sim.Wire { return w.Find("m_axis_read_desc_" + name) }
	data := func(name string) sim.Wire { return w.Find("s_axis_read_data_" + name) }
	stat := func(name string) sim.Wire { return w.Find("s_axis_read_desc_status_" + name) }
	r := reads{
		descAddr: desc("dma_addr"), descLen: desc("len"), descTag: desc("tag"), descValid: desc("valid"), descReady: desc("ready"),
		data: data("tdata"), keep: data("tkeep"), id: data("tid"), last: data("tlast"), valid: data("tvalid"), ready: data("tready"),
		statusTag: stat("tag"), statusError: stat("error"), statusValid: stat("valid"),
		open: map[uint32]*readDesc{},
	}
	r.beatBytes = 8 * len(r.data.Words())
	r.descReady.SetBool(true)
	return r
}

func (r *reads) busy() bool { return r.beats.len() > 0 || r.statuses.len() > 0 }

func (r *reads) present() {
	have := r.beats.len() > 0
	r.valid.SetBool(have)
	if have {
		r.presentBeat(r.beats.front())
	}
	due := r.statuses.len() > 0 && r.statuses.front().after <= r.sent
	r.statusValid.SetBool(due)
	if due {
		s := r.statuses.front()
		r.statusTag.Set(uint64(s.tag))
		r.statusError.Set(uint64(s.code))
	}
}

func (r *reads) presentBeat(b *beat) {
	words := r.data.Words()
	clear(words)
	for i := range words {
		if rest := b.data[min(8*i, len(b.data)):]; len(rest) >= 8 {
			words[i] = binary.LittleEndian.Uint64(rest)
		} else {
			var tail [8]byte
			copy(tail[:], rest)
			words[i] = binary.LittleEndian.Uint64(tail[:])
		}
	}
	r.keep.Set(^uint64(0) >> (64 - len(b.data)))
	r.id.Set(uint64(b.tag))
	r.last.SetBool(b.last)
}

func (r *reads) sample(c *Card) {
	if r.statuses.len() > 0 && r.statuses.front().after <= r.sent {
		r.statuses.pop()
	}
	if r.beats.len() > 0 && r.ready.Bool() {
		r.beats.pop()
		r.sent++
	}
	if r.descValid.Bool() {
		r.begin(c, r.descAddr.Get(), int(r.descLen.Get()), uint32(r.descTag.Get()))
	}
}

func (r *reads) begin(c *Card, addr uint64, n int, tag uint32) {
	if r.open[tag] != nil {
		c.fail("read descriptor %d began while another with its tag was open", tag)
		return
	}
	r.open[tag] = &readDesc{size: n}
	if err := c.ep.ReadRequest(addr, n, tag); err != nil {
		c.ReadDone(tag, link.UnsupportedRequest)
	}
}

// forget drops all descriptors.
func (r *reads) forget() {
	clear(r.open)
	r.beats, r.statuses = queue[beat]{}, queue[status]{}
	r.queued, r.sent = 0, 0
}

// take assembles the next bytes of a descriptor into beats.
func (r *reads) take(id uint32, data []byte) {
	d := r.open[id]
	d.rest = append(d.rest, data...)
	for len(d.rest) >= r.beatBytes || len(d.rest) > 0 && d.given+len(d.rest) == d.size {
		n := min(len(d.rest), r.beatBytes)
		d.given += n
		r.beats.push(beat{tag: id, data: d.rest[:n:n], last: d.given == d.size})
		d.rest = d.rest[n:]
		r.queued++
	}
}

// done ends a descriptor.
func (r *reads) done(id uint32, e link.Error) {
	delete(r.open, id)
	r.statuses.push(status{tag: id, code: e, after: r.queued})
}
