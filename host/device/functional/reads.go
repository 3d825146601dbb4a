package functional

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
)

// reads is the read engine: requests leave in their order, one a cycle, as tags
// allow; data comes a beat a cycle; rows go to the reducer in the order of the
// requests and keep their tags until it has taken them.
type reads struct {
	a     *Accel
	beat  int        // bytes of a beat
	data  [][]byte   // by tag: what has come of a descriptor
	words [][]uint64 // by tag: that, for the model

	stream int64 // edge at which the stream of read data is free
	asked  int64 // edge of the latest request
	timer  bool  // the next request is planned

	queue []dma.ReadRequest // to be requested
	at    int               // the next of them
	path  walk              // says when
	held  int               // tags of reads that have ended, and are not free yet
	full  bool              // there was no tag for the next request

	next, free planned // the next request, the end of a tag

	loads int                  // that have not ended
	into  []uint32             // what they bring
	first uint32               // Dest of the first
	then  func(words []uint32) // called after the last
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

// load reads words into a half and goes on with then.
func (r *reads) load(loads []dma.ReadRequest, then func(words []uint32)) {
	bytes := 0
	for _, q := range loads {
		bytes += q.Len
	}
	r.loads, r.first, r.then = len(loads), loads[0].Dest, then
	r.into = make([]uint32, bytes/4)
	r.request(loads, walk{a: r.a, clock: r.a.edge()})
}

// request makes requests after those that wait; there are none of these but rows
// that were asked for one by one.
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

// waiting tells whether there are requests that have not left.
func (r *reads) waiting() bool { return r.at < len(r.queue) }

// issue sends the requests whose time has come.
func (r *reads) issue() {
	for r.waiting() && !r.timer && !r.a.resetting {
		if r.a.model.Reads.Tagged()+r.held >= r.a.p.Tags {
			r.full = true
			return // till a tag is free
		}
		when, ok := r.path.next()
		if !ok {
			return // till the reducer has done more
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

// inFlight is the number of requests that hold a tag: one of a single beat that waits
// at the reducer does not.
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
	tag, _ := r.a.model.Reads.Request(q) // there is one: issue has looked
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

// arrive takes data of a descriptor: its whole beats enter the stream.
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

// give gives the data of a descriptor to the model, beat by beat, and takes what
// that puts out: words of loads and of commands.
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

// word64 is the first word of b; what is missing of it is zero.
func word64(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// hold keeps the tag of a read that has ended until release.
func (r *reads) hold() { r.held++ }

// release frees the oldest tag that is held, at an edge.
func (r *reads) release(edge int64) { r.free.at(edge) }
