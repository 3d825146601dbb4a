package avx2

import (
	"fmt"
	"math/bits"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// woven stores lanes of several consecutive words. Each vector takes its lanes from all of the
// words.
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

// order returns the lanes of vector v of n words, as two bits for each.
func (s *selector) order(v, n int) (order int) {
	for l := range s.Lanes {
		order |= (v*s.Lanes + l) / n << (2 * l)
	}
	return order
}

// wovenVector stores vector v and gathers the changes.
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

// listing appends the addresses of the active lanes to the lists. A table contains, for each mask,
// the order that compacts its lanes.
func (s *selector) listing(i kernel.Inst) {
	text, uses := s.collected("R9", i.Args[2], nil)
	order := s.Emit(fmt.Sprintf("%s\tLEAQ %s, R8\n\tVPMOVZXBD (R8)(R9*8), {d:Y}", text, s.Bytes(s.together())), uses...)
	for n := range 2 {
		x := s.Emit("VPERMD {1:Y}, {0:Y}, {d:Y}", order, s.Get(i.Args[n]))
		s.Effect(fmt.Sprintf("VMOVDQU {0}, %s", s.Listed(n)), x)
	}
	s.Effect(fmt.Sprintf("%s\tPOPCNTL R9, R9\n\tADDQ R9, %s", text, kernel.Counter), uses...)
}

// together returns, for each mask, the numbers of the 64-bit halves, or of the 32-bit words, whose
// bit is set.
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

// extending returns the instruction that loads the present lanes of a place.
func (s *selector) extending(at kernel.Place) string {
	if at.Size == s.Size {
		return fmt.Sprintf("VMOVDQU %s, {d}", s.Words(at))
	}
	return fmt.Sprintf("VPMOVZX%s%s %s, {d}", kernel.Suffix(at.Size), kernel.Suffix(s.Size), s.Words(at))
}

// broadcast loads a place into each lane.
func (s *selector) broadcast(at kernel.Place) kernel.Reg {
	if at.Size == s.Size {
		return s.Load(fmt.Sprintf("VPBROADCAST%s %s, {d}", kernel.Suffix(at.Size), kernel.Address(at)))
	}
	move := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL"}[at.Size]
	return s.Load(fmt.Sprintf("%s %s, R9\n\tVMOVQ R9, {d:X}\n\tVPBROADCAST%s {d:X}, {d}", move, kernel.Address(at), kernel.Suffix(s.Size)))
}

// gathered loads from a place for each lane. The instruction overwrites its mask.
func (s *selector) gathered(i kernel.Inst) kernel.Reg {
	mask, not := s.Get(i.Args[1]), s.not[i.Args[1]]
	copied := s.Emit("VMOVDQA {0}, {d}", mask)
	if not {
		copied = s.apply("VPXOR", mask, s.ones())
	}
	zero := s.Emit("VPXOR {d}, {d}, {d}")
	x := s.Change(fmt.Sprintf("VPGATHER%[1]s%[1]s {2}, %[2]s({1}*1), {d}", kernel.Suffix(s.Size), kernel.Address(i.At)), zero, s.Get(i.Args[0]), copied)
	if i.At.Size == s.Size {
		return x
	}
	return s.with("VPAND", x, 1<<i.At.Size-1)
}

// blended stores words and gathers the changes.
func (s *selector) blended(i kernel.Inst) {
	x, same := s.Get(i.Args[0]), i.At.Size == s.Size
	var changes kernel.Reg
	switch masked := len(i.Args) == 2; {
	case masked, i.Group >= 0 && !same:
		old := s.Emit(s.extending(i.At))
		if masked {
			x = s.choice(i.Args[1], x, old)
		}
		if i.Group >= 0 {
			changes = s.apply("VPXOR", x, old)
		}
	case i.Group >= 0:
		changes = s.Emit(fmt.Sprintf("VPXOR %s, {0}, {d}", s.Words(i.At)), x)
	}
	if i.Group >= 0 {
		s.note(i.Group, changes)
	}
	if same {
		s.Effect(fmt.Sprintf("VMOVDQU {0}, %s", s.Words(i.At)), x)
	} else {
		s.narrowed(i.At, x)
	}
}

// note adds changes to a group.
func (s *selector) note(group int, changes kernel.Reg) {
	sum, at := s.Sum(group)
	if at == "" {
		s.Effect(fmt.Sprintf("VPOR {0}, %[1]s, %[1]s", sum), changes)
		return
	}
	changes = s.Emit(fmt.Sprintf("VPOR %s, {0}, {d}", at), changes)
	s.Effect(fmt.Sprintf("VMOVDQU {0}, %s", at), changes)
}

// narrowed stores the low bits of words. A shuffle moves the bits of each half of a vector into
// position.
func (s *selector) narrowed(at kernel.Place, x kernel.Reg) {
	each, half := at.Size/8, 128/s.Size
	index := make([]byte, 32)
	for i := range index {
		index[i] = 0x80
	}
	for l := range s.Lanes {
		for b := range each {
			index[l/half*16+l*each+b] = byte(l%half*s.Size/8 + b)
		}
	}
	x = s.Emit(fmt.Sprintf("VPSHUFB %s, {0}, {d}", s.Bytes(index)), x)
	if s.Width == 256 {
		high := s.Emit("VEXTRACTI128 $1, {0}, {d:X}", x)
		x = s.Emit("VPOR {1:X}, {0:X}, {d:X}", x, high)
	}
	move := map[int]string{16: "VMOVDQU", 8: "VMOVQ", 4: "VMOVD", 2: "VPEXTRW $0,"}[s.Lanes*each]
	s.Effect(fmt.Sprintf("%s {0:X}, %s", move, s.Words(at)), x)
}

// storeBitsOf stores the bits of a mask and gathers the changes.
func (s *selector) storeBitsOf(i kernel.Inst) {
	at := s.Bits(i.At)
	text, uses := s.collected("R9", i.Args[0], nil)
	up := func(register string) {
		if by := s.First % 8; by > 0 { // their place in a byte
			text += fmt.Sprintf("\tSHLL $%d, %s\n", by, register)
		}
	}
	up("R9")
	if s.Lanes >= 8 && len(i.Args) == 1 && i.Group < 0 {
		s.Effect(fmt.Sprintf("%s\t%s R9, %s", text, s.StoreBits(), at), uses...)
		return
	}
	text += fmt.Sprintf("\t%s %s, R8\n\tXORQ R8, R9\n", s.LoadBits(), at)
	if s.Lanes < 8 { // other lanes own the rest of the byte
		text += fmt.Sprintf("\tANDL $%#x, R9\n", s.ByteMask())
	}
	if len(i.Args) == 2 {
		var more string
		more, uses = s.collected(kernel.Spare, i.Args[1], uses)
		text += more
		up(kernel.Spare)
		text += fmt.Sprintf("\tANDQ %s, R9\n", kernel.Spare)
	}
	if i.Group >= 0 {
		text += fmt.Sprintf("\tORQ R9, %s\n", s.Union(i.Group))
	}
	s.Effect(fmt.Sprintf("%s\tXORQ R8, R9\n\t%s R9, %s", text, s.StoreBits(), at), uses...)
}

// collected moves the bits of a mask to a general register. It uses one register in addition to
// others.
func (s *selector) collected(to string, mask kernel.Value, others []kernel.Reg) (text string, uses []kernel.Reg) {
	x, n := s.Get(mask), len(others)
	switch {
	case s.Size == 16 && s.Width == 256:
		x = s.Emit("VPERMQ $0xd8, {0}, {d}", s.apply("VPACKSSWB", x, x))
		text = fmt.Sprintf("VPMOVMSKB {%d:X}, %s\n", n, to)
	case s.Size == 16:
		x = s.apply("VPACKSSWB", x, x)
		text = fmt.Sprintf("VPMOVMSKB {%d}, %s\n\tMOVBLZX %s, %s\n", n, to, to, to)
	default:
		name := map[int]string{8: "VPMOVMSKB", 32: "VMOVMSKPS", 64: "VMOVMSKPD"}[s.Size]
		text = fmt.Sprintf("%s {%d}, %s\n", name, n, to)
	}
	if n > 0 {
		text = "\t" + text
	}
	if s.not[mask] {
		text += fmt.Sprintf("\tXORL $%#x, %s\n", uint32(1<<s.Lanes-1), to)
	}
	return text, append(others, x)
}
