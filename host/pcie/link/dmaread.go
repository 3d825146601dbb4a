package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// readDesc is a read descriptor, divided into parts of one request each.
type readDesc struct {
	ep          *Endpoint
	id          uint32
	addr        uint64
	size        int
	issued      int // bytes requested
	outstanding int // unfinished parts
	parts       des.FIFO[*readPart]
	err         Error
}

// readPart is one request of a descriptor. Data that arrives before the data of earlier parts is
// held here.
type readPart struct {
	desc   *readDesc
	offset int // of the next byte
	held   [][]byte
	ended  bool
}

// ReadRequest starts a read descriptor of n bytes starting at addr. The data is delivered by calls
// of [Core.ReadData], followed by one call of [Core.ReadDone]. Descriptors are issued in order as
// tags become free. IDs need not be unique, but responses with the same ID cannot be distinguished.
// ReadRequest fails if n is not positive or the range exceeds the address space.
func (e *Endpoint) ReadRequest(addr uint64, n int, id uint32) error {
	if err := checkRange("read", addr, n); err != nil {
		return err
	}
	d := take(&e.idleDescs)
	*d = readDesc{ep: e, id: id, addr: addr, size: n, parts: d.parts}
	e.descs.Push(d)
	e.issueReads()
	return nil
}

func checkRange(op string, addr uint64, n int) error {
	if n <= 0 || addr+uint64(n)-1 < addr {
		return fmt.Errorf("link: %s descriptor of %d bytes at %#x, expected at least one byte and no wrap", op, n, addr)
	}
	return nil
}

// issueReads sends requests while there are descriptors and free tags.
func (e *Endpoint) issueReads() {
	s := &e.set
	for e.descs.Len() > 0 && e.reads.ready() && s.BusMaster && !e.retags() {
		d := *e.descs.Peek()
		addr := d.addr + uint64(d.issued)
		n := pcie.FirstPart(addr, d.size-d.issued, s.MRRS)
		p := take(&e.idleParts)
		*p = readPart{desc: d, offset: d.issued, held: p.held[:0]}
		d.parts.Push(p)
		d.outstanding++
		if d.issued += n; d.issued == d.size {
			e.descs.Pop()
		}
		e.reads.read(e.port, addr, n, s.RCB, s.MPS, p)
	}
}

func (p *readPart) data(b []byte) {
	d := p.desc
	switch {
	case d.err != OK:
	case *d.parts.Peek() == p:
		p.deliver(b)
	default:
		p.held = append(p.held, b)
	}
}

func (p *readPart) deliver(b []byte) {
	d, offset := p.desc, p.offset
	p.offset += len(b)
	d.ep.core.ReadData(d.id, offset, b, p.offset == d.size)
}

func (p *readPart) done(e Error) {
	d := p.desc
	p.ended = true
	d.outstanding--
	if e != OK && d.err == OK {
		d.err = e
	}
	if d.err != OK {
		d.fail()
		return
	}
	// The next parts deliver the data that they hold.
	for d.parts.Len() > 0 {
		first := *d.parts.Peek()
		for _, b := range first.held {
			first.deliver(b)
		}
		first.held = first.held[:0]
		if !first.ended {
			return
		}
		d.ep.idleParts = append(d.ep.idleParts, d.parts.Pop())
	}
	if d.issued == d.size {
		d.finish()
	}
}

// fail stops a descriptor with an error and ends it after its last outstanding part.
func (d *readDesc) fail() {
	e := d.ep
	if d.issued < d.size { // it is the first in the queue; nothing more is sent
		d.issued = d.size
		e.descs.Pop()
	}
	if d.outstanding > 0 {
		return
	}
	for d.parts.Len() > 0 {
		e.idleParts = append(e.idleParts, d.parts.Pop())
	}
	d.finish()
}

func (d *readDesc) finish() {
	e, id, err := d.ep, d.id, d.err
	e.idleDescs = append(e.idleDescs, d)
	e.core.ReadDone(id, err)
}

// dropReads ends all read descriptors with FLR. Their tags are quarantined.
func (e *Endpoint) dropReads() {
	waiting := e.descs
	e.descs = des.FIFO[*readDesc]{}
	for waiting.Len() > 0 {
		d := waiting.Pop()
		d.err, d.issued = FLR, d.size
		if d.outstanding == 0 {
			d.finish()
		}
	}
	e.reads.retireAll(nil, FLR)
}

// take reuses an idle object or allocates one.
func take[T any](idle *[]*T) *T {
	n := len(*idle)
	if n == 0 {
		return new(T)
	}
	x := (*idle)[n-1]
	*idle = (*idle)[:n-1]
	return x
}
