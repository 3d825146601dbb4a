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
func TestKeptDesigns(t *testing.T) { lockstep(t, kept(t, "testdata/*.ir"), 300) }

// TestKeptCopies runs designs whose batches were once wrong, alone and as batches.
func TestKeptCopies(t *testing.T) {
	designs := kept(t, "testdata/copies/*.ir")
	lockstep(t, designs, 300)
	copiesLockstep(t, designs, 64, 300)
}

// kept returns the designs in files that match a pattern, by name.
func kept(t *testing.T, pattern string) map[string]*ir.Design {
	paths, err := filepath.Glob(pattern)
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
	return designs
}
