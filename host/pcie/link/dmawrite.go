package link

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// heldWrite is a write that waits for bus mastering. It is divided into TLPs when it is sent,
// according to the payload size at that time.
type heldWrite struct {
	addr       uint64
	data       []byte
	descriptor bool // last write of its descriptor
	id         uint32
	vector     int // MSIX of the TLP
}

// WriteRequest starts a write descriptor: it copies data to addr in posted writes, after all
// earlier requested writes. [Core.WriteDone] is called when the last write is on the link.
// WriteRequest fails if data is empty or the range exceeds the address space.
func (e *Endpoint) WriteRequest(addr uint64, data []byte, id uint32) error {
	if err := checkRange("write", addr, len(data)); err != nil {
		return err
	}
	e.post(heldWrite{addr: addr, data: data, descriptor: true, id: id})
	return nil
}

// post sends a write, or holds a copy of it while bus mastering is off.
func (e *Endpoint) post(w heldWrite) {
	if !e.set.BusMaster {
		w.data = slices.Clone(w.data)
		e.posted.Push(w)
		return
	}
	for a, n := range pcie.Split(w.addr, len(w.data), e.set.MPS) {
		from := int(a - w.addr)
		var sent func()
		if w.descriptor && from+n == len(w.data) {
			e.leaving.Push(w.id)
			sent = e.left
		}
		t := pcie.NewWrite(e.cfg.ID, a, w.data[from:from+n])
		t.MSIX = w.vector
		e.port.Send(t, sent)
	}
}

// wrote reports to the core that the last write of a descriptor is on the link. Writes are sent in
// order. Writes from before a reset are first and are not reported.
func (e *Endpoint) wrote() {
	if e.stale > 0 {
		e.stale--
		return
	}
	e.core.WriteDone(e.leaving.Pop(), OK)
}

// sendHeld sends the held writes if bus mastering is on.
func (e *Endpoint) sendHeld() {
	for e.set.BusMaster && e.posted.Len() > 0 {
		e.post(e.posted.Pop())
	}
}

// dropWrites ends all write descriptors with FLR. Writes that are already queued on the link are
// still sent.
func (e *Endpoint) dropWrites() {
	leaving := e.leaving
	e.leaving = des.FIFO[uint32]{}
	e.stale += leaving.Len()
	for leaving.Len() > 0 {
		e.core.WriteDone(leaving.Pop(), FLR)
	}
	held := e.posted
	e.posted = des.FIFO[heldWrite]{}
	for held.Len() > 0 {
		if w := held.Pop(); w.descriptor {
			e.core.WriteDone(w.id, FLR)
		}
	}
}
