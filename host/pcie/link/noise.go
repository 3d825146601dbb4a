package link

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/dll"
)

// Packet is a packet on the wires: a TLP in its frame, or an acknowledgement.
type Packet struct {
	TLP   *pcie.TLP // nil for an acknowledgement
	Seq   uint16    // 12 bits
	Again bool      // a TLP that was sent before
	NAK   bool      // an acknowledgement that requests a replay after Seq
}

// Bits returns the size on the wire in bits, including the framing.
func (p Packet) Bits() int {
	if p.TLP == nil {
		return 8 * dll.PacketBytes
	}
	return 8 * p.TLP.WireLen()
}

// Damage describes the errors of a packet on the wires.
type Damage struct {
	Lost  bool
	Twice bool
	Flips []int // indices of inverted bits, from 0, the first bit of the framing, to Bits-1
}

// Noise is called for each packet when its first bit enters the wires, and returns the errors of
// the packet. It must not keep or change the TLP, or send TLPs. Unlike the effects of an
// [Injector], these errors are repaired by the data link layer.
type Noise func(dir Direction, at des.Time, p Packet) Damage

// copies returns the number of packets that arrive.
func (d Damage) copies() int {
	switch {
	case d.Lost:
		return 0
	case d.Twice:
		return 2
	}
	return 1
}

// framingBytes is the number of framing bytes that no CRC covers.
const framingBytes = 2

// inFraming reports whether the framing is damaged, so that the receiver does not recognize a
// packet.
func inFraming(flips []int) bool {
	return slices.ContainsFunc(flips, func(bit int) bool { return bit < 8*framingBytes })
}

// flip inverts bits after the framing.
func flip(b []byte, flips []int) {
	for _, bit := range flips {
		b[bit/8-framingBytes] ^= 1 << (bit % 8)
	}
}

// check returns the sequence number of a received frame and reports whether its LCRC matches. A TLP
// that an injector made unencodable has no LCRC. Such a TLP is good unless it was damaged.
func (f *frame) check() (seq uint16, good bool) {
	b, err := f.tlp.AppendTo(nil)
	if err != nil {
		return f.seq, len(f.flips) == 0
	}
	b = dll.Frame(f.seq, b)
	flip(b, f.flips)
	seq, _, good = dll.Unframe(b)
	return seq, good
}

// check decodes a received acknowledgement.
func (a *ack) check() (seq uint16, nak, ok bool) {
	if inFraming(a.flips) {
		return 0, false, false
	}
	flip(a.packet[:], a.flips)
	return dll.Acknowledged(a.packet)
}
