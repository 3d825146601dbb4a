package cycle

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// axiWrites serves the write channels. A burst is written when all its beats have arrived, in one
// descriptor for each run of enabled bytes.
type axiWrites struct {
	aw                       address
	data, strb, last         sim.Wire
	valid, ready             sim.Wire
	id, resp, bvalid, bready sim.Wire
	beatBytes                int

	open        queue[*axiWrite] // until their response
	filled      int              // number of open bursts whose beats have arrived
	first, next uint32           // numbers of the first open burst and of the next burst
	room, takes bool             // accepts a burst, and a beat, in this cycle
}

// axiWrite is an open write burst.
type axiWrite struct {
	burst
	data    []byte
	enabled []bool // by byte
	beats   int    // arrived
	left    int    // descriptors without an end; -1 until all beats have arrived
	err     link.Error
}

func newAXIWrites(w *sim.Wires) axiWrites {
	pin := func(name string) sim.Wire { return w.Find("m_axi_" + name) }
	x := axiWrites{
		aw: newAddress(w, "aw"), data: pin("wdata"), strb: pin("wstrb"), last: pin("wlast"), valid: pin("wvalid"), ready: pin("wready"),
		id: pin("bid"), resp: pin("bresp"), bvalid: pin("bvalid"), bready: pin("bready"),
	}
	x.beatBytes = x.data.Bits() / 8
	return x
}

// due reports whether the response to the first burst can be sent.
func (w *axiWrites) due() bool { return w.open.len() > 0 && (*w.open.front()).left == 0 }

func (w *axiWrites) busy() bool { return w.due() }

func (w *axiWrites) present() {
	w.room = w.open.len() < mostBursts
	w.takes = w.filled < w.open.len()
	w.aw.ready.SetBool(w.room)
	w.ready.SetBool(w.takes)
	w.bvalid.SetBool(w.due())
	if w.due() {
		b := *w.open.front()
		w.id.Set(b.id)
		w.resp.Set(response(b.err))
	}
}

func (w *axiWrites) sample(c *Card) {
	if w.due() && w.bready.Bool() {
		w.open.pop()
		w.first++
		w.filled--
	}
	if w.takes && w.valid.Bool() {
		w.beat(c)
	}
	if w.room && w.aw.valid.Bool() {
		w.open.push(&axiWrite{burst: w.aw.take(c, w.beatBytes), left: -1})
		w.next++
	}
}

// beat takes a beat of the first burst that is not complete.
func (w *axiWrites) beat(c *Card) {
	number := w.first + uint32(w.filled)
	b := *w.open.at(w.filled)
	for _, word := range w.data.Words() {
		b.data = binary.LittleEndian.AppendUint64(b.data, word)
	}
	b.beats++
	b.data = b.data[:b.beats*w.beatBytes]
	for strobes, i := w.strb.Get(), 0; i < w.beatBytes; i++ {
		b.enabled = append(b.enabled, strobes>>i&1 == 1)
	}
	whole := b.beats == b.burst.beats
	if w.last.Bool() != whole {
		c.fail("a write burst at %#x: wlast is %v in beat %d of %d", b.addr, !whole, b.beats, b.burst.beats)
	}
	if whole {
		w.filled++
		b.left = 0
		w.write(c, b, number)
	}
}

// write starts a descriptor for each run of enabled bytes.
func (w *axiWrites) write(c *Card, b *axiWrite, number uint32) {
	base := b.addr &^ uint64(w.beatBytes-1)
	for i := 0; i < len(b.enabled); {
		n := 0
		for i+n < len(b.enabled) && b.enabled[i+n] {
			n++
		}
		if n > 0 {
			b.left++
			if err := c.ep.WriteRequest(base+uint64(i), b.data[i:i+n], number); err != nil {
				w.done(number, link.UnsupportedRequest)
			}
		}
		i += max(n, 1)
	}
}

func (w *axiWrites) done(number uint32, e link.Error) {
	b := *w.open.at(int(number - w.first))
	b.left--
	if b.err == 0 {
		b.err = e
	}
}

func (w *axiWrites) forget() {
	w.open = queue[*axiWrite]{}
	w.first, w.filled = w.next, 0
}
