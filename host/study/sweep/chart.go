package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// mostLines limits the number of lines in a chart. A chart that would have more lines shows only
// points.
const mostLines = 12

// charts returns the charts of the plan: one for each figure and each axis with several values.
// unknown contains the names that match no figure.
func (t *Table) charts() (charts []picture.Lines, unknown []string) {
	for _, name := range t.kept.Plan.Plots {
		c := t.column(name)
		if c < 0 {
			unknown = append(unknown, name)
			continue
		}
		for axis := 1; axis <= t.axes; axis++ {
			if len(t.values(axis)) > 1 {
				charts = append(charts, t.chart(c, axis))
			}
		}
	}
	return charts, unknown
}

// values returns the distinct values of an axis, in order.
func (t *Table) values(axis int) (list []any) {
	for _, row := range t.Rows {
		if !slices.Contains(list, row[axis]) {
			list = append(list, row[axis])
		}
	}
	return list
}

// chart returns a chart of a figure over an axis, with a line for each combination of the other
// axes' values.
func (t *Table) chart(figure, axis int) picture.Lines {
	x, place := t.axis(axis)
	name := t.Columns[figure]
	chart := picture.Lines{Title: name, Text: fmt.Sprintf("%s over %s.", name, t.Columns[axis]), X: x, Y: picture.Axis{Label: "over " + t.Columns[axis], Units: unitsOf(name)}}
	number := map[string]int{}
	for _, row := range t.Rows {
		y, ok := float(row[figure])
		if !ok {
			continue
		}
		others := t.others(row, axis)
		i, ok := number[others]
		if !ok {
			i, number[others] = len(chart.Lines), len(chart.Lines)
			chart.Lines = append(chart.Lines, picture.Line{Name: others, Loose: x.Text != nil})
		}
		add(&chart.Lines[i], place(row[axis]), y)
	}
	if len(chart.Lines) > mostLines || t.kept.Plan.Sampled {
		chart.Lines = []picture.Line{together(chart.Lines)}
	}
	return chart
}

// add inserts a point into a line, ordered by x.
func add(l *picture.Line, x, y float64) {
	i, _ := slices.BinarySearch(l.X, x)
	l.X, l.Y = slices.Insert(l.X, i, x), slices.Insert(l.Y, i, y)
}

// axis returns the axis of a chart and a function that maps values to positions. The axis is
// numeric, or has names at integers. Identifying numbers, such as seeds, are names.
func (t *Table) axis(axis int) (picture.Axis, func(any) float64) {
	values := t.values(axis)
	label := t.Columns[axis]
	name := func(v any) bool { _, ok := float(v); return !ok }
	if !t.identifying(axis) && !slices.ContainsFunc(values, name) {
		fraction := func(v any) bool { f, _ := float(v); return f != math.Trunc(f) }
		return picture.Axis{Label: label, Whole: !slices.ContainsFunc(values, fraction), Units: unitsOf(label)}, func(v any) float64 { f, _ := float(v); return f }
	}
	text := func(v float64) string {
		if i := int(v); i >= 0 && i < len(values) {
			return written(values[i])
		}
		return ""
	}
	return picture.Axis{Label: label, Whole: true, Text: text}, func(v any) float64 { return float64(slices.Index(values, v)) }
}

// others returns a description of the values of the other axes.
func (t *Table) others(row []any, axis int) string {
	var parts []string
	for c := 1; c <= t.axes; c++ {
		if c != axis {
			parts = append(parts, t.Columns[c]+" "+written(row[c]))
		}
	}
	if len(parts) == 0 {
		return "all"
	}
	return strings.Join(parts, ", ")
}

// together returns all points of some lines, without connecting lines.
func together(lines []picture.Line) picture.Line {
	all := picture.Line{Name: "points", Loose: true}
	for _, l := range lines {
		all.X, all.Y = append(all.X, l.X...), append(all.Y, l.Y...)
	}
	return all
}

// float converts a number to float64.
func float(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
