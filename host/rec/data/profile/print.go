package profile

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/hotline-rtl/hotline/host/words"
)

// shown are the shares of a table's rows that Print shows.
var shown = []float64{0.01, 0.02, 0.1, 0.2}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, r.headline())
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	r.printTables(t)
	r.printHotSets(t)
	r.printWindows(t)
	if len(r.Targets) > 0 {
		r.printTargets(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return b.Flush()
}

// headline sums the source up.
func (r *Report) headline() string {
	return fmt.Sprintf("%s: %s inputs with %d lookups each, %s of them clicks; %s rows in %d tables, of which %s were read",
		r.Name, words.Thousands(r.Inputs), r.Lookups, percent(r.Clicks), words.Thousands(r.Rows), len(r.Tables), words.Thousands(r.Seen))
}

func (r *Report) printTables(w io.Writer) {
	fmt.Fprint(w, "\nShare of a table's accesses that go to the hottest part of its rows that were read\n\ntable\trows\tread\t")
	for _, p := range shown {
		fmt.Fprintf(w, "%s\t", part(p))
	}
	fmt.Fprintln(w)
	for _, t := range r.Tables {
		mark := ""
		if !t.Exact {
			mark = "*"
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s\t", t.Name, words.Thousands(int64(t.Rows)), words.Thousands(t.Seen), mark)
		for _, s := range t.Top {
			if slices.Contains(shown, s.Part) {
				fmt.Fprintf(w, "%s\t", percent(s.Accesses))
			}
		}
		fmt.Fprintln(w)
	}
	if note := r.note(); note != "" {
		fmt.Fprintf(w, "\n%s\n", note)
	}
}

// note explains the mark of tables, if one has it.
func (r *Report) note() string {
	if !slices.ContainsFunc(r.Tables, func(t Table) bool { return !t.Exact }) {
		return ""
	}
	return "* Rows share counters, so that fewer seem to be read, and more often."
}

func (r *Report) printHotSets(w io.Writer) {
	fmt.Fprintln(w, "\nWhat the hottest rows of all tables serve\n\n"+
		"rows\tof those read\tof all\taccesses\tinputs\tif independent\tcold lookups of the others\t")
	for _, h := range r.HotSets {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t\n", words.Thousands(h.Rows), percent(h.OfSeen), percent(h.OfAll), percent(h.Accesses),
			percent(h.Inputs), percent(h.Independent), h.ColdLookups)
	}
}

func (r *Report) printWindows(w io.Writer) {
	fmt.Fprintln(w, "\nWhat hot sets serve as time goes by: the hottest tenth of the rows read in a window, in it and later\n\n"+
		"inputs\thot rows\tits own\tthat of the window before\tof the first\tinputs, by the window before\t")
	for i, v := range r.Windows {
		fmt.Fprintf(w, "%s to %s\t%s\t%s\t", words.Thousands(v.From), words.Thousands(v.To), words.Thousands(v.HotRows), percent(v.Own))
		if i == 0 {
			fmt.Fprint(w, "\t\t\t\n")
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t\n", percent(v.Previous), percent(v.First), percent(v.Inputs))
	}
}

func (r *Report) printTargets(w io.Writer) {
	fmt.Fprintln(w, "\nTargets\n\nreached\tpublished\terror\t")
	for _, t := range r.Targets {
		fmt.Fprintf(w, "%s\t%s\t%s\t  %v (%s)%s\n", percent(t.Reached), t.published(), points(t.Error), t.Target, t.Source, r.mark(t.Target))
	}
	fmt.Fprintf(w, "\nRoot of the mean square of the errors: %.1f points.\n", 100*r.TargetError())
}

// mark says that a target is about another number of inputs.
func (r *Report) mark(t Target) string {
	if r.comparable(t) {
		return ""
	}
	return fmt.Sprintf("; of %s inputs, not comparable", words.Thousands(t.Inputs))
}

// published is the target's value, as text.
func (t Target) published() string {
	if t.AtLeast {
		return "at least " + percent(t.Value)
	}
	return percent(t.Value)
}

// percent prints a share.
func percent(share float64) string {
	return strconv.FormatFloat(100*share, 'f', decimals(share), 64) + " %"
}

// part prints a share that is a round number.
func part(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }

// points prints a difference of shares.
func points(d float64) string { return fmt.Sprintf("%+.1f points", 100*d) }

// decimals are one, and more for small shares.
func decimals(share float64) int {
	n := 1
	for ; share > 0 && share < 0.01 && n < 4; share *= 10 {
		n++
	}
	return n
}
