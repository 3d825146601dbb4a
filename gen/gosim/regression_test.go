package gosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestKeptDesigns runs designs whose models were once wrong, or would be wrong with a mistake that
// no other test detected. Some are reduced random designs.
func TestKeptDesigns(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.ir")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	designs := map[string]*ir.Design{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		require.NoError(t, err)
		d, err := ir.Parse(p, string(text))
		require.NoError(t, err)
		designs[strings.TrimSuffix(filepath.Base(p), ".ir")] = d
	}
	lockstep(t, designs, 300)
}
