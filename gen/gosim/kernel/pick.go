package kernel

import (
	"errors"
	"fmt"
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
func (s *selector) place(at Place, bytes, step, n int, index string) (before, memory string) {
	at.Bytes += bytes
	if !s.looped || step == 0 {
		return "", field(at) + "(AX)"
	}
	scale := step / n
	if !slices.Contains([]int{1, 2, 4, 8}, scale) {
		before = fmt.Sprintf("IMUL3Q $%d, %s, R8\n\t", scale, index)
		scale, index = 1, "R8"
	}
	return before, fmt.Sprintf("%s(AX)(%s*%d)", field(at), index, scale)
}

// mostWindows is the greatest number of pieces of memory, of 128 bytes, that lanes come from.
const mostWindows = 8

// pick collects lanes from windows of 128 bytes.
func (s *selector) pick(i Inst) reg {
	numbers := i.Numbers[s.first : s.first+s.lanes]
	step, _ := period(i.Numbers, s.step)
	var x reg
	done := make([]bool, len(numbers))
	for count := 0; slices.Contains(done, false); count++ {
		if count == mostWindows {
			s.err = errFar
			return s.number(0)
		}
		lo, hi := 0, 0 // bytes of the window
		var in uint64  // bytes of the result that it has
		index := make([]byte, 64)
		for l, n := range numbers {
			if !done[l] && hi == 0 {
				lo = s.lowest(numbers, done)
			}
			end := n + i.At.Size/8
			if done[l] || n < lo || end > lo+128 {
				continue
			}
			done[l], hi = true, max(hi, end)
			for b := range s.size / 8 {
				at := l*s.size/8 + b
				index[at] = byte(n - lo + min(b, i.At.Size/8-1))
				in |= 1 << at
			}
		}
		y := s.permuted(i.At, index, lo, hi-lo, step, "CX")
		if count == 0 {
			x = y
			continue
		}
		mask := s.emit(true, true, fmt.Sprintf("MOVQ $%#x, R9\n\tKMOVQ R9, {d}", in))
		x = s.emit(false, false, "VPBLENDMB {1:Z}, {2:Z}, {0}, {d:Z}", mask, y, x)
	}
	if i.At.Size < s.size {
		x = s.emit(false, false, fmt.Sprintf("VPANDQ.BCST %s, {0}, {d}", s.a.constant(1<<i.At.Size-1, s.size)), x)
	}
	return x
}

// lowest is the least of the numbers that are not done.
func (s *selector) lowest(numbers []int, done []bool) int {
	lo := 1 << 62
	for l, n := range numbers {
		if !done[l] {
			lo = min(lo, n)
		}
	}
	return lo
}

// permuted is the bytes of a window, of so many, that an index says. The window moves with
// a general register.
func (s *selector) permuted(at Place, index []byte, lo, bytes, step int, by string) reg {
	lanes := s.step
	if by == "DX" {
		lanes /= 8
	}
	load := fmt.Sprintf("VMOVDQU64 tables<>+%d(SB), {d:Z}", s.a.table(index))
	before, near := s.place(at, lo, step, lanes, by)
	if bytes <= 64 {
		return s.emit(false, false, fmt.Sprintf("%sVPERMB %s, {0:Z}, {d:Z}", before, near), s.emit(false, true, load))
	}
	_, far := s.place(at, lo+64, step, lanes, by)
	return s.change(fmt.Sprintf("%sVPERMI2B %s, {1:Z}, {d:Z}", before, far), s.emit(false, false, load), s.emit(false, false, fmt.Sprintf("%sVMOVDQU64 %s, {d:Z}", before, near)))
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
	if hi/8-lo/8 >= 128 {
		s.err = errFar
		return s.emit(true, true, "KXORQ {d}, {d}, {d}")
	}
	index, bits := make([]byte, 64), make([]byte, 64)
	for l, n := range numbers {
		index[l], bits[l] = byte(n/8-lo/8), 1<<(n%8)
	}
	x := s.permuted(i.At, index, lo/8, hi/8-lo/8+1, step/8, "DX")
	name := map[int]string{32: "Y", 64: "Z"}[s.lanes]
	if name == "" {
		name = "X"
	}
	return s.emit(true, false, fmt.Sprintf("VPTESTMB tables<>+%d(SB), {0:%s}, {d}", s.a.table(bits), name), x)
}
