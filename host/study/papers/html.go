package papers

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

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

// chart is a figure or a table of a paper, drawn anew.
type chart struct {
	Title          string
	Picture        template.HTML
	Command, Rests string
}

// htmlItem is rows that have all but their conditions in common.
type htmlItem struct {
	Title string
	Rows  []htmlRow
}

type htmlRow struct {
	On, Says, Ours, Why, Verdict string
}

// WriteHTML writes what was reproduced as a page with pictures, in one file that needs no other.
// It is XML as well. version is that of the program.
func WriteHTML(w io.Writer, r *Reproduction, m *machine.Machine, version string) error {
	intro := strings.Split(strings.TrimSpace(strings.ReplaceAll(head, "*", "")), "\n\n")[1]
	values := map[string]any{
		"Machine": m, "Version": version, "Seed": Seed, "Style": template.CSS(picture.Style), "Head": intro, "Summary": r.counts(),
	}
	var papers []htmlPaper
	for _, p := range r.Papers {
		x := htmlPaper{Title: p.Title, Profile: p.Profile}
		for _, rows := range byItem(r.of(p.Name)) {
			x.Items = append(x.Items, newItem(rows))
			if c, ok := charted(rows, m); ok {
				x.Charts = append(x.Charts, c)
			}
		}
		for _, s := range p.Studies {
			x.Charts = append(x.Charts, s.chart(p.Name, m))
		}
		papers = append(papers, x)
	}
	values["Papers"] = papers
	return page.Execute(w, values)
}

// byItem are rows of which each list has all but its conditions in common.
func byItem(rows []Row) (list [][]Row) {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Item == rows[0].Item && rows[n].What == rows[0].What {
			n++
		}
		list = append(list, rows[:n])
		rows = rows[n:]
	}
	return list
}

func newItem(rows []Row) htmlItem {
	x := htmlItem{Title: rows[0].Item + ": " + rows[0].What}
	for _, r := range rows {
		x.Rows = append(x.Rows, htmlRow{r.On, r.says(), r.ours(), r.why(""), r.judged()})
	}
	return x
}

// judged is the verdict. If ours is explained, the factor between the numbers follows, unless it
// is about 1.
func (r Row) judged() string {
	if r.Verdict == Explained && r.Value != nil && r.Text == "" && *r.Value**r.Ours > 0 {
		factor := *r.Ours / *r.Value
		if factor = max(factor, 1/factor); factor >= 1.05 {
			digits := 1
			if factor >= 10 {
				digits = 0
			}
			return fmt.Sprintf("%s, %.*fx", r.Verdict, digits, factor)
		}
	}
	return string(r.Verdict)
}

// charted draws the rows that have two numbers, unless they are exact: there is little to see.
func charted(rows []Row, m *machine.Machine) (chart, bool) {
	first := rows[0]
	p := picture.Pairs{
		Title: first.Item, Untitled: true, Text: "Bars of the paper and of ours, with its range.",
		Axis: picture.Axis{Label: first.Unit}, Given: "paper", Found: "ours",
	}
	for _, r := range rows {
		if r.Value != nil && r.Ours != nil && r.Class != Exact && (*r.Value != 0 || *r.Ours != 0) {
			p.Pairs = append(p.Pairs, picture.Pair{
				Name: r.On, Value: fmt.Sprintf("%s, ours %s: %s", r.Says, figured(*r.Ours), r.judged()),
				Given: *r.Value, Found: *r.Ours, Low: *r.Low, High: *r.High,
			})
		}
	}
	command := fmt.Sprintf("hotline reproduce %s/%s --machine %s", first.Paper, slug(first.Item), m.Name)
	return chart{first.Item + ": " + first.What, template.HTML(p.SVG()), command, common(rows)}, len(p.Pairs) > 0
}
