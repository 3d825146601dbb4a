package docs_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/experiment"
)

// The table of systems.md has all systems with what they promise, in their order.
func TestSystemsOfTheDocument(t *testing.T) {
	text := systems(t)
	_, table, ok := strings.Cut(text, "| system | paper | parameters |\n|---|---|---|\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	var got, want []string
	for _, line := range strings.Split(table, "\n") {
		m := regexp.MustCompile("^\\| `([a-z-]+)` \\| .+ \\| ([a-z ]+) \\|$").FindStringSubmatch(line)
		require.NotNil(t, m, line)
		got = append(got, m[1]+" "+m[2])
	}
	for _, s := range experiment.Systems() {
		want = append(want, s.Name+" "+s.Promise.String())
	}
	require.Equal(t, want, got)
}

// So have the defaults of a configuration.
func TestFAEDefaultsOfTheDocument(t *testing.T) {
	d, text := configs.DefaultFAE(), systems(t)
	for name, value := range map[string]any{"budget_mib": d.BudgetMiB, "sample": d.Sample, "small_kib": d.SmallKiB, "test": d.Test} {
		require.Contains(t, text, fmt.Sprintf("| `%s` | %v |", name, value))
	}
	require.Empty(t, d.File)
}

func systems(t *testing.T) string {
	text, err := os.ReadFile("systems.md")
	require.NoError(t, err)
	return string(text)
}
