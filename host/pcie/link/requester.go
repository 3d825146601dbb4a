package link

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// Error is the result of a DMA descriptor. The values are the DMA_ERROR codes of the verilog-pcie
// project.
type Error uint8

// Error codes. Codes 4 to 7 belong to AXI and do not occur here.
const (
	OK                 Error = 0
	Timeout            Error = 1  // a read was not completed in time
	Parity             Error = 2  // reported by hard IP only
	FLR                Error = 8  // ended by a function-level reset
	Poisoned           Error = 9  // data marked as bad
	UnsupportedRequest Error = 10 // completed with UR
	CompleterAbort     Error = 11 // completed with CA
)

func (e Error) String() string {
	switch e {
	case OK:
		return "ok"
	case Timeout:
		return "completion timeout"
	case Parity:
		return "parity error"
	case FLR:
		return "function-level reset"
	case Poisoned:
		return "poisoned"
	case UnsupportedRequest:
		return "unsupported request"
	case CompleterAbort:
		return "completer abort"
	}
	return fmt.Sprintf("error %d", uint8(e))
}

// statusError converts a completion status to an Error. CRS is only legal for configuration reads
// and counts as UR, like reserved values.
func statusError(s pcie.Status) Error {
	switch s {
	case pcie.SC:
		return OK
	case pcie.CA:
		return CompleterAbort
	}
	return UnsupportedRequest
}

// reader receives the result of one read request.
type reader interface {
	// data receives the next bytes, in address order.
	data(b []byte)
	// done is called once, when the request's tag is free again.
	done(e Error)
}

// requester manages the tags of a function and its outstanding reads.
type requester struct {
	k        *des.Kernel
	id       pcie.ID
	timeout  des.Time // 0 means no timeout
	rest     des.Time // quarantine time of a tag whose completion is missing
	counters *Counters
	report   func(config.Error, *pcie.TLP)
	failed   func(*pcie.TLP) // called for a completion with an error; may be nil

	slots    []slot           // by tag
	free     des.FIFO[uint16] // oldest first, to maximize the time until reuse
	busy     int              // number of outstanding reads
	deadline *des.Timer
	issued   des.FIFO[issue] // in order of deadlines
	resting  des.FIFO[issue] // tags in quarantine, in order of their release
	latest   des.Time        // latest deadline; later reads get no earlier deadline
	serial   uint64
	freed    func() // called when a tag becomes free

	held  bool     // timeouts are suspended
	since des.Time // time of the suspension
}

type slotState uint8

const (
	slotFree slotState = iota
	slotBusy
	slotResting // timed out: its completion may still arrive
)

// slot is a tag's outstanding read.
type slot struct {
	state    slotState
	poisoned bool
	serial   uint64
	expect   pcie.Expect
	reader   reader
	port     *Port
}

// issue is a read request in the order of sending. It is stale when the tag has another serial
// number.
type issue struct {
	tag    uint16
	serial uint64
	at     des.Time // deadline, or end of the quarantine
}

func (q *requester) init(k *des.Kernel, id pcie.ID, timeout des.Time, c *Counters, report func(config.Error, *pcie.TLP), freed func()) {
	q.k, q.id, q.timeout, q.rest, q.counters, q.report, q.freed = k, id, timeout, timeout, c, report, freed
	q.deadline = k.NewTimer(q.expire)
}

// setTags makes n tags available; none may be in use.
func (q *requester) setTags(n int) {
	q.slots = make([]slot, n)
	q.free = des.FIFO[uint16]{}
	for tag := range n {
		q.free.Push(uint16(tag))
	}
	q.issued, q.resting = des.FIFO[issue]{}, des.FIFO[issue]{}
	q.deadline.Stop()
}

// quiet reports whether no tag is in use.
func (q *requester) quiet() bool { return q.free.Len() == len(q.slots) }

// ready reports whether a read can be sent.
func (q *requester) ready() bool { return q.free.Len() > 0 }

// read sends a request for n bytes at addr, which must fit in one request. A tag must be free.
func (q *requester) read(p *Port, addr uint64, n, rcb, mps int, r reader) {
	q.send(p, pcie.NewRead(q.id, q.free.Pop(), addr, n), rcb, mps, r)
}

// send sends a request with an allocated tag.
func (q *requester) send(p *Port, t *pcie.TLP, rcb, mps int, r reader) {
	q.serial++
	q.slots[t.Tag] = slot{state: slotBusy, serial: q.serial, expect: pcie.NewExpect(t, rcb, mps), reader: r, port: p}
	q.busy++
	if q.timeout > 0 {
		q.latest = max(q.latest, q.now()+q.timeout)
		q.issued.Push(issue{t.Tag, q.serial, q.latest})
		q.arm()
	}
	p.Send(t, nil)
}

// completion processes a completion for this function.
func (q *requester) completion(t *pcie.TLP) {
	if int(t.Tag) >= len(q.slots) || q.slots[t.Tag].state == slotFree {
		q.unexpected(t)
		return
	}
	s := &q.slots[t.Tag]
	b, err := s.expect.Accept(t)
	switch {
	case s.state == slotResting:
		q.unexpected(t) // late
		if err == nil && s.expect.Left == 0 {
			q.release(t.Tag) // the last possible completion
		}
		return
	case err != nil:
		q.count(err, t)
		return
	}
	if t.EP && !s.poisoned {
		s.poisoned = true
		q.counters.Poisoned++
		q.report(config.PoisonedTLP, t)
	}
	if len(b) > 0 && !s.poisoned {
		s.reader.data(b) // may send other reads, but cannot touch this slot
	}
	if s.expect.Left > 0 {
		return
	}
	e := statusError(t.Status)
	if e != OK && q.failed != nil {
		q.failed(t)
	}
	if s.poisoned {
		e = Poisoned
	}
	q.finish(t.Tag, e)
}

// finish ends a read and frees its tag.
func (q *requester) finish(tag uint16, e Error) {
	r := q.slots[tag].reader
	q.busy--
	q.release(tag)
	r.done(e)
	q.freed()
}

// release makes a tag available again.
func (q *requester) release(tag uint16) {
	q.slots[tag] = slot{}
	q.free.Push(tag)
	q.trim()
	q.arm()
}

// retire ends a read without a completion. Its tag is quarantined for another timeout or until the
// late completion arrives. Otherwise, the late completion could be assigned to another read.
func (q *requester) retire(tag uint16, e Error) {
	s := &q.slots[tag]
	r := s.reader
	s.state, s.reader, s.port = slotResting, nil, nil
	q.busy--
	q.resting.Push(issue{tag, s.serial, q.now() + q.rest})
	q.arm()
	r.done(e)
}

// retireAll ends all reads that were sent on p, or all reads if p is nil.
func (q *requester) retireAll(p *Port, e Error) {
	for tag := range q.slots {
		if s := &q.slots[tag]; s.state == slotBusy && (p == nil || s.port == p) {
			q.retire(uint16(tag), e)
		}
	}
}

// trim drops stale entries at the heads of the queues.
func (q *requester) trim() {
	for q.issued.Len() > 0 && !q.current(q.issued.Peek(), slotBusy) {
		q.issued.Pop()
	}
	for q.resting.Len() > 0 && !q.current(q.resting.Peek(), slotResting) {
		q.resting.Pop()
	}
}

func (q *requester) current(i *issue, state slotState) bool {
	s := &q.slots[i.tag]
	return s.state == state && s.serial == i.serial
}

// arm sets the timer to the next deadline, or stops it if there is none.
func (q *requester) arm() {
	if q.issued.Len() == 0 && q.resting.Len() == 0 {
		q.deadline.Stop()
		return
	}
	if q.held || q.deadline.Armed() {
		return // not later than the next deadline, because deadlines only increase
	}
	at := des.Time(1<<63 - 1)
	for _, f := range []*des.FIFO[issue]{&q.issued, &q.resting} {
		if f.Len() > 0 {
			at = min(at, f.Peek().at)
		}
	}
	q.deadline.Set(at)
}

// now returns the time that timeouts refer to.
func (q *requester) now() des.Time {
	if q.held {
		return q.since
	}
	return q.k.Now()
}

// hold suspends timeouts and quarantines until resume.
func (q *requester) hold() {
	q.held, q.since = true, q.k.Now()
	q.deadline.Stop()
}

// resume postpones all deadlines by the time since hold.
func (q *requester) resume() {
	d := q.k.Now() - q.since
	q.held = false
	q.latest += d
	for _, f := range []*des.FIFO[issue]{&q.issued, &q.resting} {
		for i := range f.Len() {
			f.At(i).at += d
		}
	}
	q.arm()
}

// expire ends all reads and quarantines that are due.
func (q *requester) expire() {
	now := q.k.Now()
	for q.issued.Len() > 0 && q.issued.Peek().at <= now {
		if i := q.issued.Pop(); q.current(&i, slotBusy) {
			q.counters.Timeouts++
			q.report(config.CompletionTimeout, nil)
			q.retire(i.tag, Timeout)
		}
	}
	for q.resting.Len() > 0 && q.resting.Peek().at <= now {
		if i := q.resting.Pop(); q.current(&i, slotResting) {
			q.release(i.tag)
		}
	}
	q.trim()
	q.arm()
	q.freed()
}

// count counts a rejected completion.
func (q *requester) count(err error, t *pcie.TLP) {
	if !errors.Is(err, pcie.ErrMalformed) {
		q.unexpected(t)
		return
	}
	q.counters.Malformed++
	q.report(config.MalformedTLP, t)
}

// unexpected drops a completion without a matching request.
func (q *requester) unexpected(t *pcie.TLP) {
	q.counters.Unexpected++
	q.report(config.UnexpectedCompletion, t)
}

// state returns the requester's line in a deadlock report.
func (q *requester) state() string {
	if q.busy == 0 {
		return ""
	}
	return fmt.Sprintf("%d reads outstanding", q.busy)
}
