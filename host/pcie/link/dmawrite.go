package link

import (
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// heldWrite is a posted write that waits for bus mastering.
type heldWrite struct {
	tlp  *pcie.TLP
	last bool // of descriptor id
	id   uint32
}

// WriteRequest starts a write descriptor: a copy of data goes to addr in posted
// writes, behind all that were asked for before. [Core.WriteDone] says when the
// last is on the link. The error is that data is empty or the range runs over
// the end of the address space.
func (e *Endpoint) WriteRequest(addr uint64, data []byte, id uint32) error {
	if err := checkRange("write", addr, len(data)); err != nil {
		return err
	}
	for a, n := range pcie.Split(addr, len(data), e.cfg.Straps.MPS) {
		from := int(a - addr)
		tlp := pcie.NewWrite(e.cfg.ID, a, data[from:from+n])
		e.post(heldWrite{tlp: tlp, last: from+n == len(data), id: id})
	}
	return nil
}

// post sends a posted write, or holds it while bus mastering is off.
func (e *Endpoint) post(w heldWrite) {
	if !e.cfg.Straps.BusMaster {
		e.posted.Push(w)
		return
	}
	var sent func()
	if w.last {
		sent = e.sent(w.id)
	}
	e.port.Send(w.tlp, sent)
}

// sent tells the core that the last write of a descriptor is on the link.
func (e *Endpoint) sent(id uint32) func() {
	f := e.written[id]
	if f == nil {
		f = func() { e.core.WriteDone(id, OK) }
		e.written[id] = f
	}
	return f
}

// sendHeld sends what was held, if it may.
func (e *Endpoint) sendHeld() {
	for e.cfg.Straps.BusMaster && e.posted.Len() > 0 {
		e.post(e.posted.Pop())
	}
}

// dropHeld ends the descriptors of the writes that are held with FLR. What is
// already queued on the link goes out, as posted writes do.
func (e *Endpoint) dropHeld() {
	held := e.posted
	e.posted = node.FIFO[heldWrite]{}
	for held.Len() > 0 {
		if w := held.Pop(); w.last {
			e.core.WriteDone(w.id, FLR)
		}
	}
}
