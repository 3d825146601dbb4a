package trace

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"thousands": thousands,
	"micro":     format.Micro,
}).Parse(pageText))

// WriteHTML writes the summary as a self-contained HTML page with charts. name is the name of the
// capture.
func (t *Trace) WriteHTML(w io.Writer, name string) error {
	s := t.Summary(pictureIntervals)
	return page.Execute(w, struct {
		Name     string
		Style    template.CSS
		Summary  Summary
		Pictures []template.HTML
	}{name, template.CSS(picture.Style), s, []template.HTML{
		template.HTML(s.bandwidth().SVG()), template.HTML(s.inFlight().SVG()), template.HTML(t.latencies().SVG()),
	}})
}

// pictureIntervals is the number of time intervals in the charts.
const pictureIntervals = 100

var overTime = picture.Axis{Label: "simulated time", Zero: true, Units: picture.Picoseconds}

// series returns the start times of the intervals and a value of each interval.
func (s Summary) series(of func(Interval) float64) (x, y []float64) {
	for _, i := range s.Intervals {
		x, y = append(x, float64(i.Start)), append(y, of(i))
	}
	return x, y
}

func (s Summary) bandwidth() picture.Lines {
	downX, down := s.series(func(i Interval) float64 { return i.Down })
	upX, up := s.series(func(i Interval) float64 { return i.Up })
	return picture.Lines{
		Title: "Bandwidth", Text: "Bytes on the link over time, with headers and framing, in both directions.",
		X: overTime, Y: picture.Axis{Label: "GB/s", Zero: true},
		Lines: []picture.Line{{Name: "to the card", X: downX, Y: down}, {Name: "from the card", X: upX, Y: up}},
	}
}

func (s Summary) inFlight() picture.Lines {
	x, y := s.series(func(i Interval) float64 { return float64(i.Outstanding) })
	return picture.Lines{
		Title: "Outstanding reads", Text: "Most reads of the device under way at once, over time.",
		X: overTime, Y: picture.Axis{Label: "reads", Zero: true, Whole: true},
		Lines: []picture.Line{{Name: "reads of the device", X: x, Y: y}},
	}
}

// latencies plots the cumulative distribution of read latencies, by role.
func (t *Trace) latencies() picture.Lines {
	l := picture.Lines{
		Title: "Latency of reads", Text: "Share of the reads that were answered within a time, by what they are for.",
		X: picture.Axis{Label: "from request to last completion", Units: picture.Picoseconds}, Y: picture.Axis{Label: "% of the reads", Zero: true},
	}
	for _, role := range []Role{RegisterRead, CommandFetch, DataRead} {
		line := picture.Line{Name: fmt.Sprint(role)}
		if sorted := t.sorted(role); len(sorted) > 0 {
			for percent := 1; percent <= 100; percent++ {
				line.X, line.Y = append(line.X, float64(quantile(sorted, percent))), append(line.Y, float64(percent))
			}
		}
		l.Lines = append(l.Lines, line)
	}
	return l
}
