package avx512

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// Parities multiply each lane, a vector of bits, by a bit matrix. The instruction multiplies bytes
// by 8 by 8 bits, with one matrix for 8 bytes. The bytes at the same position of all lanes are
// therefore made contiguous, multiplied, added up, and moved back.

// parities selects the instructions of i.
func (s *selector) parities(i kernel.Inst) kernel.Reg {
	turn := make([]byte, 64) // 8 rows of 8 bytes become columns
	for b := range turn {
		turn[b] = byte(b%8*8 + b/8)
	}
	turned := func(x kernel.Reg) kernel.Reg {
		return s.Emit("VPERMB {0}, {1}, {d}", x, s.Once(fmt.Sprintf("VMOVDQU64 %s, {d}", s.Bytes(turn))))
	}
	x := make([]kernel.Reg, len(i.Args))
	for n, a := range i.Args {
		x[n] = turned(s.Get(a))
	}
	var sums [8]kernel.Reg // by byte of the result, as 8 parts to be added
	for b := range sums {
		if sums[b] = kernel.NoReg; 8*b < len(i.Rows) {
			sums[b] = s.multiplied(x, i.Rows[8*b:min(8*b+8, len(i.Rows))])
		}
	}
	var pairs, fours [4]kernel.Reg
	for n := range 4 {
		pairs[n] = s.added("VPUNPCKLQDQ {1}, {0}, {d}", "VPUNPCKHQDQ {1}, {0}, {d}", sums[2*n], sums[2*n+1])
	}
	const even, odd = "VSHUFI64X2 $0x88, {1}, {0}, {d}", "VSHUFI64X2 $0xdd, {1}, {0}, {d}"
	for n := range 2 {
		fours[n] = s.added(even, odd, pairs[2*n], pairs[2*n+1])
	}
	return turned(s.added(even, odd, fours[0], fours[1]))
}

// multiplied returns the sum of products of bytes with a part of the matrix of at most 8 rows.
func (s *selector) multiplied(x []kernel.Reg, rows [][]uint64) kernel.Reg {
	sum := kernel.NoReg
	for n, r := range x {
		matrix := make([]byte, 64)
		for b, row := range rows {
			for at := range 8 {
				matrix[8*at+7-b] = byte(row[n] >> (8 * at))
			}
		}
		p := s.Emit(fmt.Sprintf("VGF2P8AFFINEQB $0, %s, {0}, {d}", s.Bytes(matrix)), r)
		if sum != kernel.NoReg {
			p = s.Emit("VPXORQ {1}, {0}, {d}", sum, p)
		}
		sum = p
	}
	return sum
}

// added returns sums of neighbours in two registers. Two instructions select the neighbours, so
// that the sums of a register are adjacent. An absent register counts as zero.
func (s *selector) added(one, other string, x, y kernel.Reg) kernel.Reg {
	if x == kernel.NoReg {
		return kernel.NoReg
	}
	if y == kernel.NoReg {
		y = s.Number(0)
	}
	return s.Emit("VPXORQ {1}, {0}, {d}", s.Emit(one, x, y), s.Emit(other, x, y))
}
