package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// mostPoints limits the points of a line: more points than pixels would show only noise.
const mostPoints = 250

// seriesChart is a figure over the mini-batches.
type seriesChart struct {
	title string
	x     string
	y     picture.Axis
	of    func(*System) picture.Line
}

// seriesPictures returns the plots of the figures that at least one system has.
func (r *Report) seriesPictures() []template.HTML {
	loss := func(m MiniBatch) (float64, bool) { return m.MeanLoss(), m.Loss != nil }
	popular := func(m MiniBatch) (float64, bool) {
		if m.Popular == nil {
			return 0, false
		}
		return Ratio(int64(*m.Popular), int64(m.Inputs)), true
	}
	hits := func(m MiniBatch) (float64, bool) {
		if m.Hits == nil {
			return 0, false
		}
		return Ratio(int64(*m.Hits), int64(m.Inputs)*r.lookups()), true
	}
	takes := func(m MiniBatch) (float64, bool) { return float64(m.Time), m.Time > 0 }
	percent := func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
	x, after := "mini-batch", "evaluated after so many mini-batches"
	if r.byEpoch() {
		after = "epoch"
	}
	if n := perPoint(r.MiniBatches); n > 1 {
		x = fmt.Sprintf("mini-batch; a point is the mean of %d", n)
	}
	var list []template.HTML
	for _, c := range []seriesChart{
		{"Loss", x, picture.Axis{Label: "mean over the inputs, before training on them"}, overBatches(loss)},
		{"Held-out log loss", after, picture.Axis{Label: "mean over the inputs that were held out"}, r.overEvaluations(func(e EvaluationAt) (float64, bool) { return e.LogLoss, true })},
		{"Held-out AUC", after, picture.Axis{Label: "of the inputs that were held out"}, r.overEvaluations(func(e EvaluationAt) (float64, bool) { return value(e.AUC) })},
		{"Held-out calibration", after, picture.Axis{Label: "mean prediction / mean label"}, r.overEvaluations(func(e EvaluationAt) (float64, bool) { return value(e.Calibration) })},
		{"Popular inputs", x, picture.Axis{Label: "share of the inputs", Zero: true, One: true, Text: percent}, overBatches(popular)},
		{"Hits", x, picture.Axis{Label: "share of the lookups", Zero: true, One: true, Text: percent}, overBatches(hits)},
		{"Time", x, picture.Axis{Label: "simulated", Zero: true, Units: picture.Picoseconds}, overBatches(takes)},
	} {
		l := picture.Lines{Title: c.title, X: picture.Axis{Label: c.x, Whole: true}, Y: c.y, Lines: r.lines(c.of)}
		if slices.ContainsFunc(l.Lines, func(l picture.Line) bool { return len(l.X) > 0 }) {
			l.Text = inWords(l.Lines, c.y)
			list = append(list, template.HTML(l.SVG()))
		}
	}
	return list
}

// lookups returns the number of lookups of an input.
func (r *Report) lookups() int64 {
	n := 0
	for _, t := range r.Tables {
		n += t.Lookups
	}
	return int64(n)
}

// overBatches returns a function that plots a figure of mini-batches as a line of a system.
func overBatches(of func(MiniBatch) (float64, bool)) func(*System) picture.Line {
	return func(s *System) picture.Line { return points(s.Series, of) }
}

// overEvaluations returns the line of a figure over evaluations, or over epochs if all end epochs.
func (r *Report) overEvaluations(of func(EvaluationAt) (float64, bool)) func(*System) picture.Line {
	epochs := r.byEpoch()
	return func(s *System) picture.Line {
		var l picture.Line
		for _, e := range s.Evaluations {
			at := e.MiniBatch
			if epochs {
				at = e.Epoch
			}
			if v, ok := of(e); ok {
				l.X, l.Y = append(l.X, float64(at)), append(l.Y, v)
			}
		}
		return l
	}
}

func value(x *float64) (float64, bool) {
	if x == nil {
		return 0, false
	}
	return *x, true
}

// lines returns a line for each system. Systems with equal figures share the line of the first of
// them, and their own lines are empty.
func (r *Report) lines(of func(*System) picture.Line) []picture.Line {
	var lines []picture.Line
	for i := range r.Systems {
		l := of(&r.Systems[i])
		l.Name = r.Systems[i].System
		same := slices.IndexFunc(lines, func(o picture.Line) bool { return slices.Equal(o.X, l.X) && slices.Equal(o.Y, l.Y) })
		if same >= 0 && len(l.X) > 0 {
			lines[same].Name += ", " + l.Name
			l = picture.Line{}
		}
		lines = append(lines, l)
	}
	return lines
}

// perPoint returns the number of consecutive mini-batches that are averaged into a point.
func perPoint(miniBatches int) int { return max(1, (miniBatches+mostPoints-1)/mostPoints) }

// points returns the line of a figure. Each point is the mean over its mini-batches for which the
// figure is a finite number, and is placed at the first of them.
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

// inWords describes lines by their first and last values.
func inWords(lines []picture.Line, y picture.Axis) string {
	var list []string
	text := func(v float64) string {
		switch {
		case y.Text != nil:
			return y.Text(v)
		case y.Units != nil:
			return trimmed(des.Time(v))
		}
		return fmt.Sprintf("%.4f", v)
	}
	for _, l := range lines {
		if len(l.X) == 0 {
			continue
		}
		list = append(list, fmt.Sprintf("%s: from %s to %s.", l.Name, text(l.Y[0]), text(l.Y[len(l.Y)-1])))
	}
	return strings.Join(list, " ")
}
