package papers

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("").Parse(pageText))

// htmlPaper is a section of the page.
type htmlPaper struct {
	Title, Profile string
	Charts         []chart
	Items          []htmlItem
}

// chart is a series of a paper, plotted with our values.
type chart struct {
	Title         string
	Picture       template.HTML
	Command, Rule string
}

// htmlItem is a series.
type htmlItem struct {
	Title string
	Rows  []htmlRow
}

type htmlRow struct {
	On, Says, Ours, Why, Verdict string
}

// WriteHTML writes a reproduction as a page with pictures, in one self-contained file. The page is
// also valid XML. version is the version of the program.
func WriteHTML(w io.Writer, r *Reproduction, m *machine.Machine, version string) error {
	values := map[string]any{
		"Machine": m, "Version": version, "Seed": Seed, "Style": template.CSS(picture.Style), "Summary": r.summary(), "Listed": r.listed(),
		"Statistics": r.Statistics, "Widened": modelError,
	}
	var papers []htmlPaper
	for _, p := range r.Papers {
		x := htmlPaper{Title: p.Title, Profile: p.Profile}
		for _, rows := range bySeries(r.of(p.Name)) {
			x.Items = append(x.Items, newItem(rows))
			if c, ok := charted(rows, m); ok {
				x.Charts = append(x.Charts, c)
			}
		}
		papers = append(papers, x)
	}
	values["Papers"] = papers
	return page.Execute(w, values)
}

func newItem(rows []Row) htmlItem {
	x := htmlItem{Title: rows[0].Item + ": " + rows[0].What}
	for _, r := range rows {
		x.Rows = append(x.Rows, htmlRow{r.On, r.says(), r.ours(true), r.notes(""), r.judged()})
	}
	return x
}

// charted plots the rows of simulated time that have two numbers.
func charted(rows []Row, m *machine.Machine) (chart, bool) {
	first := rows[0]
	p := picture.Pairs{
		Title: first.Item, Untitled: true, Text: "Bars of the paper and of ours, with its range.",
		Axis: picture.Axis{Label: first.Unit}, Given: "paper", Found: "ours",
	}
	for _, r := range rows {
		if r.Value != nil && r.Ours != nil && r.Class == Timing {
			p.Pairs = append(p.Pairs, picture.Pair{
				Name: r.On, Value: fmt.Sprintf("%s, ours %s: %s", r.Says, figured(*r.Ours), r.judged()),
				Given: *r.Value, Found: *r.Ours, Low: *r.Low, High: *r.High,
			})
		}
	}
	command := fmt.Sprintf("hotline reproduce %s/%s --machine %s", first.Paper, slug(first.Item), m.Name)
	return chart{first.Item + ": " + first.What, template.HTML(p.SVG()), command, first.Rule}, len(p.Pairs) > 0
}
