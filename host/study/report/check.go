package report

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Audit is the outcome of comparing the bytes that a system moved with the charges of its timeline.
type Audit struct {
	Text   string `json:"text"`
	Failed bool   `json:"failed"` // otherwise, the audit was not made
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
