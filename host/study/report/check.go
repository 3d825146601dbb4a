package report

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/audit"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// Audit is the outcome of comparing the bytes that a system used with the charges of its timeline.
type Audit struct {
	Resources []audit.Total `json:"resources"`      // that the system uses; none if the audit was not made
	Text      string        `json:"text,omitempty"` // the first difference, or why the audit was not made
	Failed    bool          `json:"failed"`
}

// audits lists the bytes of each audited resource.
func (r *Report) audits() Comparison {
	c := Comparison{
		Title: "Audit of time", Note: "bytes of the run that the timeline charges, and that the training used",
		Columns: append([]table.Column{text("system"), text("resource")}, names("timeline", "counted")[1:]...),
	}
	for _, s := range r.Systems {
		if s.Audit == nil {
			continue
		}
		for _, t := range s.Audit.Resources {
			c.Rows = append(c.Rows, []string{s.System, t.Resource, format.Thousands(t.Timeline), format.Thousands(t.Counted)})
		}
	}
	return c
}

// Broken returns the first failed audit, or the first finding in a system that guarantees sequential
// training, in the order of the data or its own. It returns an empty string if there is none.
func (r *Report) Broken() string {
	for _, s := range r.Systems {
		if s.Audit != nil && s.Audit.Failed {
			return s.Audit.Text
		}
		if s.Promise != registry.Approximate.String() && s.Check != nil && s.Check.Findings > 0 {
			return fmt.Sprintf("%s: %v", s.System, s.Check.First[0])
		}
	}
	return ""
}

// shown limits the number of findings that are printed.
const shown = 5

// checkText summarizes the findings of a consistency checker.
func checkText(s *consistency.Summary) string {
	switch {
	case s == nil:
		return ""
	case s.Findings == 0:
		return fmt.Sprintf("nothing found in %s", format.Plural(int(s.Staleness.Reads), "read"))
	}
	return format.Plural(int(s.Findings), "finding")
}

// printCheck prints the findings of a consistency checker.
func printCheck(line printer, system string, s *consistency.Summary) {
	if s.Findings == 0 {
		return
	}
	var kinds []string
	for _, k := range s.Kinds {
		kinds = append(kinds, format.Plural(int(k.N), k.Kind.String()))
	}
	line(system+": check", "%s", strings.Join(kinds, ", "))
	for _, f := range s.First[:min(shown, len(s.First))] {
		line("", "%v", f)
	}
	if a := s.Staleness; a.Stale > 0 {
		line(system+": staleness", "%s of %s reads are too old: %.3f updates in the mean, %d at most", format.Thousands(a.Stale), format.Thousands(a.Reads), a.Mean, a.Max)
	}
}
