package command

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// verbs calls f for every command that a user can start, with its command line.
func verbs(f func(c *cobra.Command, line []string)) {
	var walk func(c *cobra.Command, line []string)
	walk = func(c *cobra.Command, line []string) {
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		f(c, line)
		for _, child := range c.Commands() {
			walk(child, append(line[:len(line):len(line)], child.Name()))
		}
	}
	walk(root(nil), nil)
}

// TestEmptyFlags: no flag of any verb accepts an empty value, even if a later value is not empty.
func TestEmptyFlags(t *testing.T) {
	dir := folder(t, nil)
	tried := 0
	verbs(func(c *cobra.Command, line []string) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flag := "--" + f.Name
			for _, args := range [][]string{{flag + "="}, {flag + "= \t"}, {flag + "=", flag + "=x"}, {flag + "=\n"}} {
				tried++
				code, stdout, stderr := hotline(append(line[:len(line):len(line)], args...)...)
				require.Equal(t, exitUsage, code, "%q\n%s", append(line, args...), stderr)
				require.Contains(t, stderr, `for "`, "%q", append(line, args...))
				require.Contains(t, stderr, flag+`" flag: `)
				require.Contains(t, stderr, "expected ")
				require.Empty(t, stdout)
			}
		})
	})
	require.Greater(t, tried, 400, "all flags of all verbs")
	require.Empty(t, names(t, dir))
}

// TestEmptyArguments: no verb accepts an empty argument, whatever its number of arguments.
func TestEmptyArguments(t *testing.T) {
	dir := folder(t, nil)
	verbs(func(c *cobra.Command, line []string) {
		for _, args := range [][]string{{""}, {" "}, {"x", ""}, {"--", ""}} {
			code, stdout, stderr := hotline(append(line[:len(line):len(line)], args...)...)
			require.Equal(t, exitUsage, code, "%q\n%s", append(line, args...), stderr)
			require.Contains(t, stderr, "is empty; see 'hotline ", "%q", append(line, args...))
			require.Empty(t, stdout)
		}
	})
	require.Empty(t, names(t, dir))
}

// TestEmptyElements: no flag with a list accepts an empty element.
func TestEmptyElements(t *testing.T) {
	folder(t, map[string]string{"tiny.hcl": contents(t, origin(t)+"/"+tiny), "a.tsv": contents(t, origin(t)+"/"+clicks), "none": ""})
	for _, line := range []string{
		"train --system hybrid,,hotline", "train --system ,hybrid", "train --system hybrid,", "train --system ,",
		"train --timelines 0,,5 --html page.html", "train --timelines 0, --html page.html",
		"cosim --data criteo:a.tsv,", "cosim --data criteo:,a.tsv", "cosim --data criteo:a.tsv,,a.tsv", "data profile --data criteo:a.tsv,",
		"cosim --data gen:", "cosim --data criteo:a.tsv --index hash:",
		"doctor --need go,", "doctor --need ,go", "doctor --need go,,cc",
		"trace none --type MRd,", "trace none --type ,", "trace none --address -", "trace none --address 0-",
	} {
		code, stdout, stderr := hotline(strings.Fields(line)...)
		require.Equal(t, exitUsage, code, "%s\n%s", line, stderr)
		require.Contains(t, stderr, "expected ", line)
		require.NotContains(t, stderr, "open ", line)
		require.NotContains(t, stderr, "stat ", line)
		require.Empty(t, stdout)
	}
}
