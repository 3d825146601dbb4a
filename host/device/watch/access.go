package watch

import (
	"encoding/binary"
	"iter"
	"math/bits"

	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// words yields the words of a request that are outside the MSI-X structures: the index in the
// request, the offset in the BAR, and the byte enables.
func (w *Watch) words(t *pcie.TLP) iter.Seq2[int, word] {
	return func(yield func(int, word) bool) {
		base := t.Addr - w.endpoint.BAR().Base
		for i := range t.Length {
			x := word{base + 4*uint64(i), 0xf}
			if i == 0 {
				x.enables = t.FirstBE
			} else if i == t.Length-1 {
				x.enables = t.LastBE
			}
			if !w.endpoint.MSIX().Contains(x.offset) && !yield(i, x) {
				return
			}
		}
	}
}

// word is a word of a request.
type word struct {
	offset  uint64
	enables uint8
}

// read checks a read of registers.
func (w *Watch) read(t *pcie.TLP) {
	for _, x := range w.words(t) {
		if _, ok := registers[x.offset]; !ok {
			w.found(NoRegister, x.offset, 1)
		}
		if t.Length == 1 {
			w.polls.asked[t.Tag] = x.offset
		}
	}
}

// answer counts equal answers in sequence.
func (w *Watch) answer(t *pcie.TLP) {
	offset, ok := w.polls.asked[t.Tag]
	delete(w.polls.asked, t.Tag)
	if !ok || t.Length != 1 {
		w.polls.n = 0
		return
	}
	p, value := &w.polls, binary.LittleEndian.Uint32(t.Data)
	if p.n == 0 || p.offset != offset || p.value != value {
		p.offset, p.value, p.n = offset, value, 0
	}
	switch p.n++; {
	case p.n == LeastPolls:
		w.found(Poll, offset, LeastPolls)
	case p.n > LeastPolls:
		w.found(Poll, offset, 1)
	}
}

// write checks a write of registers.
func (w *Watch) write(t *pcie.TLP) {
	w.polls.n = 0
	for i, x := range w.words(t) {
		switch r, ok := registers[x.offset]; {
		case !ok:
			w.found(NoRegister, x.offset, 1)
		case !r.writes:
			w.found(ReadOnly, x.offset, 1)
		case bits.OnesCount8(x.enables) != 4:
			w.found(PartialWrite, x.offset, 1)
		default:
			w.set(x.offset, binary.LittleEndian.Uint32(t.Data[4*i:]))
		}
	}
}

// controlReset is the bit of the control register that resets the device.
const controlReset = 1 << 1

// set follows a write of a register.
func (w *Watch) set(offset uint64, value uint32) {
	r := &w.rings
	switch offset {
	case arch.CSRControl:
		if value&controlReset != 0 {
			w.restart()
		}
	case arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRCQBaseLo, arch.CSRCQBaseHi:
		r.bases[offset] = value
	case arch.CSRCQLog2:
		r.log2 = value
	case arch.CSRCQHead:
		r.head = uint16(value)
	case arch.CSRSQTail:
		w.doorbell(value)
	}
}

// doorbell checks a write of the index of commands.
func (w *Watch) doorbell(value uint32) {
	switch r := &w.rings; {
	case value == 0:
	case len(r.bases) < 4:
		w.found(EarlyDoorbell, arch.CSRSQTail, 1)
	case uint64(r.tail-r.head) >= r.size():
		w.found(FullRing, arch.CSRCQHead, 1)
	}
}

// size returns the number of entries of the completion ring.
func (r *rings) size() uint64 { return 1 << (r.log2 & 0xf) }

// completion follows a write of the card to the completion ring.
func (w *Watch) completion(t *pcie.TLP) {
	r := &w.rings
	base := uint64(r.bases[arch.CSRCQBaseHi])<<32 | uint64(r.bases[arch.CSRCQBaseLo])
	if len(r.bases) == 4 && t.Kind == pcie.MWr && t.MSIX == 0 && t.Addr >= base && t.Addr < base+r.size()*arch.CompletionBytes {
		r.tail++
	}
}
