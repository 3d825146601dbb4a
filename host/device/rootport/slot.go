package rootport

import (
	"errors"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// portID is the bus address of the port, which is not visible to the client.
var portID = pcie.NewID(0, 1, 0)

// interruptAddress is the address of the card's interrupts on the link, for readers of captures.
// Nothing depends on it, because the mark pcie.TLP.MSIX identifies interrupts.
const interruptAddress = 0xfee00000

// slot is the upstream end of a card's link, from power-up to reset. Events for it after the reset
// never occur, because its time stops.
type slot struct {
	owner *Port
	k     *des.Kernel
	card  Card
	port  *link.Port
	owed  int // due reads of the card without an answer from the client
	left  int // writes of the card without an answer from the client

	tag    uint16 // of the latest access
	expect *pcie.Expect
	got    []byte
}

// attach connects a slot and a card by a link.
func attach(s *slot, cfg link.Config, c Card) (above, below *link.Port, err error) {
	cfg.Name = "slot"
	above, below, err = link.Connect(s.k, cfg, s, c.Endpoint())
	if err == nil {
		c.Endpoint().Attached(below)
	}
	return above, below, err
}

// enableVectors makes each vector write its own number. The client's MSI-X table is not visible
// here; the client decides whether a vector fires. A function-level reset masks the vectors, so
// they must be enabled again.
func (s *slot) enableVectors() []error {
	var failed []error
	for i := range link.Vectors {
		failed = append(failed, s.card.Endpoint().SetVector(i, interruptAddress, uint32(i), false))
	}
	return failed
}

// flr performs a function-level reset of the card.
func (s *slot) flr() {
	s.card.Endpoint().FLR()
	if err := errors.Join(s.enableVectors()...); err != nil {
		s.owner.say(err)
	}
}

// mostWrites is the maximum number of unanswered writes before the card's time stops.
const mostWrites = 256

// waits reports whether the card's time must stop.
func (s *slot) waits() bool {
	if err := s.card.Err(); err != nil && !s.owner.failed {
		s.owner.failed = true
		s.owner.say(err)
	}
	return s.owed > 0 || s.left >= mostWrites
}

// part is the maximum number of bytes of a request. Every completer answers such a request with one
// completion.
const part = 64

// read fills b from a register, or with all ones on failure.
func (s *slot) read(offset uint64, b []byte) {
	base := s.card.Endpoint().BAR().Base + offset
	for addr, n := range pcie.Split(base, len(b), part) {
		s.fill(b[addr-base:][:n], pcie.NewRead(portID, s.nextTag(), addr, n))
	}
}

// fill fills b with the answer to a request, or with all ones on failure.
func (s *slot) fill(b []byte, t *pcie.TLP) {
	if got := s.ask(t); copy(b, got) < len(b) {
		for i := range b {
			b[i] = 0xff
		}
	}
}

func (s *slot) nextTag() uint16 {
	s.tag = (s.tag + 1) % 32
	return s.tag
}

// ask sends a request and waits for its answer. It returns the data read, or less on failure.
func (s *slot) ask(t *pcie.TLP) []byte {
	set := s.straps()
	e := pcie.NewExpect(t, set.RCB, set.MPS)
	s.expect, s.got = &e, nil
	s.port.Send(t, nil)
	// An error means that no event is pending, so that no answer will arrive.
	_ = s.k.RunUntil(s.k.Now()+s.owner.cfg.Endpoint.CompletionTimeout, func() bool {
		s.owner.answers.empty()
		return s.expect == nil || s.card.Err() != nil || s.owner.closed()
	})
	s.expect = nil
	return s.got
}

// straps returns the settings made by the client.
func (s *slot) straps() link.Straps { return s.card.Endpoint().Straps() }

// write writes b to registers.
func (s *slot) write(offset uint64, b []byte) {
	base := s.card.Endpoint().BAR().Base + offset
	for addr, n := range pcie.Split(base, len(b), part) {
		s.port.Send(pcie.NewWrite(portID, addr, b[addr-base:][:n]), nil)
	}
}

// Receive implements link.Receiver.
func (s *slot) Receive(p *link.Port, t *pcie.TLP) {
	defer p.Release(t)
	switch t.Kind {
	case pcie.MRd:
		s.readRequest(t)
	case pcie.MWr:
		s.writeRequest(t)
	case pcie.Cpl, pcie.CplD:
		s.completion(t)
	}
}

// completion processes the answer to an access. An unexpected answer is dropped.
func (s *slot) completion(t *pcie.TLP) {
	if s.expect == nil {
		return
	}
	b, err := s.expect.Accept(t)
	if err != nil {
		return
	}
	s.got = append(s.got, b...)
	if s.expect.Left == 0 {
		s.expect = nil
	}
}

// readRequest passes a read of the card to the client and answers after the memory's latency. If
// the client has not answered by then, the card's time stops. Time that passes in accesses does not
// count towards completion timeouts meanwhile.
func (s *slot) readRequest(t *pcie.TLP) {
	if t.Check(s.straps().MPS, 0) != nil {
		return
	}
	addr, n := t.Span()
	data := make([]byte, n)
	due, answered, failed := false, false, error(nil)
	s.k.After(s.owner.cfg.Latency, func() {
		if due = true; answered {
			s.answer(t, data, failed)
		} else if s.owed++; s.owed == 1 {
			s.card.Endpoint().HoldTimeouts()
		}
	})
	s.owner.host.ReadDMA(addr, data, func(err error) {
		s.owner.refused(addr, err)
		s.owner.answers.put(func() {
			if answered, failed = true, err; !due {
				return
			}
			if s.owed--; s.owed == 0 {
				s.card.Endpoint().ResumeTimeouts()
			}
			s.answer(t, data, err)
		})
	})
}

// answer completes a read of the card. If the client has not served the read, the status is UR.
func (s *slot) answer(t *pcie.TLP, data []byte, err error) {
	addr, left := t.Span()
	if err != nil {
		s.port.Send(pcie.NewFailure(t, portID, addr, left, pcie.UR), nil)
		return
	}
	set := s.straps()
	for left > 0 {
		n := pcie.CompletionPart(addr, left, set.RCB, set.MPS, pcie.EveryRCB)
		c := pcie.NewCompletion(t, portID, addr, left, n)
		copy(c.Bytes(), data)
		s.port.Send(c, nil)
		data, addr, left = data[n:], addr+uint64(n), left-n
	}
}

// writeRequest stores a write of the card in the client's memory, or fires a vector. A poisoned or
// failed write is lost, as for any posted write.
func (s *slot) writeRequest(t *pcie.TLP) {
	switch {
	case t.Check(s.straps().MPS, 0) != nil || t.EP:
		return
	case t.MSIX > 0:
		if err := s.owner.host.Interrupt(t.MSIX - 1); err != nil {
			s.owner.say(err)
		}
		return
	}
	for addr, b := range t.Runs() {
		s.left++
		s.owner.host.WriteDMA(addr, b, func(err error) {
			s.owner.refused(addr, err)
			s.owner.answers.put(func() { s.left-- })
		})
	}
}
