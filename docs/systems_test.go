package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/fae"
)

// TestSystemsOfTheDocument: the table of systems.md lists all systems with their guarantees, in
// order.
func TestSystemsOfTheDocument(t *testing.T) {
	_, table, ok := strings.Cut(read(t, "explanation/systems.md"), "| system | what it is | more | promise |\n| --- | --- | --- | --- |\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	var got, want []string
	for _, line := range strings.Split(table, "\n") {
		m := regexp.MustCompile("^\\| `([a-z-]+)` \\| (.+) \\| \\[[a-z]+\\]\\((.+)\\) \\| ([a-z ]+) \\|$").FindStringSubmatch(line)
		require.NotNil(t, m, line)
		got = append(got, m[1]+" | "+m[2]+" | "+m[4])
		require.FileExists(t, filepath.Join("explanation", m[3]))
	}
	for _, s := range catalog.Systems() {
		want = append(want, s.Name+" | "+s.Title+" | "+s.Guarantee.String())
	}
	require.Equal(t, want, got)
}

// TestFAEDefaultsOfTheDocument: fae.md lists the defaults of a configuration.
func TestFAEDefaultsOfTheDocument(t *testing.T) {
	d, text := fae.DefaultOptions(), read(t, "explanation/systems/fae.md")
	for name, value := range map[string]any{"budget_mib": d.BudgetMiB, "sample": d.Sample, "small_kib": d.SmallKiB, "test": d.Test} {
		require.Contains(t, text, fmt.Sprintf("| `%s` | %v |", name, value))
	}
	require.Empty(t, d.File)
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}
