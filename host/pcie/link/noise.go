package link

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/dll"
)

// Packet is what the wires carry: a TLP in its frame, or an acknowledgement.
type Packet struct {
	TLP   *pcie.TLP // nil for an acknowledgement
	Seq   uint16    // 12 bits
	Again bool      // a TLP that was sent before
	NAK   bool      // an acknowledgement that asks for what is behind Seq
}

// Bits is the size on the wire, with the framing.
func (p Packet) Bits() int {
	if p.TLP == nil {
		return 8 * dll.PacketBytes
	}
	return 8 * p.TLP.WireLen()
}

// Damage is what the wires do to a packet.
type Damage struct {
	Lost  bool
	Twice bool
	Flips []int // bits that arrive wrong, from 0, the first of the framing, to Bits-1
}

// Noise sees each packet when its first bit goes on the wires, and says what they do
// to it. It must not keep or change the TLP, nor send. What it does is below all
// that an [Injector] does: the data link layer repairs it.
type Noise func(dir Direction, at des.Time, p Packet) Damage

// copies is how many packets arrive.
func (d Damage) copies() int {
	switch {
	case d.Lost:
		return 0
	case d.Twice:
		return 2
	}
	return 1
}

// framingBytes is the part of the framing that no CRC covers.
const framingBytes = 2

// inFraming reports whether a packet cannot be told from noise.
func inFraming(flips []int) bool {
	return slices.ContainsFunc(flips, func(bit int) bool { return bit < 8*framingBytes })
}

// flip makes bits behind the framing wrong.
func flip(b []byte, flips []int) {
	for _, bit := range flips {
		b[bit/8-framingBytes] ^= 1 << (bit % 8)
	}
}

// check gives the number of a frame as it has arrived, and whether its LCRC fits. A
// TLP that an injector has made such that it has no encoding has no LCRC either: it is
// good unless it was damaged.
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

// check reads an acknowledgement as it has arrived.
func (a *ack) check() (seq uint16, nak, ok bool) {
	if inFraming(a.flips) {
		return 0, false, false
	}
	flip(a.packet[:], a.flips)
	return dll.Acknowledged(a.packet)
}
