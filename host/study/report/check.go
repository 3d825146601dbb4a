package report

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Broken is the first finding in a system that promises to train sequentially, in
// its own order or not; empty if there is none.
func (r *Report) Broken() string {
	for _, s := range r.Systems {
		if s.Promise != registry.Approximate.String() && s.Check != nil && s.Check.Findings > 0 {
			return fmt.Sprintf("%s: %v", s.System, s.Check.First[0])
		}
	}
	return ""
}

// shown is how many findings are printed.
const shown = 5

// checkText is what a watch has found, in a few words.
func checkText(s *consistency.Summary) string {
	switch {
	case s == nil:
		return ""
	case s.Findings == 0:
		return fmt.Sprintf("nothing found in %s", format.Plural(int(s.Staleness.Reads), "read"))
	}
	return format.Plural(int(s.Findings), "finding")
}

// printCheck prints what a watch has found, if there is something.
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
