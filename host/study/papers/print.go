package papers

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Print writes what was reproduced as Markdown.
func Print(w io.Writer, r *Reproduction, m *machine.Machine) error {
	text := head + r.summary() + fitted(m, r)
	for _, p := range r.Papers {
		text += p.text(r.of(p.Name))
	}
	_, err := io.WriteString(w, text)
	return err
}

// head says what the tables mean.
const head = `
` + "`hotline reproduce --all`" + ` prints all of this, and studies on real clicks if ` + "`--data`" + ` names a log.

The numbers that five papers have in their text are rows here, beside ours. A row is *exact* if it follows from sizes that the paper states, *functional* if it is counted in a run, *timing* if it
rests on simulated time, and a *trend* if it says which way or in which order. It *holds* if ours is within its tolerance, which for a time is a quarter. It is *explained* if it does not, and a run
shows what makes it the paper's: one change, of a constant to an end of its range or of the software, with what ours is then, or else constants together within their ranges, or two changes of the
software; or where ours goes in a longer run, or a larger sample; or another number for what the paper does not state; or the paper's own numbers contradict it. Else it *fails*, and the change
that comes nearest is told. A row to which something here was fitted is *calibration*: it is no result, however near it is.

Times are those of a software profile, for a paper always the same one; in brackets is the range that holds eight tenths of 200 draws from the ranges of all
constants. Figures below have a column for each profile, with the two constants that the last row depends on most, one at a time. Orders have the systems as a figure of the
paper has them, from the fastest to the slowest: in each cell the place here, and ms a mini-batch. Of two systems that are not in the paper's order it is told for which resource the slower
one waits longer, and which changes, each by itself, turn them round. Studies are of the accelerator's sizes, where a paper has a picture only or nothing.
`

// of are the rows of a paper.
func (r *Reproduction) of(paper string) (list []Row) {
	for _, row := range r.Rows {
		if row.Paper == paper {
			list = append(list, row)
		}
	}
	return list
}

// Count is how many rows of a class have a verdict.
func (r *Reproduction) Count(c Class, v Verdict) (n int) {
	for _, row := range r.Rows {
		if row.Class == c && row.Verdict == v {
			n++
		}
	}
	return n
}

// counts are how many rows there are, by class and verdict, below a head.
func (r *Reproduction) counts() [][]string {
	cells := []string{"class"}
	for _, v := range Verdicts {
		cells = append(cells, string(v))
	}
	table := [][]string{append(cells, "rows")}
	for _, c := range Classes {
		cells, sum := []string{string(c)}, 0
		for _, v := range Verdicts {
			n := r.Count(c, v)
			sum += n
			cells = append(cells, fmt.Sprint(n))
		}
		table = append(table, append(cells, fmt.Sprint(sum)))
	}
	return table
}

// summary is the table of them.
func (r *Reproduction) summary() string {
	var b strings.Builder
	b.WriteString("\n## Rows\n\n")
	for i, cells := range r.counts() {
		line(&b, cells)
		if i == 0 {
			line(&b, append([]string{"---"}, repeat("---:", len(cells)-1)...))
		}
	}
	return b.String()
}

// fittedHead is what nothing here can tell by itself.
const fittedHead = `
## What was fitted to what

No constant was fitted to a row that is held out. But held-out rows had been looked at when three ranges were changed, each for a reason of its own: fused_call_us became 60 to 250
instead of 20 to 60, after a faster CPU was measured; stock_row_us 0.25 to 0.65 instead of 0.3 to 0.95, after own measurements; pageable_growth came in. And of two readings of
Hotline's software, its rows are beside the one that is nearer to its Figure 19; EL-Rec's Figures 12 and 13 got the software of its released programs, and
cDLRM's Figure 4c learning rates in proportion to that of its program, after they had failed without. Of the machine's constants these were fitted:

`

// fitted is the log of what was fitted to what.
func fitted(m *machine.Machine, r *Reproduction) string {
	var b strings.Builder
	b.WriteString(fittedHead)
	line(&b, []string{"constant", "value", "range", "fitted to"})
	line(&b, []string{"---", "---:", "---:", "---"})
	for _, c := range m.Constants() {
		if c.Calibrated != "" {
			line(&b, []string{c.Name, fmt.Sprint(c.Value), fmt.Sprintf("%v to %v", c.Low, c.High), c.Calibrated})
		}
	}
	b.WriteString("\nTo other rows generated clicks were fitted, or sizes that are not published, as these say. All of them:\n\n")
	line(&b, []string{"row", "paper", "ours"})
	line(&b, []string{"---", "---:", "---:"})
	for _, row := range r.Rows {
		if row.Role == Calibration {
			line(&b, []string{row.title() + ": " + row.What + ", " + row.On, row.says(), row.ours()})
		}
	}
	return b.String()
}

// title is where a row is.
func (r Record) title() string { return library().files[r.Paper].short() + " " + r.Item }

// short is the name of a paper without its year.
func (f file) short() string {
	name, _, _ := strings.Cut(f.Title, " (")
	return name
}

func (p Paper) text(rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\nTimes are those of `%s`.\n", p.Title, p.Profile)
	for _, same := range byItem(rows) {
		itemText(&b, same)
	}
	if len(p.Others) > 0 {
		b.WriteString("\n### Counted here, without a number in the paper\n\n")
		line(&b, []string{"count", "ours", "of"})
		line(&b, []string{"---", "---:", "---"})
		for _, o := range p.Others {
			line(&b, []string{o.Name, strings.TrimSpace(fmt.Sprintf("%.*f %s", o.Digits, o.Ours, o.Unit)), o.Note})
		}
	}
	for _, f := range p.Figures {
		b.WriteString(f.text())
	}
	for _, o := range p.Orders {
		b.WriteString(o.text())
	}
	for _, s := range p.Studies {
		b.WriteString(s.text())
	}
	return b.String()
}

// itemText is a table of rows that have all but their conditions in common.
func itemText(b *strings.Builder, rows []Row) {
	fmt.Fprintf(b, "\n**%s: %s** (%s)", rows[0].Item, rows[0].What, rows[0].Class)
	same := common(rows)
	if same != "" {
		fmt.Fprintf(b, ": %s", same)
	}
	b.WriteString("\n\n")
	line(b, []string{"on", "paper", "ours", "verdict", "why"})
	line(b, []string{"---", "---:", "---:", "---", "---"})
	for _, r := range rows {
		line(b, []string{r.On, r.says(), r.ours(), string(r.Verdict), r.why(same)})
	}
}

// common is what all rows rest on, empty if they do not rest on the same.
func common(rows []Row) string {
	for _, r := range rows {
		if r.Rests != rows[0].Rests {
			return ""
		}
	}
	return rows[0].Rests
}

// says is the published number with its unit, or what is said instead.
func (r Row) says() string {
	if r.Value == nil && !strings.ContainsAny(r.Says, "0123456789") {
		return r.Says
	}
	return strings.TrimSpace(r.Says + " " + r.Unit)
}

// ours is ours with its range.
func (r Row) ours() string {
	switch {
	case r.Ours == nil:
		return ""
	case r.Text != "":
		return r.Text
	}
	text := strings.TrimSpace(figured(*r.Ours) + " " + r.Unit)
	if *r.Low != *r.High {
		text += fmt.Sprintf(" (%s to %s)", figured(*r.Low), figured(*r.High))
	}
	return text
}

// why is what stands behind a verdict; rests is what stands above the table already.
func (r Row) why(rests string) string {
	var parts []string
	if r.Note != "" {
		parts = append(parts, r.Note)
	}
	if len(r.Because) > 0 {
		parts = append(parts, some(r.Because))
	}
	if r.Missing != "" && r.Verdict != Holds {
		parts = append(parts, r.Missing)
	}
	if r.Rests != rests && r.Rests != "" {
		parts = append(parts, r.Rests)
	}
	return strings.Join(parts, "; ")
}

// some are the first of a list, and how many more there are.
func some(list []string) string {
	if n := len(list); n > printed {
		return fmt.Sprintf("%s, and %d more", strings.Join(list[:printed], ", "), n-printed)
	}
	return strings.Join(list, ", ")
}

// figured is a number with as many digits as matter beside a published one.
func figured(x float64) string {
	switch a := math.Abs(x); {
	case a == math.Trunc(a):
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a < 0.1:
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	return short(x)
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func (f Figure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s: %s\n\n%s\n\n", f.Name, f.Title, f.Note)
	perCell := len(f.Rows[0].Paper) > 1 // then each cell has its own
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
	b.WriteString("\nMost depends on, in the last row:\n\n")
	last := f.Rows[len(f.Rows)-1]
	for i, c := range last.Cells {
		if c.Spread != nil {
			fmt.Fprintf(&b, "- `%s`: %s\n", f.Columns[i], dependences(c.Depends))
		}
	}
	return b.String()
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
	if len(s.Changes) == 0 {
		return "nothing, nor two changes of the software"
	}
	return some(s.Changes)
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
