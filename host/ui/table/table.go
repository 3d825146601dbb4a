package table

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Width returns the number of columns of the terminal that w writes to, or 0 if w is not a
// terminal. A writer to a terminal has a method Width.
func Width(w io.Writer) int {
	if t, ok := w.(interface{ Width() int }); ok {
		return max(0, t.Width())
	}
	return 0
}

// Column describes a column.
type Column struct {
	Name string
	Text bool // left-aligned, and may continue on further lines
	Key  bool // names the row, so each group of columns repeats it
	Min  int  // minimum width, unless the table is stacked
}

// Table contains rows of cells, one cell per column. If no column is a key, the first column is.
type Table struct {
	Columns  []Column
	Rows     [][]string
	Indent   int
	Headless bool // without a line of names
}

// gap is the number of spaces between columns.
const gap = 2

// leastText is the minimum width of a text column whose cells continue on further lines.
const leastText = 24

// Format returns the table as lines of at most width columns, or in its natural width if width is
// 0. A line is longer only if it contains a word longer than width.
func (t Table) Format(width int) string {
	widths, all := t.widths(), t.columns(func(Column) bool { return true })
	for i, c := range t.Columns {
		widths[i] = max(widths[i], c.Min)
	}
	if full := t.lines(all, widths); width == 0 || longest(full) <= width {
		return full
	}
	groups, widths, ok := t.groups(width)
	if !ok {
		return t.stacked(width)
	}
	var parts []string
	for _, group := range groups {
		parts = append(parts, t.lines(group, widths))
	}
	return strings.Join(parts, "\n")
}

// longest returns the length of the longest line.
func longest(text string) (n int) {
	for line := range strings.Lines(text) {
		n = max(n, length(strings.TrimSuffix(line, "\n")))
	}
	return n
}

// widths returns the width of each column, including its name.
func (t Table) widths() []int {
	list := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		if !t.Headless {
			list[i] = length(c.Name)
		}
		for _, row := range t.Rows {
			list[i] = max(list[i], length(row[i]))
		}
	}
	return list
}

// columns returns the indices of the columns for which of returns true.
func (t Table) columns(of func(Column) bool) (list []int) {
	for i, c := range t.Columns {
		if of(c) {
			list = append(list, i)
		}
	}
	return list
}

// taken returns the width of a line with the given columns.
func (t Table) taken(columns, widths []int) int {
	n := t.Indent + gap*(len(columns)-1)
	for _, i := range columns {
		n += widths[i]
	}
	return n
}

// groups divides the columns into groups that fit. A text column that does not fit gets the rest of
// a line. The result ok is false if a column does not fit after the keys.
func (t Table) groups(width int) (groups [][]int, widths []int, ok bool) {
	widths = t.widths()
	keys := t.columns(func(c Column) bool { return c.Key })
	if len(keys) == 0 {
		keys = []int{0}
	}
	group := keys
	for i := range t.Columns {
		if slices.Contains(keys, i) {
			continue
		}
		if !t.fit(group, i, width, widths) {
			if len(group) > len(keys) {
				groups = append(groups, group)
			}
			if group = keys; !t.fit(group, i, width, widths) {
				return nil, nil, false
			}
		}
		group = append(slices.Clone(group), i)
	}
	return append(groups, group), widths, t.taken(group, widths) <= width
}

// fit reports whether column i fits after a group. It narrows a text column to fit.
func (t Table) fit(group []int, i, width int, widths []int) bool {
	left := width - t.taken(group, widths) - gap
	if widths[i] <= left {
		return true
	}
	if !t.Columns[i].Text || left < max(leastText, t.longestWord(i)) {
		return false
	}
	widths[i] = left
	return true
}

func (t Table) longestWord(column int) (longest int) {
	all := words(t.Columns[column].Name)
	for _, row := range t.Rows {
		all = append(all, words(row[column])...)
	}
	for _, w := range all {
		longest = max(longest, length(w))
	}
	return longest
}

// lines returns the rows with the given columns side by side.
func (t Table) lines(columns, widths []int) string {
	rows := t.Rows
	if !t.Headless {
		names := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			names[i] = c.Name
		}
		rows = append([][]string{names}, rows...)
	}
	var b strings.Builder
	for _, row := range rows {
		cells := make([][]string, len(columns)) // by column and line
		most := 1
		for j, i := range columns {
			cells[j] = divide(row[i], widths[i])
			most = max(most, len(cells[j]))
		}
		for n := range most {
			line := strings.Repeat(" ", t.Indent)
			for j, i := range columns {
				cell := ""
				if n < len(cells[j]) {
					cell = cells[j][n]
				}
				if j > 0 {
					line += strings.Repeat(" ", gap)
				}
				line += t.Columns[i].pad(cell, widths[i])
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

// pad pads a cell with spaces.
func (c Column) pad(cell string, width int) string {
	space := strings.Repeat(" ", max(0, width-length(cell)))
	if c.Text {
		return cell + space
	}
	return space + cell
}

// stacked returns each row as lines of a name and a cell. Empty cells are omitted.
func (t Table) stacked(width int) string {
	var b strings.Builder
	for _, row := range t.Rows {
		for i, cell := range row {
			if cell == "" {
				continue
			}
			indent := strings.Repeat(" ", t.Indent+gap*min(i, 1))
			if name := t.Columns[i].Name; name != "" && !t.Headless {
				cell = name + ": " + cell
			}
			b.WriteString(Wrap(indent+cell, width, t.Indent+2*gap) + "\n")
		}
	}
	return b.String()
}

func length(s string) int { return utf8.RuneCountInString(s) }
