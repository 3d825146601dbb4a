package sweep

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/format"
)

// checkPlots reports plots that match none of these keys.
func (f *File) checkPlots(keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	var errs []error
	for _, name := range f.Plots {
		key := name
		if rest, ok := strings.CutPrefix(name, "result."); ok && f.axis(rest) != nil {
			key = rest
		}
		if !slices.ContainsFunc(keys, func(k string) bool { return columnOf(k).MatchString(key) }) {
			errs = append(errs, at(f.Drawn.Range(), "plots: %s prints no figure %q; docs/reference/json.md has its keys, in which a name stands for [], as in systems.hotline.time_ps", f.Run.Program, name))
		}
	}
	return format.Mistakes(errs...)
}

// columnOf returns an expression that matches the columns of a key. An object in a list has one to
// three names; an open key may have any suffix.
func columnOf(key string) *regexp.Regexp {
	text := strings.ReplaceAll(regexp.QuoteMeta(key), `\[\]`, `(\.[^.]+){1,3}`)
	return regexp.MustCompile("^" + strings.ReplaceAll(text, `\.\*`, `\..+`) + "$")
}
