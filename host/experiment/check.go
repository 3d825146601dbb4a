package experiment

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/shadow"
)

// watch makes the watch of a system, which does not look unless the job asks for it.
func (r *run) watch(t *trained) train.Watch {
	switch {
	case !r.Watch:
		return train.Unwatched{}
	case t.Truth != nil:
		t.watch = shadow.Against(r.model, t.Truth(r.from))
	default:
		t.watch = shadow.New(r.from)
	}
	return t.watch
}

// check compares all systems that were watched with their truths.
func (r *run) check() error {
	for _, t := range r.fitting() {
		if t.watch == nil {
			continue
		}
		if _, err := t.watch.Finish(stopping{t.system, r.ctx}); err != nil {
			return fmt.Errorf("%s: check: %w", t.Name, err)
		}
	}
	return nil
}

// Broken is the first finding in a system that promises to train sequentially, in
// its own order or not; empty if there is none.
func (r *Report) Broken() string {
	for _, s := range r.Systems {
		if s.Promise != Approximate.String() && s.Check != nil && s.Check.Findings > 0 {
			return fmt.Sprintf("%s: %v", s.System, s.Check.First[0])
		}
	}
	return ""
}

// shown is how many findings are printed.
const shown = 5

// printCheck prints what a watch has found.
func printCheck(line printer, s *shadow.Summary) {
	if s.Findings == 0 {
		line("  check", "nothing found in %s", plural(int(s.Staleness.Reads), "read"))
		return
	}
	var kinds []string
	for _, k := range s.Kinds {
		kinds = append(kinds, plural(int(k.N), k.Kind.String()))
	}
	line("  check", "%s", strings.Join(kinds, ", "))
	for _, f := range s.First[:min(shown, len(s.First))] {
		line("", "%v", f)
	}
	if a := s.Staleness; a.Stale > 0 {
		line("  staleness", "%s of %s reads are too old: %.3f updates in the mean, %d at most", thousands(a.Stale), thousands(a.Reads), a.Mean, a.Max)
	}
}
