package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Unit is a name for a number of what an axis measures.
type Unit struct {
	Name string
	Size float64
}

// Units of an axis in picoseconds, and of one in bytes.
var (
	Picoseconds = []Unit{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}
	Bytes       = []Unit{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}
)

// mostText and mostDigits are how many characters and digits the text of a tick may have.
const mostText, mostDigits = 8, 5

// texts returns the texts of the ticks, and a note for the label: the unit, and the number from
// which the ticks count if they differ in late digits only.
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

// inUnit writes ticks, counted from base, in a unit, and reports whether their texts are short.
func inUnit(ticks []float64, base, d float64, u Unit) (list []string, fits bool) {
	fits = true
	for _, t := range ticks {
		text := Grouped((t-base)/u.Size, decimals(d/u.Size))
		list, fits = append(list, text), fits && len(text) <= mostText && digits(text) <= mostDigits
	}
	return list, fits
}

// digits counts the digits of a number, without the last zeros of a whole one.
func digits(text string) int {
	if !strings.Contains(text, ".") {
		text = strings.TrimRight(text, "0,")
	}
	return len(text) - strings.Count(text, ",") - strings.Count(text, ".") - strings.Count(text, "-")
}

// unit returns the largest unit that is not above a value. Where there is none, or the digits
// would be too many, it is a power of 1,000.
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

// Largest returns the largest unit that is not above a value, or the smallest unit.
func Largest(units []Unit, v float64) Unit {
	best := units[0]
	for _, u := range units {
		if u.Size <= v*(1+1e-9) {
			best = u
		}
	}
	return best
}

// decimals returns how many digits behind the point show steps of d.
func decimals(d float64) int {
	return max(0, -int(math.Floor(math.Log10(d)+1e-9)))
}

// Grouped writes a number with so many digits behind the point, and those before it in groups of
// three.
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
