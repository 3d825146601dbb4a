package avx512

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// A row consists of RowWords words of 64 bits, a whole vector. Each row is read and written as a
// unit, so that a lane has one position in memory. Kernels compute with vectors of the same word of
// several rows, which is the transpose of the same square of words.

// row returns a word of rows. Loading one word makes all words of the same rows available.
func (s *selector) row(i kernel.Inst) kernel.Reg {
	at := rowsAt{i.At, i.Args[0]}
	if _, ok := s.rows[at]; !ok {
		to := s.Scratch()
		s.Effect(fmt.Sprintf("VMOVDQU64 {0}, %d(SP)", to), s.Get(i.Args[0]))
		var rows [kernel.RowWords]kernel.Reg
		for l := range rows {
			rows[l] = s.Emit(fmt.Sprintf("MOVQ %d(SP), R9\n\tVMOVDQU64 %s(R9*1), {d}", to+8*l, kernel.Address(i.At)))
		}
		s.rows[at] = s.turned(rows)
	}
	return s.rows[at][i.Imm]
}

// rowsAt identifies rows by their place.
type rowsAt struct {
	at    kernel.Place
	bytes kernel.Value
}

// fewestColumns is the minimum number of words of rows for which transposing the rows is cheaper
// than collecting each word.
const fewestColumns = 5

// column reports whether a pick takes a word of a row for each lane, from consecutive rows. It
// returns the place of the rows of the present lanes and the number of the word.
func (s *selector) column(i kernel.Inst) (rows kernel.Place, word int, ok bool) {
	if i.Op != kernel.Pick || s.Lanes != kernel.RowWords || i.At.Size != 64 || s.Kernel.WordBits(i) != 64 {
		return kernel.Place{}, 0, false
	}
	numbers := i.Numbers[s.First:][:s.Lanes]
	for l, n := range numbers {
		if n != numbers[0]+64*l {
			return kernel.Place{}, 0, false
		}
	}
	rows = i.At
	rows.Bytes += numbers[0]
	word = rows.Bytes % 64 / 8
	rows.Bytes -= 8 * word
	return rows, word, true
}

// columns returns how many words of rows the kernel picks.
func (s *selector) columns(rows kernel.Place) int {
	words := map[int]bool{}
	for _, i := range s.Kernel.Insts {
		if at, word, ok := s.column(i); ok && at == rows {
			words[word] = true
		}
	}
	return len(words)
}

// square returns all words of the rows from which a pick takes one.
func (s *selector) square(i kernel.Inst, rows kernel.Place) [kernel.RowWords]kernel.Reg {
	at := rowsAt{rows, kernel.None}
	if _, ok := s.rows[at]; !ok {
		step, _ := kernel.Period(i.Numbers, s.Step)
		var lines [kernel.RowWords]kernel.Reg
		for l := range lines {
			before, memory := s.Moving(rows, 64*l, step, s.Step, "CX")
			lines[l] = s.Emit(fmt.Sprintf("%sVMOVDQU64 %s, {d}", before, memory))
		}
		s.rows[at] = s.turned(lines)
	}
	return s.rows[at]
}

// storeRow stores rows. Lanes outside the mask are written to the stack, because a processor cannot
// predict the mask.
func (s *selector) storeRow(i kernel.Inst) {
	to := s.Scratch()
	var words [kernel.RowWords]kernel.Reg
	for n := range words {
		words[n] = s.Get(i.Args[n])
	}
	bytes, mask := s.Get(i.Args[kernel.RowWords]), s.Get(i.Args[kernel.RowWords+1])
	rows := s.turned(words)
	var b strings.Builder
	fmt.Fprintf(&b, "VMOVDQU64 {8}, %d(SP)\n\tKMOVB {9}, R9\n\tLEAQ %d(SP), R14", to, to+64)
	for l := range rows {
		fmt.Fprintf(&b, "\n\tMOVQ %d(SP), R8\n\tLEAQ %s(R8*1), R8\n\tBTQ $%d, R9\n\tCMOVQCC R14, R8\n\tVMOVDQU64 {%d}, (R8)", to+8*l, kernel.Address(i.At), l, l)
	}
	s.Effect(b.String(), append(rows[:], bytes, mask)...)
	clear(s.rows)
}

// turned returns the transpose of a square of words.
func (s *selector) turned(x [kernel.RowWords]kernel.Reg) (out [kernel.RowWords]kernel.Reg) {
	do := func(text string, a, b kernel.Reg) kernel.Reg {
		return s.Emit(text+", {1}, {0}, {d}", a, b)
	}
	for n, unpack := range []string{"VPUNPCKLQDQ {1}, {0}, {d}", "VPUNPCKHQDQ {1}, {0}, {d}"} {
		var pairs [kernel.RowWords / 2]kernel.Reg
		for i := range pairs {
			pairs[i] = s.Emit(unpack, x[2*i], x[2*i+1])
		}
		for m, half := range []string{"VSHUFI64X2 $0x88", "VSHUFI64X2 $0xdd"} {
			low, high := do(half, pairs[0], pairs[1]), do(half, pairs[2], pairs[3])
			out[n+2*m] = do("VSHUFI64X2 $0x88", low, high)
			out[n+2*m+4] = do("VSHUFI64X2 $0xdd", low, high)
		}
	}
	return out
}
