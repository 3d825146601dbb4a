package functional

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
)

// reads models the read engine. Requests are sent in order, one per cycle, limited by tags. Data
// arrives at one beat per cycle. Rows go to the reducer in request order and keep their tags until
// the reducer has taken them.
type reads struct {
	a     *Accel
	beat  int        // bytes per beat
	data  [][]byte   // by tag: the data received for a descriptor
	words [][]uint64 // by tag: the same data as words for the model

	stream int64 // edge at which the stream of read data becomes free
	asked  int64 // edge of the latest request
	timer  bool  // the next request is scheduled

	queue []dma.ReadRequest // rows to request
	at    int               // index of the next request in queue
	path  walk              // timing of the requests
	held  int               // number of tags of completed reads that are not free yet
	full  bool              // no tag was available for the next request

	next, free planned // events: next request, release of a tag

	loads int                  // number of pending loads
	into  []uint32             // words loaded
	first uint32               // Dest of the first load
	then  func(words []uint32) // called after the last load
}

func newReads(a *Accel) reads {
	r := &a.reads
	tags := a.p.Tags + dma.CommandTags
	return reads{
		a: a, beat: a.p.StreamBytes(), data: make([][]byte, tags), words: make([][]uint64, tags),
		next: a.plan(func() {
			r.timer = false
			r.send()
			r.issue()
		}),
		free: a.plan(func() {
			r.held--
			r.issue()
		}),
	}
}

// command reads an entry of the command ring.
func (r *reads) command(c isa.CommandRead) {
	tag := r.a.model.Reads.Command(c.Tag)
	r.a.at(r.a.edge()+fetchCycles, func() { r.descriptor(tag, c.Addr, arch.CommandBytes) })
}

// load reads words into a half and then calls then.
func (r *reads) load(loads []dma.ReadRequest, then func(words []uint32)) {
	bytes := 0
	for _, q := range loads {
		bytes += q.Len
	}
	r.loads, r.first, r.then = len(loads), loads[0].Dest, then
	r.into = make([]uint32, bytes/4)
	r.request(loads, walk{a: r.a, clock: r.a.edge()})
}

// request appends requests to the queue. The queue is empty unless rows were requested one at a
// time.
func (r *reads) request(list []dma.ReadRequest, path walk) {
	if len(list) == 0 {
		return
	}
	if r.waiting() {
		r.queue = append(r.queue, list...)
	} else {
		r.queue, r.at = list, 0
	}
	r.path = path
	r.issue()
}

// waiting reports whether any requests have not been sent.
func (r *reads) waiting() bool { return r.at < len(r.queue) }

// issue sends the requests that are due.
func (r *reads) issue() {
	for r.waiting() && !r.timer && !r.a.resetting {
		if r.a.model.Reads.Tagged()+r.held >= r.a.p.Tags {
			r.full = true
			return // until a tag is free
		}
		when, ok := r.path.next()
		if !ok {
			return // until the reducer has progressed
		}
		when = max(when, r.asked+1)
		if when > r.a.edge() {
			r.timer = true
			r.next.at(when)
			return
		}
		if r.full && when < r.a.edge() {
			r.a.csrs.tagStalls++
		}
		r.send()
	}
}

// inFlight returns the number of requests that hold a tag. A single-beat row that waits at the
// reducer does not hold a tag.
func (r *reads) inFlight() int {
	n := r.a.model.Reads.Tagged() + r.held
	if r.held > 0 && r.a.reducer.waits() {
		n--
	}
	return n
}

// send sends the next request.
func (r *reads) send() {
	if r.a.resetting {
		return
	}
	q := r.queue[r.at]
	r.at++
	r.full = false
	r.asked = r.a.edge()
	r.path.sent(r.asked)
	tag, _ := r.a.model.Reads.Request(q) // issue has checked that a tag is free
	r.a.csrs.mostReads = max(r.a.csrs.mostReads, uint32(r.inFlight()))
	r.descriptor(tag, q.Addr, q.Len)
}

func (r *reads) descriptor(tag int, addr uint64, n int) {
	if r.a.resetting {
		return
	}
	r.a.model.Reads.Send(tag)
	r.data[tag] = r.data[tag][:0]
	r.a.read(uint32(tag), addr, n)
}

// arrive processes data of a descriptor: its whole beats enter the stream.
func (r *reads) arrive(tag uint32, data []byte, last bool) {
	before := len(r.data[tag])
	r.data[tag] = append(r.data[tag], data...)
	beats := len(r.data[tag])/r.beat - before/r.beat
	if last && len(r.data[tag])%r.beat != 0 {
		beats++
	}
	r.stream = max(r.stream, r.a.edge()) + int64(beats)
}

// end ends a descriptor.
func (r *reads) end(tag uint32, e link.Error) {
	if r.a.resetting {
		return
	}
	r.give(int(tag))
	tagged := r.a.model.Reads.Tagged()
	r.a.model.Reads.Status(int(tag), arch.DMAError(e))
	status := max(r.stream, r.a.edge())
	ended := status + endCycles
	for _, c := range r.a.model.Reads.Ends() {
		entry := &r.a.ring.entries[c.Tag]
		entry.failed = c.Failed
		r.a.at(ended, func() {
			entry.ended = true
			r.a.begin()
		})
		return
	}
	if r.loads > 0 {
		for i := range tagged - r.a.model.Reads.Tagged() {
			r.hold()
			r.release(status + rowCycles + 1 + int64(i))
		}
		if r.loads--; r.loads == 0 {
			words := r.into
			r.a.at(ended, func() { r.then(words) })
		}
		r.issue()
		return
	}
	for _, row := range r.a.model.Reads.Rows() {
		r.hold()
		r.a.reducer.arrive(row, status+rowCycles)
	}
	r.a.reducer.run()
	r.issue()
}

// give passes the data of a descriptor to the model, beat by beat. It stores the words of loads and
// commands that the model returns.
func (r *reads) give(tag int) {
	data := r.data[tag]
	words, per := r.words[tag][:0], r.beat/8
	for len(data) > 0 {
		words = append(words, word64(data))
		data = data[min(8, len(data)):]
	}
	for len(words)%per != 0 {
		words = append(words, 0)
	}
	r.words[tag] = words
	for i := 0; i < len(words); i += per {
		beat := words[i : i+per]
		out, ok := r.a.model.Reads.Data(tag, beat, false)
		switch {
		case !ok:
		case out.Command:
			at := int(out.Dest) * per
			const size = arch.CommandBytes / 8
			copy(r.a.ring.entries[at/size].words[at%size:], beat)
		default:
			at := int(out.Dest-r.first) * 2 * per
			for _, w := range beat {
				for _, v := range [2]uint32{uint32(w), uint32(w >> 32)} {
					if at < len(r.into) {
						r.into[at] = v
						at++
					}
				}
			}
		}
	}
}

// word64 returns the first eight bytes of b as a word, padded with zeros.
func word64(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// hold keeps the tag of a completed read allocated until release.
func (r *reads) hold() { r.held++ }

// release frees the oldest held tag at an edge.
func (r *reads) release(edge int64) { r.free.at(edge) }
