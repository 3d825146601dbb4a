package profile

import (
	"fmt"
	"html/template"
	"io"
)

// WriteHTML writes the report as an HTML page with pictures, in one file that needs no other.
func (r *Report) WriteHTML(w io.Writer) error {
	var charts []template.HTML
	for _, c := range []chart{r.skewChart(), r.hotSetChart(), r.popularChart(), r.driftChart()} {
		charts = append(charts, template.HTML(c.svg()))
	}
	return page.Execute(w, map[string]any{
		"Report": r, "Headline": r.headline(), "Charts": charts, "Note": r.note(), "Error": 100 * r.TargetError(), "Mark": r.mark,
	})
}

func (r *Report) skewChart() chart {
	c := chart{
		title: "Skew: what the hottest rows of each table get", logX: true,
		xLabel: "hottest part of the rows of a table that were read", yLabel: "share of its accesses",
	}
	for i, t := range r.Tables {
		l := line{name: fmt.Sprintf("%s, %s rows", t.Name, thousands(int64(t.Rows))), colour: colour(i, len(r.Tables))}
		for _, s := range t.Top {
			l.x, l.y = append(l.x, s.Part), append(l.y, s.Accesses)
		}
		c.lines = append(c.lines, l)
	}
	return c
}

func (r *Report) hotSetChart() chart {
	l := line{name: "accesses", colour: palette[0]}
	for _, h := range r.HotSets {
		l.x, l.y = append(l.x, h.OfAll), append(l.y, h.Accesses)
	}
	return chart{
		title: "Hot set: accesses that the hottest rows serve", logX: true, lines: []line{l},
		xLabel: "hot set, as a share of all rows", yLabel: "share of accesses",
	}
}

func (r *Report) popularChart() chart {
	popular := line{name: "inputs that read hot rows only", colour: palette[1]}
	alone := line{name: "if each lookup were independent", colour: palette[6], dashed: true}
	targets := line{name: "published", colour: palette[3], loose: true}
	for _, h := range r.HotSets {
		popular.x, popular.y = append(popular.x, h.OfAll), append(popular.y, h.Inputs)
		alone.x, alone.y = append(alone.x, h.OfAll), append(alone.y, h.Independent)
	}
	c := chart{
		title: "Popular share: inputs that the hottest rows serve", logX: true, lines: []line{popular, alone},
		xLabel: "hot set, as a share of all rows", yLabel: "share of inputs",
	}
	for _, t := range r.Targets {
		if t.Kind == Popular && r.comparable(t.Target) {
			targets.x, targets.y = append(targets.x, float64(t.HotRows)/float64(r.Rows)), append(targets.y, t.Value)
		}
	}
	if len(targets.x) > 0 {
		c.lines = append(c.lines, targets)
	}
	return c
}

func (r *Report) driftChart() chart {
	own := line{name: "hot set of the window", colour: palette[0]}
	previous := line{name: "of the window before", colour: palette[1]}
	first := line{name: "of the first window", colour: palette[2]}
	inputs := line{name: "inputs that the window before serves", colour: palette[6], dashed: true}
	for i, v := range r.Windows {
		at := float64(i + 1)
		own.x, own.y = append(own.x, at), append(own.y, v.Own)
		if i == 0 {
			continue
		}
		previous.x, previous.y = append(previous.x, at), append(previous.y, v.Previous)
		first.x, first.y = append(first.x, at), append(first.y, v.First)
		inputs.x, inputs.y = append(inputs.x, at), append(inputs.y, v.Inputs)
	}
	return chart{
		title: "Drift: how long a hot set stays good", lines: []line{own, previous, first, inputs},
		xLabel: "window", yLabel: "share of accesses, or of inputs",
	}
}

var functions = template.FuncMap{
	"percent": percent, "part": part, "points": points, "thousands": thousands,
	"rows": func(n int) string { return thousands(int64(n)) },
}

var page = template.Must(template.New("").Funcs(functions).Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.Report.Name}}: profile</title>
<style>
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 1780px; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 }
th, td { padding: 2px 12px; text-align: right; border-bottom: 1px solid #ddd }
td:last-child.text, th.text { text-align: left }
svg { max-width: 100%; height: auto }
</style>
<h1>{{.Report.Name}}</h1>
<p>{{.Headline}}.</p>
{{range .Charts}}{{.}}{{end}}
{{with .Report.Targets}}<h2>Targets</h2>
<table>
<tr><th>reached<th>published<th>error<th class="text">what
{{range .}}<tr><td>{{percent .Reached}}<td>{{if .AtLeast}}at least {{end}}{{percent .Value}}<td>{{points .Error}}<td class="text">{{.Target}} ({{.Source}}){{call $.Mark .Target}}
{{end}}</table>
<p>Root of the mean square of the errors: {{printf "%.1f" $.Error}} points.</p>{{end}}
<h2>Hot sets</h2>
<table>
<tr><th>rows<th>of those read<th>of all<th>accesses<th>inputs<th>if independent<th>cold lookups of the others
{{range .Report.HotSets}}<tr><td>{{thousands .Rows}}<td>{{percent .OfSeen}}<td>{{percent .OfAll}}<td>{{percent .Accesses}}<td>{{percent .Inputs}}<td>{{percent .Independent}}<td>{{printf "%.1f" .ColdLookups}}
{{end}}</table>
<h2>Tables</h2>
<table>
<tr><th>table<th>rows<th>read{{range (index .Report.Tables 0).Top}}<th>{{part .Part}}{{end}}
{{range .Report.Tables}}<tr><td>{{.Name}}<td>{{rows .Rows}}<td>{{thousands .Seen}}{{if not .Exact}}*{{end}}{{range .Top}}<td>{{percent .Accesses}}{{end}}
{{end}}</table>
{{with .Note}}<p>{{.}}</p>{{end}}
<h2>Windows</h2>
<table>
<tr><th>inputs<th>hot rows<th>its own<th>that of the window before<th>of the first<th>inputs, by the window before
{{range $i, $w := .Report.Windows}}<tr><td>{{thousands .From}} to {{thousands .To}}<td>{{thousands .HotRows}}<td>{{percent .Own}}{{if $i}}<td>{{percent .Previous}}<td>{{percent .First}}<td>{{percent .Inputs}}{{end}}
{{end}}</table>
</html>
`))
