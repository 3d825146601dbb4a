package watch_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/watch"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// TestDocument: docs/how-to/virtual-machine.md lists every kind of finding.
func TestDocument(t *testing.T) {
	page, err := os.ReadFile("../../../docs/how-to/virtual-machine.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "\n## Mistakes of a driver\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n## ")
	var listed []watch.Kind
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, watch.Kind(row[1]))
	}
	require.Equal(t, []watch.Kind{
		watch.NoRegister, watch.ReadOnly, watch.PartialWrite, watch.Poll, watch.EarlyDoorbell, watch.FullRing, watch.Unmapped,
	}, listed)
	require.Contains(t, table, "| "+format.Thousands(watch.LeastPolls)+" reads of a register")
}
