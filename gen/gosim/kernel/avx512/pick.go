package avx512

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

var errFar = errors.New("lanes are too far apart in memory")

// mostWindows is the maximum number of 64-byte windows of memory from which lanes are taken.
const mostWindows = 16

// pick collects lanes. The high bytes of each lane are zero.
func (s *selector) pick(i kernel.Inst) kernel.Reg {
	if at, word, ok := s.column(i); ok && s.columns(at) >= fewestColumns {
		return s.square(i, at)[word]
	}
	step, _ := kernel.Period(i.Numbers, s.Step)
	from := slices.Repeat([]int{nowhere}, s.Lanes*s.Size/8)
	for l, n := range i.Numbers[s.First:][:s.Lanes] {
		for b := range i.At.Size / 8 {
			from[l*s.Size/8+b] = n + b
		}
	}
	return s.permuted(i.At, from, step, s.Step, "CX")
}

// nowhere is the source of a byte that is zero.
const nowhere = -1

// repeats contains the instructions that load 8, 16 or 32 bytes and repeat them until a register is
// full.
var repeats = []string{"VPBROADCASTQ", "VBROADCASTI64X2", "VBROADCASTI64X4"}

// permuted returns bytes of memory at the offsets in from, behind a place. It permutes one window
// of 64 bytes after the other, all with the same index, each into its bytes of the result. Windows
// move by step with a general register, which grows by lanes in each iteration. Windows are whole
// cache lines if fields are aligned and if that needs no additional windows. Otherwise few bytes
// are loaded alone: a window would extend into another line, and might wait for a recent store
// there.
func (s *selector) permuted(at kernel.Place, from []int, step, lanes int, by string) kernel.Reg {
	lo, hi := math.MaxInt, 0
	for _, n := range from {
		if n != nowhere {
			lo, hi = min(lo, n), max(hi, n)
		}
	}
	if ahead := (at.Bytes + lo) % 64; s.Kernel.Lines && (hi-lo+ahead)/64 == (hi-lo)/64 {
		lo -= ahead
	}
	order, in := make([]byte, 64), map[int]uint64{} // bytes of the result by window
	for b, n := range from {
		if n != nowhere {
			order[b] = byte((n - lo) % 64)
			in[(n-lo)/64] |= 1 << b
		}
	}
	if len(in) > mostWindows {
		s.Fail(errFar)
	}
	index, x := s.Once(fmt.Sprintf("VMOVDQU64 %s, {d:Z}", s.Bytes(order))), kernel.NoReg
	mask := func(window int) kernel.Reg {
		return s.OnceMask(fmt.Sprintf("MOVQ $%#x, R9\n\tKMOVQ R9, {d}", in[window]))
	}
	if span := hi - lo; span < 32 && !s.Kernel.Lines {
		before, memory := s.Moving(at, lo, step, lanes, by)
		few := s.Emit(fmt.Sprintf("%s%s %s, {d:Z}", before, repeats[max(0, bits.Len(uint(span))-3)], memory))
		if slices.Contains(from, nowhere) {
			return s.Emit("VPERMB.Z {0:Z}, {1:Z}, {2}, {d:Z}", few, index, mask(0))
		}
		return s.Emit("VPERMB {0:Z}, {1:Z}, {d:Z}", few, index)
	}
	for _, window := range slices.Sorted(maps.Keys(in)) {
		before, memory := s.Moving(at, lo+64*window, step, lanes, by)
		text := before + "VPERMB"
		switch {
		case x != kernel.NoReg:
			x = s.Change(text+" "+memory+", {1:Z}, {2}, {d:Z}", x, index, mask(window))
		case slices.Contains(from, nowhere):
			x = s.Emit(text+".Z "+memory+", {0:Z}, {1}, {d:Z}", index, mask(window))
		default: // other windows contain the rest
			x = s.Emit(text+" "+memory+", {0:Z}, {d:Z}", index)
		}
	}
	return x
}

// pickMask collects bits. Each lane loads its byte and tests a bit of it.
func (s *selector) pickMask(i kernel.Inst) kernel.Reg {
	numbers := i.Numbers[s.First : s.First+s.Lanes]
	step, _ := kernel.Period(i.Numbers, s.Step)
	lo, hi := slices.Min(numbers), slices.Max(numbers)
	if lo == hi {
		before, at := s.Moving(i.At, lo/8, step/8, s.Step/8, "DX")
		return s.LoadMask(fmt.Sprintf("%sMOVBLZX %s, R9\n\tSHRL $%d, R9\n\tANDL $1, R9\n\tNEGQ R9\n\tKMOV%s R9, {d}", before, at, lo%8, s.maskSuffix()))
	}
	from, tested := make([]int, len(numbers)), make([]byte, 64)
	for l, n := range numbers {
		from[l], tested[l] = n/8, 1<<(n%8)
	}
	x := s.permuted(i.At, from, step/8, s.Step/8, "DX")
	name := map[int]string{32: "Y", 64: "Z"}[s.Lanes]
	if name == "" {
		name = "X"
	}
	return s.EmitMask(fmt.Sprintf("VPTESTMB %s, {0:%s}, {d}", s.Bytes(tested), name), x)
}
