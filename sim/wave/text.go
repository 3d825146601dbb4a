package wave

import (
	"fmt"
	"strings"
)

// Row contains the values of a signal in consecutive cycles.
type Row struct {
	Name   string
	Width  int
	Values [][]uint64 // by cycle; nil if unknown
}

// maxDigits limits the width of a column. Longer values show only their low digits.
const maxDigits = 12

// Text draws rows over consecutive cycles starting at first, one column per cycle. It draws a bit
// as a line, and any other signal as hexadecimal numbers where its value changes.
//
//	cycle |4   5   6   7
//	valid |____/-------\___
//	data  |3f      |40
//
// Without cycles, it says so.
func Text(first uint64, rows []Row) string {
	name, column, cycles := len("cycle"), 3, 0
	for _, r := range rows {
		name = max(name, len(r.Name))
		cycles = max(cycles, len(r.Values))
		for _, v := range r.Values {
			column = max(column, len(digits(v, r.Width)))
		}
	}
	if cycles == 0 {
		return "no cycle was recorded\n"
	}
	column = max(column, len(fmt.Sprint(first+uint64(cycles)))) + 1
	var b strings.Builder
	line := func(title, cells string) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s %s", name, title, cells), " ") + "\n")
	}
	cells := ""
	for i := range cycles {
		cells += fmt.Sprintf("%-*s", column, edge(i == 0)+fmt.Sprint(first+uint64(i)))
	}
	line("cycle", cells)
	for _, r := range rows {
		line(r.Name, r.cells(column))
	}
	return b.String()
}

// Hex formats the values in hexadecimal. Unknown values are empty.
func (r Row) Hex() (list []string) {
	for _, v := range r.Values {
		if v == nil {
			list = append(list, "")
			continue
		}
		list = append(list, Hex(v))
	}
	return list
}

func edge(first bool) string {
	if first {
		return "|"
	}
	return " "
}

func (r Row) cells(column int) string {
	cells := ""
	for i, v := range r.Values {
		switch {
		case r.Width == 1 && v != nil:
			cells += r.level(i, column)
		case i > 0 && Hex(v) == Hex(r.Values[i-1]):
			cells += strings.Repeat(" ", column)
		default:
			cells += fmt.Sprintf("%-*s", column, "|"+digits(v, r.Width))
		}
	}
	return cells
}

// level draws a bit in one cycle.
func (r Row) level(i, column int) string {
	line, step := "_", "\\"
	if r.Values[i][0] != 0 {
		line, step = "-", "/"
	}
	switch {
	case i == 0:
		step = "|"
	case r.Values[i-1] != nil && r.Values[i-1][0] == r.Values[i][0]:
		step = line
	}
	return step + strings.Repeat(line, column-1)
}

// digits formats a value for a column.
func digits(v []uint64, width int) string {
	s := Hex(v)
	if width > 1 && len(s) > maxDigits {
		s = ".." + s[len(s)-maxDigits+2:]
	}
	return s
}

// Hex formats a value in hexadecimal without leading zeros. It returns "?" for nil.
func Hex(v []uint64) string {
	if v == nil {
		return "?"
	}
	s := ""
	for i := len(v) - 1; i >= 0; i-- {
		s += fmt.Sprintf("%016x", v[i])
	}
	s = strings.TrimLeft(s, "0")
	if s == "" {
		return "0"
	}
	return s
}
