package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestKeyword checks keywords of each language and words that are not keywords.
func TestKeyword(t *testing.T) {
	for _, word := range []string{"always", "wire", "logic", "uwire", "near", "short", "operator", "sc_in"} {
		require.True(t, ir.Keyword(word), word)
	}
	for _, word := range []string{"clk", "data", "name", "read", "abs", "main", ""} {
		require.False(t, ir.Keyword(word), word)
	}
}
