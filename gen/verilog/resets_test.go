package verilog_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestResets tests instances with conditional resets, two in a row and in a loop.
func TestResets(t *testing.T) {
	d, files := generate(t, of("resets", simtest.Resets{Lanes: 3}))
	lint(t, d, files)
	lintFormal(t, d, files)
	compare(t, d, files, 300, 1)
	pins := map[string][]string{}
	for _, f := range files {
		pins[f.Name] = regexp.MustCompile(`\.rst +\(.*\)`).FindAllString(f.Text, -1)
	}
	require.Equal(t, map[string][]string{
		"counter.v": nil,
		"pair.v":    {".rst     (rst)", ".rst     (rst || half)"},
		"resets.v":  {".rst     (rst)", ".rst            (rst || whole)", ".rst     (rst || each[i])"},
	}, pins)
}
