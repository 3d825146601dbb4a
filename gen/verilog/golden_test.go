package verilog_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

var update = flag.Bool("update", false, "write the golden files")

func generate(t *testing.T, d design) (*ir.Design, []verilog.File) {
	x, err := d.build()
	require.NoError(t, err)
	files, err := verilog.Generate(x)
	require.NoError(t, err)
	return x, files
}

// TestGolden compares the text with reviewed files.
func TestGolden(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			_, files := generate(t, d)
			dir := filepath.Join("testdata", d.name)
			if *update {
				require.NoError(t, os.RemoveAll(dir))
				require.NoError(t, os.MkdirAll(dir, 0o755))
				for _, f := range files {
					require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644))
				}
			}
			have, err := filepath.Glob(filepath.Join(dir, "*.v"))
			require.NoError(t, err)
			require.Len(t, have, len(files))
			for _, f := range files {
				want, err := os.ReadFile(filepath.Join(dir, f.Name))
				require.NoError(t, err)
				require.Equal(t, string(want), f.Text, f.Name)
			}
		})
	}
}

// TestTools: three tools accept the designs, and Icarus simulates them.
func TestTools(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			x, files := generate(t, d)
			lint(t, x, files)
			compare(t, x, files, 60, 1)
		})
	}
}
