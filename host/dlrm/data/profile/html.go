package profile

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// WriteHTML writes the report as a self-contained HTML page with charts.
func (r *Report) WriteHTML(w io.Writer) error {
	var charts []template.HTML
	for _, c := range []picture.Lines{r.skewChart(), r.hotSetChart(), r.popularChart(), r.driftChart()} {
		charts = append(charts, template.HTML(c.SVG()))
	}
	return page.Execute(w, map[string]any{
		"Style": template.CSS(picture.Style), "Report": r, "Headline": r.headline(), "Charts": charts, "Note": r.note(), "Error": 100 * r.TargetError(), "Mark": r.mark,
	})
}

func (r *Report) skewChart() picture.Lines {
	c := shares("Skew: what the hottest rows of each table get", "hottest part of the rows of a table that were read", "share of its accesses")
	c.X = byTens(c.X)
	for _, t := range r.Tables {
		l := picture.Line{Name: fmt.Sprintf("%s, %s rows", t.Name, format.Thousands(int64(t.Rows)))}
		for _, s := range t.Top {
			l.X, l.Y = append(l.X, s.Part), append(l.Y, s.Accesses)
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}

func (r *Report) hotSetChart() picture.Lines {
	c := shares("Hot set: accesses that the hottest rows serve", "hot set, as a share of all rows", "share of accesses")
	c.X = byTens(c.X)
	l := picture.Line{Name: "accesses"}
	for _, h := range r.HotSets {
		l.X, l.Y = append(l.X, h.OfAll), append(l.Y, h.Accesses)
	}
	c.Lines = []picture.Line{l}
	return c
}

func (r *Report) popularChart() picture.Lines {
	c := shares("Popular share: inputs that the hottest rows serve", "hot set, as a share of all rows", "share of inputs")
	c.X = byTens(c.X)
	popular := picture.Line{Name: "inputs that read hot rows only"}
	alone := picture.Line{Name: "if each lookup were independent", Dashed: true}
	targets := picture.Line{Name: "published", Loose: true}
	for _, h := range r.HotSets {
		popular.X, popular.Y = append(popular.X, h.OfAll), append(popular.Y, h.Inputs)
		alone.X, alone.Y = append(alone.X, h.OfAll), append(alone.Y, h.Independent)
	}
	c.Lines = []picture.Line{popular, alone}
	for _, t := range r.Targets {
		if t.Kind == Popular && r.comparable(t.Target) {
			targets.X, targets.Y = append(targets.X, float64(t.HotRows)/float64(r.Rows)), append(targets.Y, t.Value)
		}
	}
	if len(targets.X) > 0 {
		c.Lines = append(c.Lines, targets)
	}
	return c
}

func (r *Report) driftChart() picture.Lines {
	own := picture.Line{Name: "hot set of the window"}
	previous := picture.Line{Name: "of the window before"}
	first := picture.Line{Name: "of the first window"}
	inputs := picture.Line{Name: "inputs that the window before serves", Dashed: true}
	for i, v := range r.Windows {
		at := float64(i + 1)
		own.X, own.Y = append(own.X, at), append(own.Y, v.Own)
		if i == 0 {
			continue
		}
		previous.X, previous.Y = append(previous.X, at), append(previous.Y, v.Previous)
		first.X, first.Y = append(first.X, at), append(first.Y, v.First)
		inputs.X, inputs.Y = append(inputs.X, at), append(inputs.Y, v.Inputs)
	}
	c := shares("Drift: how long a hot set stays good", "window", "share of accesses, or of inputs")
	c.X.Whole = true
	c.Lines = []picture.Line{own, previous, first, inputs}
	return c
}

// shares returns a chart of shares from 0 to 1.
func shares(title, x, y string) picture.Lines {
	return picture.Lines{
		Title: title, Text: "The figures are in the tables of this page.", X: picture.Axis{Label: x},
		Y: picture.Axis{Label: y, Zero: true, One: true, Text: func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }},
	}
}

// byTens makes the axis a logarithmic axis of shares of rows.
func byTens(a picture.Axis) picture.Axis {
	a.Log = true
	a.Text = func(v float64) string {
		return strconv.FormatFloat(100*v, 'f', max(0, -2-int(math.Round(math.Log10(v)))), 64) + " %"
	}
	return a
}

var functions = template.FuncMap{
	"percent": percent, "part": part, "points": points, "thousands": format.Thousands,
	"rows": func(n int) string { return format.Thousands(int64(n)) },
}

var page = template.Must(template.New("").Funcs(functions).Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.Report.Name}}: profile</title>
<style>{{.Style}}</style>
</head>
<body>
<main>
<h1>{{.Report.Name}}</h1>
<p>{{.Headline}}.</p>
<div class="pictures">{{range .Charts}}<div class="scroll" tabindex="0" role="group" aria-label="picture">{{.}}</div>{{end}}</div>
{{with .Report.Targets}}<h2>Targets</h2>
<div class="scroll" tabindex="0" role="group" aria-label="targets"><table>
<tr><th scope="col">reached<th scope="col">published<th scope="col">error<th scope="col" class="text">what
{{range .}}<tr><td>{{percent .Reached}}<td>{{if .AtLeast}}at least {{end}}{{percent .Value}}<td>{{points .Error}}<td class="text">{{.Target}} ({{.Source}}){{call $.Mark .Target}}
{{end}}</table></div>
<p>Root of the mean square of the errors: {{printf "%.1f" $.Error}} points.</p>{{end}}
<h2>Hot sets</h2>
<div class="scroll" tabindex="0" role="group" aria-label="hot sets"><table>
<tr><th scope="col">rows<th scope="col">of those read<th scope="col">of all<th scope="col">accesses<th scope="col">inputs<th scope="col">if independent<th scope="col">cold lookups of the others
{{range .Report.HotSets}}<tr><td>{{thousands .Rows}}<td>{{percent .OfSeen}}<td>{{percent .OfAll}}<td>{{percent .Accesses}}<td>{{percent .Inputs}}<td>{{percent .Independent}}<td>{{printf "%.1f" .ColdLookups}}
{{end}}</table></div>
<h2>Tables</h2>
<div class="scroll" tabindex="0" role="group" aria-label="tables"><table>
<tr><th scope="col">table<th scope="col">rows<th scope="col">read{{range (index .Report.Tables 0).Top}}<th scope="col">{{part .Part}}{{end}}
{{range .Report.Tables}}<tr><td>{{.Name}}<td>{{rows .Rows}}<td>{{thousands .Seen}}{{if not .Exact}}*{{end}}{{range .Top}}<td>{{percent .Accesses}}{{end}}
{{end}}</table></div>
{{with .Note}}<p>{{.}}</p>{{end}}
<h2>Windows</h2>
<div class="scroll" tabindex="0" role="group" aria-label="windows"><table>
<tr><th scope="col">inputs<th scope="col">hot rows<th scope="col">its own<th scope="col">that of the window before<th scope="col">of the first<th scope="col">inputs, by the window before
{{range $i, $w := .Report.Windows}}<tr><td>{{thousands .From}} to {{thousands .To}}<td>{{thousands .HotRows}}<td>{{percent .Own}}{{if $i}}<td>{{percent .Previous}}<td>{{percent .First}}<td>{{percent .Inputs}}{{end}}
{{end}}</table></div>
</main>
</body>
</html>
`))
