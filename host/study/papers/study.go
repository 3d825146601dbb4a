package papers

import (
	"context"
	"fmt"
	"html/template"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// Study is figures of the accelerator's model where a paper has only a picture, or nothing.
type Study struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	Depends string     `json:"depends"` // what the figures depend on
	Over    string     `json:"over"`    // what the labels of the rows are
	Columns []string   `json:"columns"`
	Unit    string     `json:"unit"` // of all figures
	Rows    []StudyRow `json:"rows"`

	item string // of the paper, with which it is made
}

// StudyRow is a row of a study.
type StudyRow struct {
	Label  string    `json:"label"`
	Values []float64 `json:"values"`
}

// row adds a row of figures.
func (s *Study) row(label any, values ...float64) {
	s.Rows = append(s.Rows, StudyRow{fmt.Sprint(label), values})
}

// by is the study as an experiment, whose figures fill adds.
func (s Study) by(fill func(ctx context.Context, k *clock, s *Study) error) experiment {
	return experiment{name: s.Name, item: s.item, run: func(ctx context.Context, k *clock) (Finding, error) {
		s.Rows = nil
		err := fill(ctx, k, &s)
		return Finding{Study: &s}, err
	}}
}

func (s Study) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s: %s\n\nIn %s. %s\n\n", s.Name, s.Title, s.Unit, s.Depends)
	line(&b, append([]string{s.Over}, s.Columns...))
	line(&b, repeat("---:", 1+len(s.Columns)))
	for _, r := range s.Rows {
		cells := []string{r.Label}
		for _, v := range r.Values {
			cells = append(cells, short(v))
		}
		line(&b, cells)
	}
	return b.String()
}

// chart draws it: a line for each column.
func (s Study) chart(paper string, m *machine.Machine) chart {
	p := picture.Lines{
		Title: s.Name, Untitled: true, Text: s.Title + ".", Y: picture.Axis{Label: s.Unit, Zero: true},
		X: picture.Axis{Label: s.Over, Whole: true, Text: func(i float64) string { return s.Rows[int(i)].Label }},
	}
	for c, name := range s.Columns {
		l := picture.Line{Name: name}
		for i, r := range s.Rows {
			l.X, l.Y = append(l.X, float64(i)), append(l.Y, r.Values[c])
		}
		p.Lines = append(p.Lines, l)
	}
	command := fmt.Sprintf("hotline reproduce %s/%s --all --machine %s", paper, s.item, m.Name)
	if strings.HasSuffix(s.Name, RealClicks) {
		command += " --data LOG:FILE"
	}
	return chart{s.Name + ": " + s.Title, template.HTML(p.SVG()), command, strings.TrimSuffix(s.Depends, ".")}
}
