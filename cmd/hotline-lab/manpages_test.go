package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline/command"
)

// TestManPages: every verb has a page with all its flags, and pages refer to pages that exist.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	var out, stderr strings.Builder
	require.Zero(t, execute([]string{"manpages", dir}, &out, &stderr), stderr.String())
	pages := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		pages++
		text, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		require.NoError(t, err)
		require.Empty(t, missingFrom(string(text), c))
		for _, child := range c.Commands() {
			require.Contains(t, string(text), roff(pageName(child))+"(1)")
			walk(child)
		}
	}
	walk(command.Tree())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, pages)
	require.Greater(t, pages, 15)

	cosim, _, err := command.Tree().Find([]string{"cosim"})
	require.NoError(t, err)
	require.Contains(t, missingFrom(strings.ReplaceAll(manPage(cosim), `\-\-batches`, ""), cosim), "batches")
}

// missingFrom returns the flags of a command that a page lacks.
func missingFrom(page string, c *cobra.Command) (names []string) {
	for _, line := range strings.Split(c.LocalFlags().FlagUsages()+c.InheritedFlags().FlagUsages(), "\n") {
		_, rest, ok := strings.Cut(line, "--")
		if !ok || !strings.HasPrefix(strings.TrimSpace(line), "-") {
			continue
		}
		if name := strings.Fields(rest)[0]; !strings.Contains(page, ".B "+roff("--"+name)) {
			names = append(names, name)
		}
	}
	return names
}

// TestRoff: no line of a text is a request of roff, and backslashes and hyphens stay.
func TestRoff(t *testing.T) {
	require.Equal(t, "a\\-b\n\\&.SH x\n  \\&'c \\en.", roff("a-b\n.SH x\n  'c \\n."))
	require.Equal(t, "plain. text", roff("plain. text"))
}
