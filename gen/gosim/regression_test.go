package gosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestKeptDesigns runs designs whose models were once wrong, random ones, reduced, or would
// be with a mistake that no other test noticed.
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
