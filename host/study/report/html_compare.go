package report

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// comparisonsOfPage returns the comparisons for which the page has no plot.
func (r *Report) comparisonsOfPage() []Comparison {
	list := []Comparison{r.models()}
	if epochs := r.epochs(); len(epochs.Rows) > 0 {
		list = append(list, epochs)
	}
	return append(list, r.traffic())
}

// ageClass is a range of ages of reads.
type ageClass struct {
	label string
	most  int
}

// ageClasses covers all ages of stale reads. The sizes of the classes double.
var ageClasses = []ageClass{{"1 update", 1}, {"2", 2}, {"3 to 4", 4}, {"5 to 8", 8}, {"more", 1 << 62}}

// staleness returns a plot of the ages of reads, for the checked systems that read stale rows. It
// is empty if there are none.
func (r *Report) staleness() template.HTML {
	c := picture.Stacks{
		Title: "Rows that were too old when they were read, by the updates that they lacked",
		Text:  "A bar per system that read such rows: shares of its reads.",
		Axis:  picture.Axis{Label: "share of the reads, %"},
	}
	for _, s := range r.Systems {
		if s.Check == nil || s.Check.Staleness.Stale == 0 {
			continue
		}
		a := s.Check.Staleness
		stack := picture.Stack{Name: s.System, Value: fmt.Sprintf("%s of %s reads, %d updates at most", format.Thousands(a.Stale), format.Thousands(a.Reads), a.Max)}
		for i, n := range byClass(a) {
			share := 100 * Ratio(n, a.Reads)
			stack.Parts = append(stack.Parts, picture.Part{Label: ageClasses[i].label, Key: fmt.Sprint(i), Size: share, Colour: i, Text: fmt.Sprintf("%s: %.3g %%", ageClasses[i].label, share)})
		}
		c.Stacks = append(c.Stacks, stack)
	}
	if len(c.Stacks) == 0 {
		return ""
	}
	return template.HTML(c.SVG())
}

// byClass returns the number of stale reads in each class.
func byClass(a consistency.Staleness) []int64 {
	list := make([]int64, len(ageClasses))
	for _, x := range a.Ages {
		if x.Age == 0 {
			continue
		}
		list[slices.IndexFunc(ageClasses, func(c ageClass) bool { return x.Age <= c.most })] += x.Reads
	}
	return list
}
