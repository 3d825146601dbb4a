package experiment_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/experiment"
)

// docs/systems.md lists all systems, with what they promise.
func TestSystemsAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/systems.md")
	require.NoError(t, err)
	for _, s := range experiment.Systems() {
		require.Contains(t, string(text), fmt.Sprintf("\n| `%s` | %s | %v |\n", s.Name, s.Title, s.Promise))
	}
}
