package cycle

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// writes is the write engine of the shell.
type writes struct {
	descAddr, descLen, descTag, descValid, descReady sim.Wire
	data, last, valid, ready                         sim.Wire
	statusTag, statusError, statusValid              sim.Wire

	descs    queue[writeDesc] // descriptors whose data is not complete
	buf      []byte           // data of the first descriptor
	statuses queue[status]
	inFlight int
	open     bool // accepts descriptors in this cycle
}

type writeDesc struct {
	tag  uint32
	addr uint64
	size int
}

func newWrites(w *sim.Wires) writes {
	desc := func(name string) sim.Wire { return w.Find("m_axis_write_desc_" + name) }
	data := func(name string) sim.Wire { return w.Find("m_axis_write_data_" + name) }
	stat := func(name string) sim.Wire { return w.Find("s_axis_write_desc_status_" + name) }
	return writes{
		descAddr: desc("dma_addr"), descLen: desc("len"), descTag: desc("tag"), descValid: desc("valid"), descReady: desc("ready"),
		data: data("tdata"), last: data("tlast"), valid: data("tvalid"), ready: data("tready"),
		statusTag: stat("tag"), statusError: stat("error"), statusValid: stat("valid"),
	}
}

func (w *writes) busy() bool { return w.statuses.len() > 0 }

func (w *writes) present() {
	w.open = w.inFlight < link.WriteWindow
	w.descReady.SetBool(w.open)
	w.ready.SetBool(w.descs.len() > 0)
	due := w.statuses.len() > 0
	w.statusValid.SetBool(due)
	if due {
		s := w.statuses.front()
		w.statusTag.Set(uint64(s.tag))
		w.statusError.Set(uint64(s.code))
	}
}

func (w *writes) sample(c *Card) {
	if w.statuses.len() > 0 {
		w.statuses.pop()
	}
	// The data channel was ready only if a descriptor had arrived before.
	if w.descs.len() > 0 && w.valid.Bool() {
		w.takeBeat(c)
	}
	if w.open && w.descValid.Bool() {
		w.descs.push(writeDesc{tag: uint32(w.descTag.Get()), addr: w.descAddr.Get(), size: int(w.descLen.Get())})
		w.inFlight++
	}
}

func (w *writes) takeBeat(c *Card) {
	for _, word := range w.data.Words() {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, word)
	}
	d := *w.descs.front()
	whole := len(w.buf) >= d.size
	if w.last.Bool() != whole {
		c.fail("write descriptor %d: tlast is %v after %d of %d bytes", d.tag, !whole, min(len(w.buf), d.size), d.size)
	}
	if !whole {
		return
	}
	w.descs.pop()
	if err := c.ep.WriteRequest(d.addr, w.buf[:d.size], d.tag); err != nil {
		c.WriteDone(d.tag, link.UnsupportedRequest)
	}
	w.buf = w.buf[:0]
}

// forget drops all descriptors.
func (w *writes) forget() {
	w.descs, w.statuses = queue[writeDesc]{}, queue[status]{}
	w.buf, w.inFlight = w.buf[:0], 0
}

// done ends a descriptor.
func (w *writes) done(id uint32, e link.Error) {
	w.inFlight--
	w.statuses.push(status{tag: id, code: e})
}
