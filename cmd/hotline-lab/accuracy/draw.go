package accuracy

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// pictures returns the SVG plots of AUC and of log loss by file name.
func (s sweep) pictures(all measured) map[string]string {
	return map[string]string{
		s.name + "-auc.svg":  picture.File(s.picture(all, "AUC", moreAUC)),
		s.name + "-loss.svg": picture.File(s.picture(all, "log loss", moreLoss)),
	}
}

// picture plots y over s.x. Each variant is a point at the mean of the seeds, with their range.
func (s sweep) picture(all measured, what string, y quantity) string {
	p := picture.Lines{
		Title: s.title + ": " + what, X: s.x.axis, Y: y.axis,
		Text: fmt.Sprintf("Means of %d seeds, with their ranges. The numbers are in the table of the document.", seeds),
	}
	for _, l := range s.lines {
		drawn := picture.Line{Name: l.name}
		for _, v := range l.variants {
			before := all[sequential(v.batch).name()]
			x, b := s.x.over(all[v.name()], before), y.over(all[v.name()], before)
			drawn.X, drawn.Y = append(drawn.X, x.mean), append(drawn.Y, b.mean)
			drawn.Low, drawn.High = append(drawn.Low, b.low), append(drawn.High, b.high)
		}
		p.Lines = append(p.Lines, drawn)
	}
	return p.SVG()
}

// table returns the outcomes of the sweep as a Markdown table.
func (s sweep) table(all measured) string {
	heads := []string{"system", "mini-batch", s.x.head}
	if s.x.head == age.head {
		heads = append(heads, "old", "never so")
	}
	heads = append(heads, "AUC", "less sequential", "log loss", "less sequential")
	rows := []string{cells(heads...), "|---|" + strings.Repeat("---:|", len(heads)-1)}
	seen := map[string]bool{}
	add := func(v variant) {
		if !seen[v.name()] {
			seen[v.name()] = true
			rows = append(rows, s.row(v, all[v.name()], all[sequential(v.batch).name()]))
		}
	}
	for _, l := range s.lines {
		for _, v := range l.variants {
			add(sequential(v.batch))
			add(v)
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// row returns the row of a variant.
func (s sweep) row(v variant, o, sequential []outcome) string {
	mean := func(q quantity) string { return fmt.Sprintf(q.text, q.over(o, sequential).mean) }
	ranged := func(q quantity) string {
		b := q.over(o, sequential)
		return fmt.Sprintf(q.text+" ("+q.text+" to "+q.text+")", b.mean, b.low, b.high)
	}
	row := []string{fmt.Sprintf("`%s`, %s", v.system, v.label), fmt.Sprint(v.batch), mean(s.x)}
	if s.x.head == age.head {
		row = append(row, mean(old), mean(never))
	}
	if v.system == "hybrid" {
		return cells(append(row, mean(auc), "", mean(logLoss), "")...)
	}
	return cells(append(row, mean(auc), ranged(moreAUC), mean(logLoss), ranged(moreLoss))...)
}

func cells(texts ...string) string { return "| " + strings.Join(texts, " | ") + " |" }
