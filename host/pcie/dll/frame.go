package dll

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// Frame returns a TLP preceded by its sequence number and followed by its LCRC (3.6.2), without the
// framing tokens of the wire.
func Frame(seq uint16, tlp []byte) []byte {
	f := binary.BigEndian.AppendUint16(make([]byte, 0, len(tlp)+6), seq%numbers)
	f = append(f, tlp...)
	return binary.LittleEndian.AppendUint32(f, pcie.LCRC(seq, tlp))
}

// Unframe returns the sequence number and the TLP of a frame. The result ok is false if the LCRC
// does not match.
func Unframe(f []byte) (seq uint16, tlp []byte, ok bool) {
	if len(f) < 6 {
		return 0, nil, false
	}
	n := len(f) - 4
	seq, tlp = binary.BigEndian.Uint16(f), f[2:n]
	ok = seq < numbers && binary.LittleEndian.Uint32(f[n:]) == pcie.LCRC(seq, tlp)
	return seq, tlp, ok
}

// The types of the packets that this layer originates (3.4.1).
const (
	ackType = 0x00
	nakType = 0x10
)

// PacketBytes is the size of an ACK or NAK on the wire, including its framing.
const PacketBytes = 8

// Acknowledgement returns the packet that acknowledges all TLPs up to seq: four bytes and their
// CRC. If nak is set, the packet also requests a replay of all later TLPs.
func Acknowledgement(seq uint16, nak bool) [6]byte {
	var p [6]byte
	if nak {
		p[0] = nakType
	}
	binary.BigEndian.PutUint16(p[2:], seq%numbers)
	binary.LittleEndian.PutUint16(p[4:], pcie.DLLPCRC([4]byte(p[:4])))
	return p
}

// Acknowledged decodes an acknowledgement. The result ok is false if the CRC does not match, or if
// the packet is not an acknowledgement.
func Acknowledged(p [6]byte) (seq uint16, nak, ok bool) {
	seq, nak = binary.BigEndian.Uint16(p[2:])%numbers, p[0] == nakType
	ok = (nak || p[0] == ackType) && binary.LittleEndian.Uint16(p[4:]) == pcie.DLLPCRC([4]byte(p[:4]))
	return seq, nak, ok
}
