package rootport

import (
	"encoding/binary"
	"errors"

	"github.com/hotline-rtl/hotline/host/device/vfiouser"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// configSpace is the configuration space of a port's card, as seen by a client. Each access sends
// one configuration request per DW on the card's link.
type configSpace struct{ p *Port }

// Config implements vfiouser.Device.
func (p *Port) Config() vfiouser.ConfigSpace { return configSpace{p} }

// Read implements vfiouser.ConfigSpace. If the card does not answer, it reads all ones.
func (c configSpace) Read(offset int, b []byte) {
	c.p.do(func() { c.p.slot.readConfig(offset, b) })
}

// Write implements vfiouser.ConfigSpace. It returns after the card's answer.
func (c configSpace) Write(offset int, b []byte) {
	c.p.do(func() { c.p.slot.writeConfig(offset, b) })
}

func (s *slot) readConfig(offset int, b []byte) {
	id := s.card.Endpoint().ID()
	for at, n := offset, 0; at < offset+len(b); at += n {
		dw := at &^ 3
		var got [4]byte
		s.fill(got[:], pcie.NewConfigRead(portID, s.nextTag(), id, dw, 0xf))
		n = copy(b[at-offset:], got[at-dw:])
	}
}

// matchECRC sets the port's ECRC enables to match the card's, because the client cannot access
// registers of the port.
func (s *slot) matchECRC() {
	generates, checks := s.card.Endpoint().ECRC()
	s.port.SetECRC(checks, generates)
}

// writeConfig writes b. It enables the vectors again afterwards, because the write may have been a
// function-level reset.
func (s *slot) writeConfig(offset int, b []byte) {
	id := s.card.Endpoint().ID()
	for at, n := offset, 0; at < offset+len(b); at += n {
		dw := at &^ 3
		var v [4]byte
		n = copy(v[at-dw:], b[at-offset:])
		enables := uint8(1<<n-1) << (at - dw)
		s.ask(pcie.NewConfigWrite(portID, s.nextTag(), id, dw, binary.LittleEndian.Uint32(v[:]), enables))
	}
	s.matchECRC()
	if err := errors.Join(s.enableVectors()...); err != nil {
		s.owner.say(err)
	}
}
