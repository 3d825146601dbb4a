package kernel

import "fmt"

// Parities multiply each lane, a vector of bits, with a matrix of bits. The instruction for that
// multiplies bytes with 8 by 8 bits, one matrix for 8 bytes. So bytes are moved until those of the same
// place in all lanes are neighbours, multiplied, added up, and moved back.

// Parities has, as bit b of each lane, the parity of those bits of the words x that rows[b] selects: it
// has a mask for each of them.
func (k *Kernel) Parities(x []Value, rows [][]uint64) Value {
	return k.add(Inst{Op: Parities, Args: x, Rows: rows})
}

// parities chooses the instructions of i.
func (s *selector) parities(i Inst) reg {
	turn := make([]byte, 64) // 8 rows of 8 bytes become columns
	for b := range turn {
		turn[b] = byte(b%8*8 + b/8)
	}
	turned := func(x reg) reg {
		return s.emit(false, false, "VPERMB {0}, {1}, {d}", x, s.constant(false, fmt.Sprintf("VMOVDQU64 tables<>+%d(SB), {d}", s.a.table(turn))))
	}
	x := make([]reg, len(i.Args))
	for n, a := range i.Args {
		x[n] = turned(s.get(a))
	}
	var sums [8]reg // by byte of the result, in 8 parts that are still to be added
	for b := range sums {
		if sums[b] = noReg; 8*b < len(i.Rows) {
			sums[b] = s.multiplied(x, i.Rows[8*b:min(8*b+8, len(i.Rows))])
		}
	}
	var pairs, fours [4]reg
	for n := range 4 {
		pairs[n] = s.added("VPUNPCKLQDQ {1}, {0}, {d}", "VPUNPCKHQDQ {1}, {0}, {d}", sums[2*n], sums[2*n+1])
	}
	const even, odd = "VSHUFI64X2 $0x88, {1}, {0}, {d}", "VSHUFI64X2 $0xdd, {1}, {0}, {d}"
	for n := range 2 {
		fours[n] = s.added(even, odd, pairs[2*n], pairs[2*n+1])
	}
	return turned(s.added(even, odd, fours[0], fours[1]))
}

// multiplied is the sum of products of bytes with a part of the matrix, at most 8 rows.
func (s *selector) multiplied(x []reg, rows [][]uint64) reg {
	sum := noReg
	for n, r := range x {
		matrix := make([]byte, 64)
		for b, row := range rows {
			for at := range 8 {
				matrix[8*at+7-b] = byte(row[n] >> (8 * at))
			}
		}
		p := s.emit(false, false, fmt.Sprintf("VGF2P8AFFINEQB $0, tables<>+%d(SB), {0}, {d}", s.a.table(matrix)), r)
		if sum != noReg {
			p = s.emit(false, false, "VPXORQ {1}, {0}, {d}", sum, p)
		}
		sum = p
	}
	return sum
}

// added are neighbours of two registers added up, which two instructions choose, those of either
// register side by side. What is nothing counts as zero.
func (s *selector) added(one, other string, x, y reg) reg {
	if x == noReg {
		return noReg
	}
	if y == noReg {
		y = s.number(0)
	}
	return s.emit(false, false, "VPXORQ {1}, {0}, {d}", s.emit(false, false, one, x, y), s.emit(false, false, other, x, y))
}
