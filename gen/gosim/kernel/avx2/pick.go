package avx2

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// pieces contains the addresses of 16 bytes of memory for each half of a vector, -1 for a half that
// needs none. The index selects one of these bytes for each byte of the result; 0x80 selects zero.
type pieces struct {
	lo    [2]int
	index []byte
}

// collect loads, for each lane, bits from an offset in bytes behind a place. It shuffles 16 bytes
// of memory for each half of the vector as often as necessary, or loads lane by lane if that is
// cheaper.
func (s *selector) collect(at kernel.Place, numbers []int, step int, by string) kernel.Reg {
	rounds := s.rounds(at, numbers)
	if 4*len(rounds) > s.Lanes+4 {
		return s.inserted(at, numbers, step, by)
	}
	var x kernel.Reg
	for n, r := range rounds {
		y := s.shuffled(at, r, step, by)
		if n == 0 {
			x = y
		} else {
			x = s.apply("VPOR", x, y)
		}
	}
	return x
}

func (s *selector) rounds(at kernel.Place, numbers []int) (out []pieces) {
	half, each, done := 128/s.Size, at.Size/8, make([]bool, len(numbers))
	for slices.Contains(done, false) {
		p := pieces{lo: [2]int{-1, -1}, index: slices.Repeat([]byte{0x80}, 32)}
		for h := range s.Width / 128 {
			if of := done[h*half : (h+1)*half]; slices.Contains(of, false) {
				p.lo[h] = s.lowest(numbers[h*half:(h+1)*half], of)
			}
		}
		for l, n := range numbers {
			lo := p.lo[l/half]
			if done[l] || n+each > lo+16 {
				continue
			}
			done[l] = true
			for b := range each {
				p.index[l*s.Size/8+b] = byte(n - lo + b)
			}
		}
		out = append(out, p)
	}
	return out
}

// shuffled returns the bytes that an index selects.
func (s *selector) shuffled(at kernel.Place, p pieces, step int, by string) kernel.Reg {
	load := func(name string, lo int) string { return s.moving(name, at, lo, step, by) }
	var x kernel.Reg
	switch low, high := p.lo[0], p.lo[1]; {
	case s.Width == 128, high == low+16 && low >= 0:
		x = s.Load(load("VMOVDQU", low) + ", {d}")
	case high < 0:
		x = s.Load(load("VMOVDQU", low) + ", {d:X}")
	case low < 0, low == high:
		x = s.Load(load("VBROADCASTI128", high) + ", {d}")
	default:
		x = s.Emit(load("VINSERTI128 $1,", high)+", {0}, {d}", s.Load(load("VMOVDQU", low)+", {d:X}"))
	}
	for i, b := range p.index[:s.Width/8] {
		if int(b) != i%16 {
			return s.Emit(fmt.Sprintf("VPSHUFB %s, {0}, {d}", s.Bytes(p.index)), x)
		}
	}
	return x
}

// moving returns an instruction whose first operand is memory, indexed by a general register that
// counts lanes or bytes of masks.
func (s *selector) moving(name string, at kernel.Place, bytes, step int, by string) string {
	lanes := s.Step
	if by == "DX" {
		lanes /= 8
	}
	before, memory := s.Moving(at, bytes, step, lanes, by)
	return before + name + " " + memory
}

// inserted loads the lanes one by one.
func (s *selector) inserted(at kernel.Place, numbers []int, step int, by string) kernel.Reg {
	half := 128 / s.Size
	var halves [2]kernel.Reg
	for h := range s.Width / 128 {
		x := s.Load("VPXOR {d}, {d}, {d}")
		for l, n := range numbers[h*half : (h+1)*half] {
			x = s.Emit(s.moving(fmt.Sprintf("VPINSR%s $%d,", kernel.Suffix(at.Size), l*s.Size/at.Size), at, n, step, by)+", {0:X}, {d:X}", x)
		}
		halves[h] = x
	}
	if s.Width == 128 {
		return halves[0]
	}
	return s.Emit("VINSERTI128 $1, {1:X}, {0}, {d}", halves[0], halves[1])
}

// bitsAt returns a mask of bits in memory. Each lane loads the word that contains its bit and
// compares the bit.
func (s *selector) bitsAt(at kernel.Place, numbers []int, step int) kernel.Reg {
	size, lo := s.Size, slices.Min(numbers)/8
	own := make([]int, len(numbers)) // bits
	var x kernel.Reg
	if span := slices.Max(numbers) - 8*lo; span < size {
		for l, n := range numbers {
			own[l] = 1 << (n - 8*lo)
		}
		x = s.Load(s.moving("VPBROADCAST"+kernel.Suffix(size), at, lo, step/8, "DX") + ", {d}")
	} else {
		bytes := make([]int, len(numbers))
		for l, n := range numbers {
			own[l], bytes[l] = 1<<(n%8), n/8
		}
		at.Size = 8
		x = s.collect(at, bytes, step/8, "DX")
	}
	bits := s.Table(own)
	x = s.Emit(fmt.Sprintf("VPAND %s, {0}, {d}", bits), x)
	return s.Emit(fmt.Sprintf("VPCMPEQ%s %s, {0}, {d}", kernel.Suffix(size), bits), x)
}

// lowest returns the smallest of the numbers that are not done.
func (s *selector) lowest(numbers []int, done []bool) int {
	lo := 1 << 62
	for l, n := range numbers {
		if !done[l] {
			lo = min(lo, n)
		}
	}
	return lo
}
