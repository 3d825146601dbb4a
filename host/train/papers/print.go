package papers

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Print writes papers as Markdown.
func Print(w io.Writer, list []Paper) error {
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for _, p := range list {
		if _, err := io.WriteString(w, p.text()); err != nil {
			return err
		}
	}
	return nil
}

// head says what the columns mean.
const head = `
Results need no time: an exact one follows from sizes that the paper states, a functional one is counted in a run here; it is the same if it is within the tolerance. Where the
paper has only a picture there is nothing to compare with.

Figures rest on simulated time: a column for each software profile, in each cell the value, and in brackets the range that holds eight tenths of 200 draws from the ranges of all
constants. Below are the two constants that the last row depends on most, one at a time.

Orders have the systems as a figure of the paper has them, from the fastest to the slowest; in each cell the place here, and ms a mini-batch. Of two systems that are not in the
paper's order it is told for which resource the slower one waits longer, and which changes, each by itself, turn them round: of the software, or of a constant to an end of its range.
`

func (p Paper) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n### Results\n\n", p.Title)
	line(&b, []string{"result", "class", "paper", "same if", "ours", "same", "ours is of; why it differs"})
	line(&b, []string{"---", "---", "---:", "---:", "---:", "---", "---"})
	for _, r := range p.Results {
		line(&b, []string{r.Name, string(r.Class), r.Paper, r.bounds(), strings.TrimSpace(r.value(r.Ours) + " " + r.Unit), r.verdict(), r.Note})
	}
	for _, f := range p.Figures {
		b.WriteString(f.text())
	}
	for _, o := range p.Orders {
		b.WriteString(o.text())
	}
	return b.String()
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// verdict tells whether it is the same.
func (r Result) verdict() string {
	if r.Same == nil {
		return ""
	}
	return yes(*r.Same)
}

// value is a number with the digits of the result.
func (r Result) value(x float64) string { return fmt.Sprintf("%.*f", r.Digits, x) }

// bounds are what is the same. A tolerance may need more digits than the value.
func (r Result) bounds() string {
	switch {
	case r.Same == nil:
		return ""
	case r.High == math.MaxFloat64:
		return fmt.Sprintf("at least %.5g", r.Low)
	case r.Low == r.High:
		return r.value(r.Low)
	case r.Low == 0:
		return fmt.Sprintf("at most %.5g", r.High)
	}
	return fmt.Sprintf("%.8g to %.8g", r.Low, r.High)
}

func (f Figure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s: %s\n\n%s\n\n", f.Name, f.Title, f.Note)
	perCell := len(f.Rows[0].Paper) > 1
	head := append([]string{}, f.Labels...)
	if !perCell {
		head = append(head, "paper")
	}
	for _, c := range f.Columns {
		head = append(head, "`"+c+"`")
	}
	line(&b, head)
	line(&b, append([]string{"---"}, repeat("---:", len(head)-1)...))
	for _, r := range f.Rows {
		cells := append([]string{}, r.Labels...)
		if !perCell {
			cells = append(cells, r.Paper[0])
		}
		for i, c := range r.Cells {
			text := c.String()
			if perCell && r.Paper[i] != "" {
				text += ", paper " + r.Paper[i]
			}
			cells = append(cells, text)
		}
		line(&b, cells)
	}
	if near := f.near(); near != "" {
		fmt.Fprintf(&b, "\nWithin a quarter of the paper: %s.\n", near)
	}
	b.WriteString("\nMost depends on, in the last row:\n\n")
	last := f.Rows[len(f.Rows)-1]
	for i, c := range last.Cells {
		if c.Spread != nil {
			fmt.Fprintf(&b, "- `%s`: %s\n", f.Columns[i], dependences(c.Depends))
		}
	}
	return b.String()
}

// near is how many of the rows that have a number of the paper are near it, by column.
func (f Figure) near() string {
	var parts []string
	for i, c := range f.Columns {
		near, all := 0, 0
		for _, r := range f.Rows {
			paper, err := strconv.ParseFloat(r.Paper[min(i, len(r.Paper)-1)], 64)
			if err != nil || r.Cells[i].Spread == nil {
				continue
			}
			all++
			if math.Abs(r.Cells[i].Value/paper-1) <= 0.25 {
				near++
			}
		}
		if all > 0 {
			parts = append(parts, fmt.Sprintf("`%s` %d of %d", c, near, all))
		}
	}
	return strings.Join(parts, ", ")
}

func (o Order) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### Order of systems, %s: %s\n\n%s\n\n", o.Name, o.Title, o.Note)
	head := []string{"profile"}
	published := []string{"paper"}
	for i, p := range o.Paper {
		head = append(head, p.System)
		published = append(published, fmt.Sprintf("%d: %.3g times", o.place(i), p.Time/o.Paper[0].Time))
	}
	line(&b, append(head, "the paper's", "of the draws"))
	line(&b, append(append([]string{"---"}, repeat("---:", len(o.Paper))...), "---", "---:"))
	line(&b, append(published, "", ""))
	for _, r := range o.Rows {
		cells := []string{"`" + r.Profile + "`"}
		for _, p := range o.Paper {
			cells = append(cells, r.cell(p.System))
		}
		line(&b, append(cells, yes(r.Same), fmt.Sprintf("%.0f %%", 100*r.Draws)))
	}
	o.reversals(&b)
	return b.String()
}

// place is the place of the paper's i-th system, from 1, which it may share.
func (o Order) place(i int) int {
	for i > 0 && o.Paper[i].Time == o.Paper[i-1].Time {
		i--
	}
	return i + 1
}

// cell is a system's place and time.
func (r OrderRow) cell(system string) string {
	i := slices.IndexFunc(r.Systems, func(t Timed) bool { return t.System == system })
	t := r.Systems[i]
	return fmt.Sprintf("%d: %s (%s to %s)", i+1, short(t.Value), short(t.Low), short(t.High))
}

// reversals are a table of what is not as in the paper, if anything is.
func (o Order) reversals(b *strings.Builder) {
	begun := false
	for _, r := range o.Rows {
		for _, s := range r.Swapped {
			if !begun {
				b.WriteString("\n")
				line(b, []string{"profile", "slower here", "than", "as it waits for", "turned round by"})
				line(b, []string{"---", "---", "---", "---", "---"})
				begun = true
			}
			line(b, []string{"`" + r.Profile + "`", s.Faster, s.Slower, s.because(), s.changes()})
		}
	}
}

// because is the resource that is waited for.
func (s Reversal) because() string {
	return fmt.Sprintf("%s, %.2f ms against %.2f", s.Resource, s.Waits, s.Other)
}

// printed is how many changes are printed of those that there are.
const printed = 4

func (s Reversal) changes() string {
	n := len(s.Changes)
	switch {
	case n == 0:
		return "nothing by itself"
	case n > printed:
		return fmt.Sprintf("%s, and %d more", strings.Join(s.Changes[:printed], ", "), n-printed)
	}
	return strings.Join(s.Changes, ", ")
}

func line(b *strings.Builder, cells []string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }

func repeat(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

// String is the figure with its range.
func (c Cell) String() string {
	if c.Spread == nil {
		return c.None
	}
	return fmt.Sprintf("%s (%s to %s)", short(c.Value), short(c.Low), short(c.High))
}

// short has two digits behind the point, but no more than four in all.
func short(x float64) string {
	switch {
	case x >= 1000:
		return fmt.Sprintf("%.0f", x)
	case x >= 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func dependences(list []timing.Dependence) string {
	var parts []string
	for _, d := range list {
		parts = append(parts, fmt.Sprintf("%s %v to %v: %s to %s", d.Constant, d.Low, d.High, short(d.AtLow), short(d.AtHigh)))
	}
	return strings.Join(parts, "; ")
}
