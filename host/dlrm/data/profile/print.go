package profile

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// shown lists the shares of a table's rows that Print shows.
var shown = []float64{0.01, 0.02, 0.1, 0.2}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) error {
	width := table.Width(w)
	all := r.headline() + "\n" + r.tablesText(width) + r.hotSetsText(width) + r.windowsText(width)
	if len(r.Targets) > 0 {
		all += r.targetsText(width)
	}
	_, err := io.WriteString(w, table.Wrap(all, width, 2))
	return err
}

// section formats a title and a table of numbers. A last column without a name contains text.
func section(title string, width int, names []string, rows [][]string) string {
	t := table.Table{Rows: rows, Indent: 2}
	for _, name := range names {
		t.Columns = append(t.Columns, table.Column{Name: name, Text: name == ""})
	}
	return "\n" + title + "\n\n" + t.Format(width)
}

// headline summarizes the source.
func (r *Report) headline() string {
	return fmt.Sprintf("%s: %s inputs with %d lookups each, %s of them clicks; %s rows in %d tables, of which %s were read",
		r.Name, format.Thousands(r.Inputs), r.Lookups, percent(r.Clicks), format.Thousands(r.Rows), len(r.Tables), format.Thousands(r.Seen))
}

func (r *Report) tablesText(width int) string {
	names := []string{"table", "rows", "read"}
	for _, p := range shown {
		names = append(names, part(p))
	}
	var rows [][]string
	for _, t := range r.Tables {
		mark := ""
		if !t.Exact {
			mark = "*"
		}
		row := []string{t.Name, format.Thousands(int64(t.Rows)), format.Thousands(t.Seen) + mark}
		for _, s := range t.Top {
			if slices.Contains(shown, s.Part) {
				row = append(row, percent(s.Accesses))
			}
		}
		rows = append(rows, row)
	}
	text := section("Share of a table's accesses that go to the hottest part of its rows that were read", width, names, rows)
	if note := r.note(); note != "" {
		text += "\n" + note + "\n"
	}
	return text
}

// note explains the mark of tables, if any table has it.
func (r *Report) note() string {
	if !slices.ContainsFunc(r.Tables, func(t Table) bool { return !t.Exact }) {
		return ""
	}
	return "* Rows share counters, so that fewer seem to be read, and more often."
}

func (r *Report) hotSetsText(width int) string {
	var rows [][]string
	for _, h := range r.HotSets {
		rows = append(rows, []string{
			format.Thousands(h.Rows), percent(h.OfSeen), percent(h.OfAll), percent(h.Accesses), percent(h.Inputs), percent(h.Independent), fmt.Sprintf("%.1f", h.ColdLookups),
		})
	}
	return section("What the hottest rows of all tables serve", width,
		[]string{"rows", "of those read", "of all", "accesses", "inputs", "if independent", "cold lookups of the others"}, rows)
}

func (r *Report) windowsText(width int) string {
	var rows [][]string
	for i, v := range r.Windows {
		row := []string{format.Thousands(v.From) + " to " + format.Thousands(v.To), format.Thousands(v.HotRows), percent(v.Own), "", "", ""}
		if i > 0 {
			row[3], row[4], row[5] = percent(v.Previous), percent(v.First), percent(v.Inputs)
		}
		rows = append(rows, row)
	}
	return section("What hot sets serve as time goes by: the hottest tenth of the rows read in a window, in it and later", width,
		[]string{"inputs", "hot rows", "its own", "that of the window before", "of the first", "inputs, by the window before"}, rows)
}

func (r *Report) targetsText(width int) string {
	var rows [][]string
	for _, t := range r.Targets {
		rows = append(rows, []string{percent(t.Reached), t.published(), points(t.Error), fmt.Sprintf("%v (%s)%s", t.Target, t.Source, r.mark(t.Target))})
	}
	return section("Targets", width, []string{"reached", "published", "error", ""}, rows) +
		fmt.Sprintf("\nRoot of the mean square of the errors: %.1f points.\n", 100*r.TargetError())
}

// mark returns a note if a target refers to a different number of inputs.
func (r *Report) mark(t Target) string {
	if r.comparable(t) {
		return ""
	}
	return fmt.Sprintf("; of %s inputs, not comparable", format.Thousands(t.Inputs))
}

// published formats the target's value.
func (t Target) published() string {
	if t.AtLeast {
		return "at least " + percent(t.Value)
	}
	return percent(t.Value)
}

// percent formats a share.
func percent(share float64) string {
	return strconv.FormatFloat(100*share, 'f', decimals(share), 64) + " %"
}

// part formats a share that is a round number.
func part(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }

// points formats a difference of shares.
func points(d float64) string { return fmt.Sprintf("%+.1f points", 100*d) }

// decimals returns the number of decimals for a share: one, and more for small shares.
func decimals(share float64) int {
	n := 1
	for ; share > 0 && share < 0.01 && n < 4; share *= 10 {
		n++
	}
	return n
}
