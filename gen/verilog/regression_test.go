package verilog_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestKeptDesigns tests reduced random designs whose Verilog was once wrong.
func TestKeptDesigns(t *testing.T) {
	paths, err := filepath.Glob("testdata/kept/*.ir")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			d, err := ir.Parse(path, string(text))
			require.NoError(t, err)
			files, err := verilog.Generate(d)
			require.NoError(t, err)
			lint(t, d, files)
			compare(t, d, files, 40, 1)
		})
	}
}
