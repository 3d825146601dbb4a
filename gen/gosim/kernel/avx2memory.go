package kernel

import (
	"fmt"
	"math/bits"
)

// woven puts lanes of several words into memory, one behind the other: each vector takes its
// lanes from all of them.
func (s *selector) woven(i Inst) {
	n := i.At.Size / 64
	if s.vector < 256 {
		s.err = errOperation
		return
	}
	for v := range n {
		var x reg
		for w, a := range i.Args[:n] {
			y := s.emit(false, false, fmt.Sprintf("VPERMQ $%#x, {0}, {d}", s.order(v, n)), s.get(a))
			if w == 0 {
				x = y
				continue
			}
			own := 0 // halves of the lanes that this word has
			for l := range s.lanes {
				if (v*s.lanes+l)%n == w {
					own |= 3 << (2 * l)
				}
			}
			x = s.emit(false, false, fmt.Sprintf("VPBLENDD $%#x, {1}, {0}, {d}", own), x, y)
		}
		s.wovenVector(i, v, x)
	}
}

// order is the lanes that vector v of n words has, two bits for each.
func (s *selector) order(v, n int) (order int) {
	for l := range s.lanes {
		order |= (v*s.lanes + l) / n << (2 * l)
	}
	return order
}

// wovenVector puts vector v into memory and gathers the changes.
func (s *selector) wovenVector(i Inst, v int, x reg) {
	n, at := i.At.Size/64, i.At
	at.Bytes += 8 * n * s.first
	before, to := s.place(at, 8*v*s.lanes, 8*n*s.step, s.step, "CX")
	if len(i.Args) == n && i.Group < 0 {
		s.effect(fmt.Sprintf("%sVMOVDQU {0}, %s", before, to), x)
		return
	}
	old := s.emit(false, false, fmt.Sprintf("%sVMOVDQU %s, {d}", before, to))
	if len(i.Args) > n {
		mask := i.Args[n]
		lanes := s.emit(false, false, fmt.Sprintf("VPERMQ $%#x, {0}, {d}", s.order(v, n)), s.of[mask])
		if s.not[mask] {
			x = s.emit(false, false, "VPBLENDVB {0}, {2}, {1}, {d}", lanes, x, old)
		} else {
			x = s.emit(false, false, "VPBLENDVB {0}, {1}, {2}, {d}", lanes, x, old)
		}
	}
	if i.Group >= 0 {
		s.note(i.Group, s.apply("VPXOR", x, old))
	}
	s.effect(fmt.Sprintf("%sVMOVDQU {0}, %s", before, to), x)
}

// listing appends what the present lanes copy to the lists: a table has, for the bits of a
// mask, the order that brings its lanes together.
func (s *selector) listing(i Inst) {
	text, uses := s.collected("R9", i.Args[2], nil)
	order := s.emit(false, false, fmt.Sprintf("%s\tLEAQ tables<>+%d(SB), R8\n\tVPMOVZXBD (R8)(R9*8), {d:Y}", text, s.a.table(s.together())), uses...)
	for n := range 2 {
		x := s.emit(false, false, "VPERMD {1:Y}, {0:Y}, {d:Y}", order, s.get(i.Args[n]))
		s.effect(fmt.Sprintf("VMOVDQU {0}, %s", s.listed(n, counter)), x)
	}
	s.effect(fmt.Sprintf("%s\tPOPCNTL R9, R9\n\tADDQ R9, %s", text, counter), uses...)
}

// together is, for all the bits of a mask, the numbers of the halves of 64 bits, or of the words
// of 32, that have their bit set.
func (s *selector) together() (table []byte) {
	each := s.size / 32
	for mask := range uint(1) << s.lanes {
		var order [8]byte
		at := 0
		for m := mask; m != 0; m &= m - 1 {
			for part := range each {
				order[at] = byte(bits.TrailingZeros(m)*each + part)
				at++
			}
		}
		table = append(table, order[:]...)
	}
	return table
}
