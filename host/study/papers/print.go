package papers

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Print writes a reproduction as Markdown: statistics, and a table of verdicts for each paper. With
// details, it writes no statistics, and a table for each series with its rule, ranges and notes.
func Print(w io.Writer, r *Reproduction, m *machine.Machine, details bool) error {
	text := "\n" + verdicts
	if !details {
		text = introduction + verdicts + known + r.header() + fitted(m)
	}
	for _, p := range r.Papers {
		text += p.text(r.of(p.Name), details)
	}
	_, err := io.WriteString(w, text)
	return err
}

// introduction explains the classes.
const introduction = `
Which published numbers hold. ` + "`hotline reproduce --all`" + ` prints this page; ` + "`hotline reproduce PAPER`" + ` or ` + "`PAPER/ITEM`" + ` prints every row with its rule, range and decisive constants.

A row is a published number. Its class decides whether it is a result:

| class | a row | result |
|---|---|---|
| exact | follows from stated sizes | yes |
| functional | is counted in a run | yes |
| timing | is simulated time | yes |
| trend | is the order of published numbers that differ by 5 % or more | yes |
| calibration | was used to fit a constant or the generator | no |
| selection | was used to choose a profile, a reading or a rule | no |
| set-up | repeats an input | no |
| arithmetic | follows from other numbers of the paper | no |

`

// verdicts states the rule.
const verdicts = `A result *holds* if its factor, our value over the published value, is between 3/4 and 4/3, or if the value is within published bounds. The factor of a speed-up is the ratio of gains,
(ours - 1) / (paper - 1). A trend holds if every pair is in the paper's order.
`

// known says when the rules were set.
const known = `
Most of our numbers were known when these rules were set. The next sections therefore judge trivial models and shuffled numbers by the same rules.
`

// of returns the rows of a paper.
func (r *Reproduction) of(paper string) (list []Row) {
	for _, row := range r.Rows {
		if row.Paper == paper {
			list = append(list, row)
		}
	}
	return list
}

// header prints the statistics.
func (r *Reproduction) header() string {
	var b strings.Builder
	b.WriteString("\n## Result\n\nRows that hold, of the rows that were run:\n\n")
	for i, cells := range r.summary() {
		row(&b, i, cells)
	}
	fmt.Fprintf(&b, "\n%s are no results.\n", r.listed())
	b.WriteString("\n### Against models that know nothing\n\nRows that hold. *No effect* makes all speed-ups 1. *One constant* is fitted for each paper and unit to a random half of the rows and judged on the other half, " +
		"100 times, scaled to all rows.\n\n")
	row(&b, 0, []string{"rows", "n", "ours", "no effect", "one constant"})
	for _, t := range r.Statistics.Trivial {
		row(&b, 1, []string{t.Rows, fmt.Sprint(t.N), fmt.Sprint(t.Ours), fmt.Sprint(t.NoEffect), fmt.Sprintf("%.1f", t.Constant)})
	}
	b.WriteString("\n### Placebo\n\nPublished numbers, with their bounds, are shuffled 100 times among the rows of one class and unit, and within the series of a trend. A good rule rejects them.\n\n")
	row(&b, 0, []string{"class", "shuffled", "differ"})
	n, holds := 0, 0.
	for _, p := range r.Statistics.Placebo {
		row(&b, 1, []string{string(p.Class), fmt.Sprint(p.Shuffled), percent(1-p.Holds, p.Shuffled)})
		n, holds = n+p.Shuffled, holds+p.Holds*float64(p.Shuffled)
	}
	row(&b, 1, []string{"all", fmt.Sprint(n), percent(1-holds/max(1, float64(n)), n)})
	fmt.Fprintf(&b, "\n### Ranges\n\nA range should contain the published value of four rows in five. Ranges of the machine's constants, from 200 samples, lack the error of the model. Every range is therefore "+
		"widened by a factor of %.2f both ways, fitted to every second row with a published time. Published values within ranges:\n\n", modelError)
	row(&b, 0, []string{"rows", "n", "constants alone", "widened"})
	for _, c := range r.Statistics.Coverage {
		row(&b, 1, []string{c.Rows, fmt.Sprint(c.N), percent(c.Constants, c.N), percent(c.Widened, c.N)})
	}
	b.WriteString(r.causes())
	return b.String()
}

// summary returns the number of rows that hold, by paper and class, after a header.
func (r *Reproduction) summary() [][]string {
	table := [][]string{{"paper"}}
	for _, c := range Results {
		table[0] = append(table[0], string(c))
	}
	table[0] = append(table[0], "all", "not run")
	line := func(name string, rows []Row) {
		cells, all := []string{name}, Count{}
		for _, c := range Results {
			x := tally(c, rows)
			cells = append(cells, x.String())
			all.Holds, all.Differs, all.NotRun = all.Holds+x.Holds, all.Differs+x.Differs, all.NotRun+x.NotRun
		}
		table = append(table, append(cells, all.String(), fmt.Sprint(all.NotRun)))
	}
	for _, p := range r.Papers {
		line(p.short(), r.of(p.Name))
	}
	line("all", r.Rows)
	return table
}

// String formats how many of the evaluated rows hold.
func (c Count) String() string {
	if c.Holds+c.Differs == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", c.Holds, c.Holds+c.Differs)
}

// listed counts the rows that are not results.
func (r *Reproduction) listed() string {
	var parts []string
	for _, c := range Listed {
		n := 0
		for _, row := range r.Rows {
			if row.Class == c {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%d rows of %s", n, c))
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// causes prints the effects of the declared causes.
func (r *Reproduction) causes() string {
	var b strings.Builder
	b.WriteString("\n### Causes\n\nA paper's file may declare one change of machine or software for all its rows. It is named as a cause if it mends a third of the rows that differ, and more than it breaks.\n\n")
	row(&b, 0, []string{"paper", "declared", "differ", "mends", "breaks", "named"})
	for _, p := range r.Papers {
		cells := []string{p.short(), "none", "", "", "", ""}
		if c := p.Cause; c != nil {
			cells = []string{p.short(), c.Name, fmt.Sprint(c.Differ), fmt.Sprint(c.Mends), fmt.Sprint(c.Breaks), map[bool]string{true: "yes", false: "no"}[c.Named]}
		}
		row(&b, 1, cells)
	}
	return b.String()
}

// fitted lists the fitted constants and the rows to which they were fitted.
func fitted(m *machine.Machine) string {
	var b strings.Builder
	b.WriteString(`
### What was fitted

No constant was fitted to a result. Results were known when the ranges of fused_call_us and stock_row_us were changed, after own measurements, and when pageable_growth was added.

`)
	row(&b, 0, []string{"constant", "value", "range", "fitted to"})
	for _, c := range m.Constants() {
		if c.Calibrated != "" {
			row(&b, 1, []string{c.Name, fmt.Sprint(c.Value), fmt.Sprintf("%v to %v", c.Low, c.High), c.Calibrated})
		}
	}
	return b.String()
}

// short returns the name of a paper without its year.
func (p Paper) short() string {
	name, _, _ := strings.Cut(p.Title, " (")
	return name
}

func (p Paper) text(rows []Row, details bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\nSoftware: `%s`.\n\n", p.Title, p.Profile)
	if details {
		for _, series := range bySeries(rows) {
			detailed(&b, series)
		}
		return b.String()
	}
	row(&b, 0, []string{"series", "on", "paper", "ours", "verdict"})
	for _, series := range bySeries(rows) {
		for _, cells := range lines(series) {
			row(&b, 1, cells)
		}
	}
	if missing := unnumbered(rows); len(missing) > 0 {
		b.WriteString("\n")
		for i, cells := range append([][]string{{"without a number", "items"}}, missing...) {
			row(&b, i, cells)
		}
	}
	return b.String()
}

// lines returns a table line for each row of a series that has a number of ours.
func lines(series []Row) (list [][]string) {
	name, alike := title(series)
	for _, r := range series {
		if r.Ours == nil {
			continue
		}
		cells := []string{name, r.On, r.Says, r.ours(false), r.judged()}
		if !alike {
			cells = []string{name, r.On, r.says(), r.ours(true), r.judged()}
		}
		list, name = append(list, cells), ""
	}
	return list
}

// title returns the name of a series, and whether its rows have the same unit. The name then
// includes the unit.
func title(series []Row) (name string, alike bool) {
	name = series[0].Item + ": " + series[0].What
	alike = !slices.ContainsFunc(series, func(r Row) bool { return r.Unit != series[0].Unit && r.On != "trend" })
	if alike && series[0].Unit != "" {
		name += " (" + series[0].Unit + ")"
	}
	return name, alike
}

// unnumbered returns the items that have rows without a number of ours, by their verdict or class.
func unnumbered(rows []Row) (list [][]string) {
	items := map[string][]string{}
	for _, r := range rows {
		if why := r.judged(); r.Ours == nil && !slices.Contains(items[why], r.Item) {
			items[why] = append(items[why], r.Item)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(items)) {
		list = append(list, []string{why, strings.Join(items[why], ", ")})
	}
	return list
}

// detailed prints a series with all details of its rows.
func detailed(b *strings.Builder, rows []Row) {
	fmt.Fprintf(b, "**%s: %s** (%s)", rows[0].Item, rows[0].What, rows[0].Class)
	rule := rows[0].Rule
	for _, r := range rows {
		if r.Rule != rule {
			rule = ""
		}
	}
	if rule != "" {
		fmt.Fprintf(b, ": %s", rule)
	}
	b.WriteString("\n\n")
	row(b, 0, []string{"on", "paper", "ours", "80 % range", "verdict", "notes"})
	for _, r := range rows {
		row(b, 1, []string{r.On, r.says(), r.ours(true), r.between(), r.judged(), r.notes(rule)})
	}
	b.WriteString("\n")
}

// judged returns the verdict with its factor, or the class of a row that is never judged.
func (r Row) judged() string {
	verdict := string(r.Verdict)
	if r.Verdict == NoResult {
		verdict = string(r.Class)
	}
	if r.Factor != nil {
		verdict += ", " + figured(*r.Factor) + "x"
	}
	return verdict
}

// says returns the published number with its unit, or the published words.
func (r Row) says() string {
	if r.Value == nil && !strings.ContainsAny(r.Says, "0123456789") {
		return r.Says
	}
	return strings.TrimSpace(r.Says + " " + r.Unit)
}

// ours returns our number, or our words, with the unit if wanted.
func (r Row) ours(unit bool) string {
	switch {
	case r.Ours == nil:
		return ""
	case r.Text != "":
		return r.Text
	case unit:
		return strings.TrimSpace(figured(*r.Ours) + " " + r.Unit)
	}
	return figured(*r.Ours)
}

func (r Row) between() string {
	if r.Low == nil {
		return ""
	}
	return figured(*r.Low) + " to " + figured(*r.High)
}

// notes joins the rule, the note and the decisive constants of a row. It omits a rule that is
// printed above the table.
func (r Row) notes(rule string) string {
	var parts []string
	if r.Rule != rule && r.Rule != "" {
		parts = append(parts, r.Rule)
	}
	if r.Note != "" {
		parts = append(parts, r.Note)
	}
	for _, d := range r.Depends {
		parts = append(parts, dependence(d))
	}
	return strings.Join(parts, "; ")
}

// dependence prints a figure at both ends of a constant's range.
func dependence(d timing.Dependence) string {
	return fmt.Sprintf("%s %v to %v: %s to %s", d.Constant, d.Low, d.High, figured(d.AtLow), figured(d.AtHigh))
}

// percent formats a share, or nothing if there are no rows.
func percent(share float64, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// figured formats a number with enough digits for a comparison.
func figured(x float64) string {
	switch a := math.Abs(x); {
	case a == math.Trunc(a), a >= 1000:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a < 0.1:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case a >= 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// row prints a row of a table. Row 0 is the header.
func row(b *strings.Builder, i int, cells []string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	if i == 0 {
		b.WriteString("|" + strings.Repeat("---|", len(cells)) + "\n")
	}
}
