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
	for a, n := range pcie.Split(addr, len(data), e.set.MPS) {
		from := int(a - addr)
		tlp := pcie.NewWrite(e.cfg.ID, a, data[from:from+n])
		e.post(heldWrite{tlp: tlp, last: from+n == len(data), id: id})
	}
	return nil
}

// post sends a posted write, or holds it while bus mastering is off.
func (e *Endpoint) post(w heldWrite) {
	if !e.set.BusMaster {
		e.posted.Push(w)
		return
	}
	var sent func()
	if w.last {
		e.leaving.Push(w.id)
		sent = e.left
	}
	e.port.Send(w.tlp, sent)
}

// wrote tells the core that the last write of a descriptor is on the link. Writes
// leave in their order; those of before a reset come first, and count no more.
func (e *Endpoint) wrote() {
	if e.stale > 0 {
		e.stale--
		return
	}
	e.core.WriteDone(e.leaving.Pop(), OK)
}

// sendHeld sends what was held, if it may.
func (e *Endpoint) sendHeld() {
	for e.set.BusMaster && e.posted.Len() > 0 {
		e.post(e.posted.Pop())
	}
}

// dropWrites ends all write descriptors with FLR. What is already queued on the
// link goes out, as posted writes do.
func (e *Endpoint) dropWrites() {
	leaving := e.leaving
	e.leaving = node.FIFO[uint32]{}
	e.stale += leaving.Len()
	for leaving.Len() > 0 {
		e.core.WriteDone(leaving.Pop(), FLR)
	}
	held := e.posted
	e.posted = node.FIFO[heldWrite]{}
	for held.Len() > 0 {
		if w := held.Pop(); w.last {
			e.core.WriteDone(w.id, FLR)
		}
	}
}
