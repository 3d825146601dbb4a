package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLibrariesOfTheDocument: the table of libraries.md lists the direct dependencies in go.mod,
// and otherwise only modules that belong to one of them, in brackets.
func TestLibrariesOfTheDocument(t *testing.T) {
	page, err := os.ReadFile("explanation/decisions/libraries.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(page), "| module | why |\n|---|---|\n")
	require.True(t, ok)
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		cell, _, _ = strings.Cut(cell, " (")
		got = append(got, strings.Split(cell, ", ")...)
	}
	mod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^\t(?:github\.com/)?(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		want = append(want, m[1])
	}
	for i := range got {
		got[i] = strings.TrimSuffix(got[i], "/v2")
	}
	for i := range want {
		want[i] = regexp.MustCompile(`/v\d+$`).ReplaceAllString(want[i], "")
	}
	require.ElementsMatch(t, want, got)
}
