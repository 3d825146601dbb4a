package bench

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// keptGains contains one gain in each line: a design, an instruction set and the speed-up.
//
//go:embed gains.txt
var keptGains string

// gain is the speed-up of a Go model with an instruction set over portable code, on the busy
// stimulus.
type gain struct {
	design, level string
	times         float64
}

// gains returns the gains of a comparison. The first program must be portable code.
func gains(design string, c comparison) (out []gain) {
	for i, p := range c.programs {
		if p.level > model.Portable {
			out = append(out, gain{design, p.level.String(), spreadOf(c.ratios(i, 0)).Median})
		}
	}
	return out
}

// check prints gains together with the recorded ones. It returns an error if a gain is more than
// 10% below the recorded gain, or if there is nothing to compare.
func check(w io.Writer, measured []gain, kept string) error {
	before, err := parseGains(kept)
	if err != nil {
		return err
	}
	var failed []error
	compared := false
	for _, g := range measured {
		was, ok := before[g.design+" "+g.level]
		if !ok {
			fmt.Fprintf(w, "%s %s %.2f\n", g.design, g.level, g.times)
			continue
		}
		compared = true
		fmt.Fprintf(w, "%s %s %.2f, kept: %.2f\n", g.design, g.level, g.times, was)
		if g.times < 0.9*was {
			failed = append(failed, fmt.Errorf("%s: %s is %.2f times as fast as portable code, expected at least %.2f", g.design, g.level, g.times, 0.9*was))
		}
	}
	if !compared {
		return errors.New("nothing to check: no gain is kept of these designs at a level of this processor")
	}
	return errors.Join(failed...)
}

// parseGains returns gains by design and instruction set.
func parseGains(text string) (map[string]float64, error) {
	out := map[string]float64{}
	for line := range strings.Lines(text) {
		var g gain
		if _, err := fmt.Sscanf(line, "%s %s %g", &g.design, &g.level, &g.times); err != nil {
			return nil, fmt.Errorf("gains.txt: %q: expected a design, a level and a number", line)
		}
		out[g.design+" "+g.level] = g.times
	}
	return out, nil
}
