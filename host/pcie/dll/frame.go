package dll

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// Frame is a TLP with its sequence number in front and its LCRC behind (3.6.2):
// what a framing token on the wire goes before.
func Frame(seq uint16, tlp []byte) []byte {
	f := binary.BigEndian.AppendUint16(make([]byte, 0, len(tlp)+6), seq%numbers)
	f = append(f, tlp...)
	return binary.LittleEndian.AppendUint32(f, pcie.LCRC(seq, tlp))
}

// Unframe gives the sequence number and the TLP of a frame; ok is false when the
// LCRC does not fit.
func Unframe(f []byte) (seq uint16, tlp []byte, ok bool) {
	if len(f) < 6 {
		return 0, nil, false
	}
	n := len(f) - 4
	seq, tlp = binary.BigEndian.Uint16(f), f[2:n]
	ok = seq < numbers && binary.LittleEndian.Uint32(f[n:]) == pcie.LCRC(seq, tlp)
	return seq, tlp, ok
}

// The types of the packets that this layer sends by itself (3.4.1).
const (
	ackType = 0x00
	nakType = 0x10
)

// PacketBytes is what an ACK or NAK occupies on the wire, with its framing.
const PacketBytes = 8

// Acknowledgement is the packet that acknowledges all up to seq, and, if nak is set,
// asks for what is behind it: four bytes and their CRC.
func Acknowledgement(seq uint16, nak bool) [6]byte {
	var p [6]byte
	if nak {
		p[0] = nakType
	}
	binary.BigEndian.PutUint16(p[2:], seq%numbers)
	binary.LittleEndian.PutUint16(p[4:], pcie.DLLPCRC([4]byte(p[:4])))
	return p
}

// Acknowledged reads an acknowledgement; ok is false when its CRC does not fit, or
// it is none.
func Acknowledged(p [6]byte) (seq uint16, nak, ok bool) {
	seq, nak = binary.BigEndian.Uint16(p[2:])%numbers, p[0] == nakType
	ok = (nak || p[0] == ackType) && binary.LittleEndian.Uint16(p[4:]) == pcie.DLLPCRC([4]byte(p[:4]))
	return seq, nak, ok
}
