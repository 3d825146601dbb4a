package experiment

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/picture"
)

// mostPoints is how many points a line of a series has at most: more of them than
// pixels show nothing but noise.
const mostPoints = 250

// seriesPictures are figures over the mini-batches, for the systems that have
// them.
func (r *Report) seriesPictures() []template.HTML {
	loss := func(m MiniBatch) (float64, bool) { return float64(m.Loss), true }
	popular := func(m MiniBatch) (float64, bool) {
		if m.Popular == nil {
			return 0, false
		}
		return ratio(int64(*m.Popular), int64(m.Inputs)), true
	}
	takes := func(m MiniBatch) (float64, bool) { return us(m.Time), m.Time > 0 }
	percent := func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
	var list []template.HTML
	for _, c := range []struct {
		title, label string
		y            picture.Axis
		of           func(MiniBatch) (float64, bool)
	}{
		{"Loss", "mean over the inputs, before training on them", picture.Axis{}, loss},
		{"Popular inputs", "share of the inputs", picture.Axis{Zero: true, One: true, Text: percent}, popular},
		{"Time", "us, simulated", picture.Axis{Zero: true, Text: tick}, takes},
	} {
		c.y.Label = c.label
		x := picture.Axis{Label: "mini-batch", Whole: true, Text: tick}
		if n := perPoint(r.MiniBatches); n > 1 {
			x.Label = fmt.Sprintf("mini-batch; a point is the mean of %d", n)
		}
		l := picture.Lines{Title: c.title, X: x, Y: c.y, Lines: r.lines(c.of)}
		if len(l.Lines) > 0 {
			l.Text = inWords(l.Lines, c.y)
			list = append(list, template.HTML(l.SVG()))
		}
	}
	return list
}

// lines has a line per system that has a figure. Systems with the same figures
// share one.
func (r *Report) lines(of func(MiniBatch) (float64, bool)) []picture.Line {
	var lines []picture.Line
	for _, s := range r.Systems {
		l := points(s.Series, of)
		l.Name = s.System
		same := slices.IndexFunc(lines, func(o picture.Line) bool { return slices.Equal(o.X, l.X) && slices.Equal(o.Y, l.Y) })
		switch {
		case len(l.X) == 0:
		case same >= 0:
			lines[same].Name += ", " + s.System
		default:
			lines = append(lines, l)
		}
	}
	return lines
}

// perPoint is how many mini-batches that follow each other share a point.
func perPoint(miniBatches int) int { return max(1, (miniBatches+mostPoints-1)/mostPoints) }

// points are a figure of a series where it is a number, at the first mini-batch of
// each point.
func points(s []MiniBatch, of func(MiniBatch) (float64, bool)) picture.Line {
	var l picture.Line
	each := perPoint(len(s))
	for from := 0; from < len(s); from += each {
		sum, n := 0.0, 0
		for _, m := range s[from:min(from+each, len(s))] {
			if v, ok := of(m); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
				sum, n = sum+v, n+1
			}
		}
		if n > 0 {
			l.X, l.Y = append(l.X, float64(from)), append(l.Y, sum/float64(n))
		}
	}
	return l
}

// inWords describes lines: what they begin and end with.
func inWords(lines []picture.Line, y picture.Axis) string {
	var list []string
	text := func(v float64) string {
		if y.Text != nil {
			return y.Text(v)
		}
		return fmt.Sprintf("%.4f", v)
	}
	for _, l := range lines {
		list = append(list, fmt.Sprintf("%s: from %s to %s.", l.Name, text(l.Y[0]), text(l.Y[len(l.Y)-1])))
	}
	return strings.Join(list, " ")
}
