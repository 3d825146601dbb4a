package kernel

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// period tells whether numbers go on after n of them as they began, and by how much more.
func period(numbers []int, n int) (step int, ok bool) {
	if len(numbers) <= n {
		return 0, true
	}
	step = numbers[n] - numbers[0]
	for l := n; l < len(numbers); l++ {
		if numbers[l]-numbers[l-n] != step {
			return 0, false
		}
	}
	return step, true
}

// loops tells whether all vectors of a kernel can be done by the same instructions.
func (s *selector) loops() bool {
	for _, i := range s.k.Insts {
		switch i.Op {
		case Pick:
			if step, ok := period(i.Numbers, s.step); !ok || !scalable(step, s.step) {
				return false
			}
		case PickMask:
			if step, ok := period(i.Numbers, s.step); !ok || step%8 != 0 || !scalable(step/8, s.step/8) {
				return false
			}
		}
	}
	return true
}

// scalable tells whether an index that grows by n can stand for one that grows by step.
func scalable(step, n int) bool {
	return step >= 0 && step%n == 0
}

var errFar = errors.New("lanes are too far apart in memory")

// place is the memory at bytes behind a place that moves by step for each vector, in which the
// index grows by n, and what has to be done before it can be used.
func (s *selector) place(at Place, bytes, step, n int, by string) (before, memory string) {
	index := index(by, at)
	at.Bytes += bytes
	if !s.looped || step == 0 {
		return "", field(at)
	}
	scale := step / n
	if !slices.Contains([]int{1, 2, 4, 8}, scale) {
		before = fmt.Sprintf("IMUL3Q $%d, %s, R8\n\t", scale, index)
		scale, index = 1, "R8"
	}
	return before, fmt.Sprintf("%s(%s*%d)", field(at), index, scale)
}

// mostWindows is the greatest number of pieces of memory, of 64 bytes, that lanes come from.
const mostWindows = 16

// pick collects lanes; what these have above comes from nowhere.
func (s *selector) pick(i Inst) reg {
	if at, word, ok := s.column(i); ok && s.columns(at) >= fewestColumns {
		return s.square(i, at)[word]
	}
	step, _ := period(i.Numbers, s.step)
	from := slices.Repeat([]int{nowhere}, s.lanes*s.size/8)
	for l, n := range i.Numbers[s.first:][:s.lanes] {
		for b := range i.At.Size / 8 {
			from[l*s.size/8+b] = n + b
		}
	}
	return s.permuted(i.At, from, step, s.step, "CX")
}

// nowhere is where a byte comes from that is zero.
const nowhere = -1

// repeats are the instructions that load 8, 16 or 32 bytes, again and again until a register is full.
var repeats = []string{"VPBROADCASTQ", "VBROADCASTI64X2", "VBROADCASTI64X4"}

// permuted is bytes of memory, so many behind a place as from says. A window of 64 bytes after the other is
// permuted, all in the same order, each into its bytes of the result. Windows move by step with a general
// register, in which lanes are added for each turn. They are whole lines of the cache, if fields are and if it takes
// no more of them. Otherwise few bytes are loaded alone: a window would reach into another line, and perhaps wait for what was
// just stored there.
func (s *selector) permuted(at Place, from []int, step, lanes int, by string) reg {
	lo, hi := math.MaxInt, 0
	for _, n := range from {
		if n != nowhere {
			lo, hi = min(lo, n), max(hi, n)
		}
	}
	if ahead := (at.Bytes + lo) % 64; s.k.Lines && (hi-lo+ahead)/64 == (hi-lo)/64 {
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
		s.err = errFar
	}
	index, x := s.constant(false, fmt.Sprintf("VMOVDQU64 tables<>+%d(SB), {d:Z}", s.a.table(order))), noReg
	mask := func(window int) reg {
		return s.constant(true, fmt.Sprintf("MOVQ $%#x, R9\n\tKMOVQ R9, {d}", in[window]))
	}
	if span := hi - lo; span < 32 && !s.k.Lines {
		before, memory := s.place(at, lo, step, lanes, by)
		few := s.emit(false, false, fmt.Sprintf("%s%s %s, {d:Z}", before, repeats[max(0, bits.Len(uint(span))-3)], memory))
		if slices.Contains(from, nowhere) {
			return s.emit(false, false, "VPERMB.Z {0:Z}, {1:Z}, {2}, {d:Z}", few, index, mask(0))
		}
		return s.emit(false, false, "VPERMB {0:Z}, {1:Z}, {d:Z}", few, index)
	}
	for _, window := range slices.Sorted(maps.Keys(in)) {
		before, memory := s.place(at, lo+64*window, step, lanes, by)
		text := before + "VPERMB"
		switch {
		case x != noReg:
			x = s.change(text+" "+memory+", {1:Z}, {2}, {d:Z}", x, index, mask(window))
		case slices.Contains(from, nowhere):
			x = s.emit(false, false, text+".Z "+memory+", {0:Z}, {1}, {d:Z}", index, mask(window))
		default: // other windows have the rest
			x = s.emit(false, false, text+" "+memory+", {0:Z}, {d:Z}", index)
		}
	}
	return x
}

// pickMask collects bits: each lane takes its byte, and tests a bit of that.
func (s *selector) pickMask(i Inst) reg {
	numbers := i.Numbers[s.first : s.first+s.lanes]
	step, _ := period(i.Numbers, s.step)
	lo, hi := slices.Min(numbers), slices.Max(numbers)
	if lo == hi {
		before, at := s.place(i.At, lo/8, step/8, s.step/8, "DX")
		return s.emit(true, true, fmt.Sprintf("%sMOVBLZX %s, R9\n\tSHRL $%d, R9\n\tANDL $1, R9\n\tNEGQ R9\n\tKMOV%s R9, {d}", before, at, lo%8, s.maskSuffix()))
	}
	from, tested := make([]int, len(numbers)), make([]byte, 64)
	for l, n := range numbers {
		from[l], tested[l] = n/8, 1<<(n%8)
	}
	x := s.permuted(i.At, from, step/8, s.step/8, "DX")
	name := map[int]string{32: "Y", 64: "Z"}[s.lanes]
	if name == "" {
		name = "X"
	}
	return s.emit(true, false, fmt.Sprintf("VPTESTMB tables<>+%d(SB), {0:%s}, {d}", s.a.table(tested), name), x)
}
