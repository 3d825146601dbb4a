package docs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// TestOptimisersOfTheDocument: numerics.md lists the states of each rule, and the guarantee of each
// system, which TestOptimisers of package catalog checks with each rule.
func TestOptimisersOfTheDocument(t *testing.T) {
	text := read(t, "explanation/numerics.md")
	require.NoError(t, checkRules(text))
	require.NoError(t, checkBits(text))
	for _, wrong := range []struct{ from, to string }{{"`adagrad` | n | 1 |", "`adagrad` | n | n |"}, {"| 2n | 2n |", "| 2n | n |"}, {"| `momentum` |", "| `nesterov` |"}} {
		require.Contains(t, text, wrong.from)
		require.Error(t, checkRules(strings.Replace(text, wrong.from, wrong.to, 1)), wrong.to)
	}
	for _, wrong := range []struct{ from, to string }{{"`xdl`, ", ""}, {"`cdlrm-paper`, ", ""}, {"| `fae` |", "| `fae`, `tt-rec` |"}} {
		require.Contains(t, text, wrong.from)
		require.Error(t, checkBits(strings.Replace(text, wrong.from, wrong.to, 1)), wrong.to)
	}
}

// checkRules compares the table of rules.
func checkRules(text string) error {
	lines := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| .+ \\| ([0-9n]+) \\| ([0-9n]+) \\|$").FindAllStringSubmatch(text, -1)
	if len(lines) != len(dlrm.Optimisers()) {
		return fmt.Errorf("%d rules, expected %d", len(lines), len(dlrm.Optimisers()))
	}
	for i, o := range dlrm.Optimisers() {
		length := func(of func(int) int) string {
			return map[[2]int]string{{0, 0}: "0", {1, 1}: "1", {7, 5}: "n", {14, 10}: "2n"}[[2]int{of(7), of(5)}]
		}
		if want := []string{o.Rule.String(), length(o.StateLen), length(o.RowStateLen)}; fmt.Sprint(lines[i][1:]) != fmt.Sprint(want) {
			return fmt.Errorf("the rule %v, expected %v", lines[i][1:], want)
		}
	}
	return nil
}

// checkBits compares the table of systems.
func checkBits(text string) error {
	listed := map[string]string{}
	for _, line := range regexp.MustCompile("(?m)^\\| ((?:`[a-z-]+`(?:, )?)+) \\| ([a-z -]+) \\|$").FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Split(line[1], ", ") {
			listed[name] += line[2]
		}
	}
	for _, d := range catalog.Systems() {
		want := "different"
		switch {
		case d.Guarantee == registry.Sequential:
			want = "bit-identical to sequential training"
		case d.Guarantee == registry.OwnOrder:
			want = "bit-identical to sequential training in its own order"
		case d.Reference != nil:
			want = "bit-identical to sequential training of the same cores"
		}
		if got := listed["`"+d.Name+"`"]; got != want {
			return fmt.Errorf("%s is %q, expected %q", d.Name, got, want)
		}
	}
	return nil
}
