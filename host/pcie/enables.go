package pcie

import (
	"iter"
	"math/bits"
)

// DWs returns the number of DWs that n bytes at addr touch, or 1 if n is 0.
func DWs(addr uint64, n int) int { return max(1, (int(addr&3)+n+3)/4) }

// Enables returns the byte enables of n bytes at addr (2.2.5): first for the first DW, and last for
// the last DW. If there is only one DW, last is 0.
func Enables(addr uint64, n int) (first, last uint8) {
	lead := int(addr & 3)
	first = 0xf << lead & 0xf
	trail := -(lead + n) & 3 // disabled bytes at the end of the last DW
	last = 0xf >> trail
	if DWs(addr, n) > 1 {
		return first, last
	}
	if n == 0 {
		return 0, 0
	}
	return first & last, 0
}

// Span returns the address of the first enabled byte of a request and the number of bytes up to the
// last enabled byte. A request without enabled bytes counts as one byte at the start of its DW; for
// a read, it is a flush. Configuration requests count as four bytes at 0 for any enables, as their
// completions require (2.2.9).
func (t *TLP) Span() (addr uint64, n int) {
	if t.Kind.IsConfig() {
		return 0, 4
	}
	if t.FirstBE&0xf == 0 {
		return t.Addr, 1
	}
	lead := bits.TrailingZeros8(t.FirstBE)
	last := t.LastBE
	if t.Length == 1 {
		last = t.FirstBE
	}
	trail := bits.LeadingZeros8(last << 4)
	return t.Addr + uint64(lead), 4*t.Length - lead - trail
}

// Bytes returns the meaningful part of the payload. For a write, it extends from the first to the
// last enabled byte; it is empty if no byte is enabled. For a completion, it excludes padding. For
// other kinds, it is the whole payload.
func (t *TLP) Bytes() []byte {
	switch t.Kind {
	case MWr:
		if t.FirstBE&0xf == 0 {
			return nil
		}
		addr, n := t.Span()
		lead := int(addr - t.Addr)
		return t.Data[lead : lead+n]
	case CplD:
		lead := int(t.LowerAddr & 3)
		return t.Data[lead:min(len(t.Data), lead+t.ByteCount)]
	}
	return t.Data
}

// Runs yields the contiguous runs of enabled bytes of a write, each with its address. Only writes
// of one DW or of an aligned quadword can have holes.
func (t *TLP) Runs() iter.Seq2[uint64, []byte] {
	return func(yield func(uint64, []byte) bool) {
		b := t.Bytes()
		start, n := t.Span()
		if len(b) == 0 {
			return
		}
		enabled := uint64(t.FirstBE) | uint64(t.LastBE)<<4
		if t.Length > 2 || bits.OnesCount64(enabled) == n {
			yield(start, b)
			return
		}
		lead := start - t.Addr
		for i := 0; i < n; {
			rest := enabled >> (lead + uint64(i))
			gap := bits.TrailingZeros64(rest)
			i += gap
			run := bits.TrailingZeros64(^(rest >> gap))
			if !yield(start+uint64(i), b[i:i+run]) {
				return
			}
			i += run
		}
	}
}

// checkEnables checks the byte enables of a request (2.2.5).
func checkEnables(t *TLP) error {
	switch {
	case t.Length == 1 && t.LastBE != 0:
		return malformed("%v of one DW has last byte enables %04b, expected 0000", t.Kind, t.LastBE)
	case t.Length == 1:
		return nil
	case t.FirstBE == 0 || t.LastBE == 0:
		return malformed("%v of %d DWs has byte enables %04b and %04b, expected both to be set", t.Kind, t.Length, t.FirstBE, t.LastBE)
	case t.Length == 2 && t.Addr&7 == 0:
		return nil // an aligned quadword may have holes
	}
	// The first DW must be enabled up to its end, the last DW from its start.
	if f := t.FirstBE; f != 0xf && f != 0xe && f != 0xc && f != 0x8 {
		return malformed("%v of %d DWs has first byte enables %04b, expected no hole", t.Kind, t.Length, f)
	}
	if l := t.LastBE; l != 0xf && l != 7 && l != 3 && l != 1 {
		return malformed("%v of %d DWs has last byte enables %04b, expected no hole", t.Kind, t.Length, l)
	}
	return nil
}
