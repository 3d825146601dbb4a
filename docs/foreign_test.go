package docs_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBlackBoxes: the code on the page occurs in the example, which has its own tests.
func TestBlackBoxes(t *testing.T) {
	pieces := fenced(t, "reference/language/black-boxes.md", "go")
	require.Len(t, pieces, 2)
	for _, p := range pieces {
		require.Contains(t, read(t, "../examples/foreign/mac.go"), p)
	}
}
