package avx512

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// load loads the present lanes of a place.
func (s *selector) load(at kernel.Place) kernel.Reg {
	r := s.Load(s.loadOf(at))
	s.NoteLoad(at)
	if at.Away {
		s.ahead(at)
	}
	return r
}

// ahead prefetches the data that most likely follows the present lanes of a place away: the lanes
// of the next iteration, and the same lanes of the next cycle, in the part after this one.
func (s *selector) ahead(at kernel.Place) {
	if s.Kernel.Next.Loads {
		s.Effect("PREFETCHT1 " + at.Part + "__size+" + s.Words(at))
	}
	if s.Looped && s.Lanes*at.Size == 512 { // a line of the cache
		at.Bytes += 64
		s.Effect("PREFETCHT0 " + s.Words(at))
	}
}

func (s *selector) loadOf(at kernel.Place) string {
	if s.half() && at.Size == s.Size {
		return fmt.Sprintf("VMOVQ %s, {d}", s.Words(at))
	}
	if at.Size == s.Size {
		return fmt.Sprintf("VMOVDQU64 %s, {d}", s.Words(at))
	}
	return fmt.Sprintf("VPMOVZX%s%s %s, {d}", kernel.Suffix(at.Size), kernel.Suffix(s.Size), s.Words(at))
}

// half reports whether the present words fill half of the shortest vector.
func (s *selector) half() bool { return s.Lanes*s.Size == 64 }

// splat loads a place into each lane.
func (s *selector) splat(at kernel.Place) kernel.Reg {
	if at.Size == s.Size {
		return s.Load(fmt.Sprintf("VPBROADCAST%s %s, {d}", kernel.Suffix(at.Size), kernel.Address(at)))
	}
	move := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL"}[at.Size]
	return s.Load(fmt.Sprintf("%s %s, R9\n\tVPBROADCAST%s R9, {d}", move, kernel.Address(at), kernel.Suffix(s.Size)))
}

// gather loads from a place for each lane. The instruction overwrites its mask.
func (s *selector) gather(i kernel.Inst) kernel.Reg {
	mask := s.EmitMask("KMOVQ {0}, {d}", s.Get(i.Args[1]))
	zero := s.Emit("VPXORQ {d}, {d}, {d}")
	x := s.Change(fmt.Sprintf("VPGATHER%[1]s%[1]s %[2]s({1}*1), {2}, {d}", kernel.Suffix(s.Size), kernel.Address(i.At)), zero, s.Get(i.Args[0]), mask)
	if i.At.Size == s.Size {
		return x
	}
	return s.Emit(fmt.Sprintf("VPANDQ.BCST %s, {0}, {d}", s.Literal(1<<i.At.Size-1, s.Size)), x)
}

// store stores words and gathers the changes.
func (s *selector) store(i kernel.Inst) {
	x := s.Get(i.Args[0])
	sum := ""
	if i.Group >= 0 {
		sum, _ = s.Sum(i.Group)
	}
	switch {
	case len(i.Args) == 2 && sum == "" && i.At.Size == s.Size && s.Size >= 32:
		s.NoteStore(i.At)
		s.Effect(fmt.Sprintf("VMOVDQU%d {0}, {1}, %s", s.Size, s.Words(i.At)), x, s.Get(i.Args[1]))
		return
	case len(i.Args) == 2:
		old := s.Emit(s.loadOf(i.At))
		x = s.blend(s.Get(i.Args[1]), x, old)
		s.differs(sum, x, old)
	case sum != "" && i.At.Size == s.Size && !s.half():
		s.Effect(fmt.Sprintf("VPTERNLOGD $0xf6, %s, {0}, %s", s.Words(i.At), sum), x)
	case sum != "":
		s.differs(sum, x, s.Emit(s.loadOf(i.At)))
	}
	s.NoteStore(i.At)
	if s.half() && i.At.Size == s.Size {
		s.Effect(fmt.Sprintf("VMOVQ {0}, %s", s.Words(i.At)), x)
	} else if i.At.Size == s.Size {
		s.Effect(fmt.Sprintf("VMOVDQU64 {0}, %s", s.Words(i.At)), x)
	} else {
		s.Effect(fmt.Sprintf("VPMOV%s%s {0}, %s", kernel.Suffix(s.Size), kernel.Suffix(i.At.Size), s.Words(i.At)), x)
	}
}

// differs adds the differences of words to the register sum, unless sum is empty.
func (s *selector) differs(sum string, x, y kernel.Reg) {
	switch {
	case sum == "":
	case s.half():
		d := s.Emit("VPXORD {1}, {0}, {d}", x, y)
		d = s.Emit("VMOVQ {0}, {d}", d) // clear the bits above
		s.Effect(fmt.Sprintf("VPORD {0}, %[1]s, %[1]s", sum), d)
	default:
		s.Effect(fmt.Sprintf("VPTERNLOGD $0xf6, {1}, {0}, %s", sum), x, y)
	}
}

// storeWords interleaves lanes of words and stores them.
func (s *selector) storeWords(i kernel.Inst) {
	n, index := i.At.Size/64, make([]byte, 64)
	lanes := kernel.NoReg // all bits of the lanes that are stored
	if len(i.Args) > n {
		lanes = s.Emit("VPMOVM2Q {0}, {d}", s.Get(i.Args[n]))
	}
	for v := range n {
		var x kernel.Reg
		var order kernel.Reg
		for w, a := range i.Args[:n] {
			in := 0
			for l := range s.Lanes {
				at := v*s.Lanes + l
				index[8*l] = byte(at / n)
				if at%n == w {
					in |= 1 << l
				}
			}
			order = s.Once(fmt.Sprintf("VMOVDQU64 %s, {d:Z}", s.Bytes(slices.Clone(index))))
			if w == 0 {
				x = s.Emit("VPERMQ {0}, {1}, {d}", s.Get(a), order)
				continue
			}
			mask := s.OnceMask(fmt.Sprintf("MOVL $%#x, R9\n\tKMOVB R9, {d}", in))
			x = s.Change("VPERMQ {1}, {2}, {3}, {d}", x, s.Get(a), order, mask)
		}
		at := i.At
		at.Bytes += 8 * v * s.Lanes
		if !s.Looped {
			at.Bytes += 8 * n * s.First
		}
		pre, to := s.Moving(at, 0, 8*n*s.Lanes, s.Lanes, "CX")
		if lanes != kernel.NoReg {
			mask := s.EmitMask("VPMOVQ2M {0}, {d}", s.Emit("VPERMQ {0}, {1}, {d}", lanes, order))
			x = s.Emit(fmt.Sprintf("%sVPBLENDMQ {0}, {1}, {2}, {d}", pre), x, s.Emit(fmt.Sprintf("%sVMOVDQU64 %s, {d}", pre, to)), mask)
		}
		if i.Group >= 0 {
			sum, _ := s.Sum(i.Group)
			s.Effect(fmt.Sprintf("%sVPTERNLOGD $0xf6, %s, {0}, %s", pre, to, sum), x)
		}
		s.Effect(fmt.Sprintf("%sVMOVDQU64 {0}, %s", pre, to), x)
	}
}

// there reports whether a mask is in memory. A general register then copies it in half the time
// that a mask register takes.
func (s *selector) there(mask kernel.Value) bool {
	i := s.Kernel.Insts[mask]
	return i.Op == kernel.LoadMask && s.Loaded(i.At)
}

// storeMask stores bits and gathers the changes.
func (s *selector) storeMask(i kernel.Inst) {
	x, at := s.Get(i.Args[0]), s.Bits(i.At)
	if s.there(i.Args[0]) && len(i.Args) == 1 && i.Group < 0 && s.Lanes >= 8 {
		s.NoteStore(i.At)
		s.Effect(fmt.Sprintf("%s %s, R9\n\t%s R9, %s", s.LoadBits(), s.Bits(s.Kernel.Insts[i.Args[0]].At), s.StoreBits(), at))
		return
	}
	if len(i.Args) == 2 {
		m := s.Get(i.Args[1])
		old := s.EmitMask(fmt.Sprintf("KMOV%s %s, {d}", s.maskSuffix(), at))
		x = s.EmitMask(fmt.Sprintf("KAND%s {1}, {0}, {d}", s.maskSuffix()), x, m)
		old = s.without(old, m)
		x = s.EmitMask(fmt.Sprintf("KOR%s {1}, {0}, {d}", s.maskSuffix()), x, old)
	}
	if i.Group < 0 && s.Lanes >= 8 {
		s.NoteStore(i.At)
		s.Effect(fmt.Sprintf("KMOV%s {0}, %s", s.maskSuffix(), at), x)
		return
	}
	text := fmt.Sprintf("KMOV%s {0}, R9\n", s.maskSuffix())
	switch {
	case s.Lanes < 8: // other lanes own the rest of the byte
		text += fmt.Sprintf("\tMOVBLZX %s, R8\n\tXORL R8, R9\n\tANDL $%d, R9\n", at, 1<<s.Lanes-1)
		if i.Group >= 0 {
			text += fmt.Sprintf("\tORQ R9, %s\n", s.Union(i.Group))
		}
		text += "\tXORL R8, R9\n"
	case i.Group >= 0:
		text += fmt.Sprintf("\t%s %s, R8\n\tXORQ R9, R8\n\tORQ R8, %s\n", s.LoadBits(), at, s.Union(i.Group))
	}
	s.NoteStore(i.At)
	s.Effect(text+fmt.Sprintf("\t%s R9, %s", s.StoreBits(), at), x)
}

// pair appends the addresses of the active lanes to the lists.
func (s *selector) pair(i kernel.Inst) {
	mask := s.Get(i.Args[2])
	for n := range 2 {
		x := s.Emit(fmt.Sprintf("VPCOMPRESS%s.Z {1}, {0}, {d}", kernel.Suffix(s.Kernel.Widest)), mask, s.Get(i.Args[n]))
		s.Effect(fmt.Sprintf("VMOVDQU64 {0}, %s", s.Listed(n)), x)
	}
	own := ""
	if s.Lanes < 8 { // other lanes own the rest of the byte
		own = fmt.Sprintf("\tANDL $%d, R9\n", 1<<s.Lanes-1)
	}
	s.Effect(fmt.Sprintf("KMOV%s {0}, R9\n%s\tPOPCNTQ R9, R9\n\tADDQ R9, %s", s.maskSuffix(), own, kernel.Counter), mask)
}
