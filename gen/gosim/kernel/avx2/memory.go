package avx2

import (
	"fmt"
	"math/bits"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// woven puts lanes of several words into memory, one behind the other: each vector takes its
// lanes from all of them.
func (s *selector) woven(i kernel.Inst) {
	n := i.At.Size / 64
	if s.Width < 256 {
		s.Fail(errOperation)
		return
	}
	for v := range n {
		var x kernel.Reg
		for w, a := range i.Args[:n] {
			y := s.Emit(fmt.Sprintf("VPERMQ $%#x, {0}, {d}", s.order(v, n)), s.Get(a))
			if w == 0 {
				x = y
				continue
			}
			own := 0 // halves of the lanes that this word has
			for l := range s.Lanes {
				if (v*s.Lanes+l)%n == w {
					own |= 3 << (2 * l)
				}
			}
			x = s.Emit(fmt.Sprintf("VPBLENDD $%#x, {1}, {0}, {d}", own), x, y)
		}
		s.wovenVector(i, v, x)
	}
}

// order is the lanes that vector v of n words has, two bits for each.
func (s *selector) order(v, n int) (order int) {
	for l := range s.Lanes {
		order |= (v*s.Lanes + l) / n << (2 * l)
	}
	return order
}

// wovenVector puts vector v into memory and gathers the changes.
func (s *selector) wovenVector(i kernel.Inst, v int, x kernel.Reg) {
	n, at := i.At.Size/64, i.At
	at.Bytes += 8 * n * s.First
	before, to := s.Moving(at, 8*v*s.Lanes, 8*n*s.Step, s.Step, "CX")
	if len(i.Args) == n && i.Group < 0 {
		s.Effect(fmt.Sprintf("%sVMOVDQU {0}, %s", before, to), x)
		return
	}
	old := s.Emit(fmt.Sprintf("%sVMOVDQU %s, {d}", before, to))
	if len(i.Args) > n {
		mask := i.Args[n]
		lanes := s.Emit(fmt.Sprintf("VPERMQ $%#x, {0}, {d}", s.order(v, n)), s.Get(mask))
		if s.not[mask] {
			x = s.Emit("VPBLENDVB {0}, {2}, {1}, {d}", lanes, x, old)
		} else {
			x = s.Emit("VPBLENDVB {0}, {1}, {2}, {d}", lanes, x, old)
		}
	}
	if i.Group >= 0 {
		s.note(i.Group, s.apply("VPXOR", x, old))
	}
	s.Effect(fmt.Sprintf("%sVMOVDQU {0}, %s", before, to), x)
}

// listing appends what the present lanes copy to the lists: a table has, for the bits of a
// mask, the order that brings its lanes together.
func (s *selector) listing(i kernel.Inst) {
	text, uses := s.collected("R9", i.Args[2], nil)
	order := s.Emit(fmt.Sprintf("%s\tLEAQ %s, R8\n\tVPMOVZXBD (R8)(R9*8), {d:Y}", text, s.Bytes(s.together())), uses...)
	for n := range 2 {
		x := s.Emit("VPERMD {1:Y}, {0:Y}, {d:Y}", order, s.Get(i.Args[n]))
		s.Effect(fmt.Sprintf("VMOVDQU {0}, %s", s.Listed(n)), x)
	}
	s.Effect(fmt.Sprintf("%s\tPOPCNTL R9, R9\n\tADDQ R9, %s", text, kernel.Counter), uses...)
}

// together is, for all the bits of a mask, the numbers of the halves of 64 bits, or of the words
// of 32, that have their bit set.
func (s *selector) together() (table []byte) {
	each := s.Size / 32
	for mask := range uint(1) << s.Lanes {
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
