package sweep

import (
	"math"
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/picture"
)

var (
	inPicoseconds = regexp.MustCompile(`(^|[._])ps$`)
	inBytes       = regexp.MustCompile(`(^|[._])bytes($|_)`)
	identifies    = regexp.MustCompile(`(^|[._])seed$`)
)

// unitsOf returns the units of a figure, derived from its name, or nil if it has none.
func unitsOf(name string) []picture.Unit {
	switch {
	case inPicoseconds.MatchString(name):
		return picture.Picoseconds
	case inBytes.MatchString(name):
		return picture.Bytes
	}
	return nil
}

// head returns the column names for people, including the units.
func (t *Table) head(columns []int) (list []string) {
	for _, c := range columns {
		name := t.Columns[c]
		if u := t.unit(c); u.Name != "" {
			name += ", " + u.Name
		}
		list = append(list, name)
	}
	return list
}

// cells returns the rows formatted for people.
func (t *Table) cells(columns []int) [][]string {
	rows := make([][]string, len(t.Rows))
	for _, c := range columns {
		u, decimals := t.unit(c), t.decimals(c)
		for n, row := range t.Rows {
			text := written(row[c])
			if v, ok := float(row[c]); ok && t.figure(c) {
				text = picture.Grouped(v/u.Size, decimals)
			}
			rows[n] = append(rows[n], text)
		}
	}
	return rows
}

// figure reports whether a column is neither the point's number nor an axis.
func (t *Table) figure(c int) bool { return c > t.axes }

// unit returns the unit in which a column is displayed. The unit has no name if the figure has no
// units.
func (t *Table) unit(c int) picture.Unit {
	units := unitsOf(t.Columns[c])
	if units == nil || !t.figure(c) {
		return picture.Unit{Size: 1}
	}
	_, largest := t.extremes(c)
	return picture.Largest(units, largest)
}

// decimals returns the number of decimals of a column. They show four digits of the largest value,
// and three digits of the differences unless these are below a millionth of it.
func (t *Table) decimals(c int) int {
	spread, largest := t.extremes(c)
	size := t.unit(c).Size
	if size == 1 && !t.fractional(c) || largest == 0 {
		return 0
	}
	behind := func(v float64, digits int) int { return digits - 1 - int(math.Floor(math.Log10(v/size))) }
	n := behind(largest, 4)
	if spread > 1e-6*largest {
		n = max(n, behind(spread, 3))
	}
	return max(n, 0)
}

// extremes returns the difference between the largest and the smallest value of a column, and the
// largest absolute value.
func (t *Table) extremes(c int) (spread, largest float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range t.Rows {
		if v, ok := float(row[c]); ok {
			low, high, largest = min(low, v), max(high, v), max(largest, math.Abs(v))
		}
	}
	return max(0, high-low), largest
}

// fractional reports whether a column contains a number that is not an integer.
func (t *Table) fractional(c int) bool {
	for _, row := range t.Rows {
		if v, ok := row[c].(float64); ok && v != math.Trunc(v) {
			return true
		}
	}
	return false
}

// identifying reports whether the values of an axis are names, even if they are numbers.
func (t *Table) identifying(axis int) bool {
	return identifies.MatchString(strings.ToLower(t.Columns[axis]))
}
