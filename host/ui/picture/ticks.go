package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Unit is a unit of an axis; Size is its number of base units.
type Unit struct {
	Name string
	Size float64
}

// Units of an axis in picoseconds, and of an axis in bytes.
var (
	Picoseconds = []Unit{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}
	Bytes       = []Unit{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}
)

// mostText and mostDigits are the maximum numbers of characters and digits in the text of a tick.
const mostText, mostDigits = 8, 5

// texts returns the texts of the ticks and a note for the label. The note contains the unit. If the
// ticks differ only in late digits, it also contains the number from which they count.
func (s scale) texts() (list []string, note string) {
	switch {
	case s.Text != nil:
		for _, t := range s.ticks {
			list = append(list, s.Text(t))
		}
		return list, ""
	case s.Log || len(s.ticks) == 0:
		for _, t := range s.ticks {
			list = append(list, fmt.Sprintf("%.6g", t))
		}
		return list, ""
	}
	first, last, d := s.ticks[0], s.ticks[len(s.ticks)-1], 1.
	if len(s.ticks) > 1 {
		d = s.ticks[1] - first
	}
	u := s.unit(max(math.Abs(first), math.Abs(last)))
	list, fits := inUnit(s.ticks, 0, d, u)
	if fits {
		return list, u.Name
	}
	near := s.unit(last - first)
	list, _ = inUnit(s.ticks, first, d, near)
	return list, strings.TrimSpace(near.Name + " above " + Grouped(first/u.Size, decimals(d/u.Size)) + " " + u.Name)
}

// inUnit formats ticks in a unit, relative to base, and reports whether all texts are short.
func inUnit(ticks []float64, base, d float64, u Unit) (list []string, fits bool) {
	fits = true
	for _, t := range ticks {
		text := Grouped((t-base)/u.Size, decimals(d/u.Size))
		list, fits = append(list, text), fits && len(text) <= mostText && digits(text) <= mostDigits
	}
	return list, fits
}

// digits returns the number of digits, without the trailing zeros of a whole number.
func digits(text string) int {
	if !strings.Contains(text, ".") {
		text = strings.TrimRight(text, "0,")
	}
	return len(text) - strings.Count(text, ",") - strings.Count(text, ".") - strings.Count(text, "-")
}

// unit returns the largest unit that does not exceed a value. Without a suitable unit, or if there
// were too many digits, it returns a power of 1,000.
func (s scale) unit(v float64) Unit {
	u := Unit{"", 1}
	if len(s.Units) > 0 {
		u = Largest(s.Units, v)
	}
	if v == 0 || v >= 1e-3*u.Size && v < 1e6*u.Size {
		return u
	}
	power := 3 * int(math.Floor(math.Log10(v/u.Size)/3+1e-9))
	return Unit{strings.TrimSpace(fmt.Sprintf("times 10^%d %s", power, u.Name)), math.Pow10(power) * u.Size}
}

// Largest returns the largest unit that does not exceed a value, or the smallest unit.
func Largest(units []Unit, v float64) Unit {
	best := units[0]
	for _, u := range units {
		if u.Size <= v*(1+1e-9) {
			best = u
		}
	}
	return best
}

// decimals returns the number of decimals that steps of d require.
func decimals(d float64) int {
	return max(0, -int(math.Floor(math.Log10(d)+1e-9)))
}

// Grouped formats a number with the given number of decimals and groups of three digits before the
// decimal point.
func Grouped(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	whole, rest, _ := strings.Cut(text, ".")
	digits := strings.TrimPrefix(whole, "-")
	sign := whole[:len(whole)-len(digits)]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if decimals > 0 {
		digits += "." + rest
	}
	if strings.Trim(digits, "0.") == "" {
		sign = ""
	}
	return sign + digits
}

// label returns the label of the axis with the note on its ticks.
func (s scale) label() string {
	_, note := s.texts()
	if s.Label == "" || note == "" {
		return s.Label + note
	}
	return s.Label + ", " + note
}
