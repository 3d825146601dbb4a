package verilog

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLint holds the promise of silence, without waivers, on the committed
// files.
func TestLint(t *testing.T) {
	for _, dir := range []string{"small", "hotline"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			list, err := os.ReadFile(filepath.Join(dir, "hotline.f"))
			require.NoError(t, err)
			for _, name := range strings.Fields(string(list)) {
				text, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				require.NotContains(t, string(text), "lint_off", name)
			}
			for _, c := range [][]string{
				{"verilator", "--lint-only", "-Wall", "--top-module", "hotline", "-f", "hotline.f"},
				{"iverilog", "-g2005", "-Wall", "-o", os.DevNull, "-f", "hotline.f"},
				{"yosys", "-q", "-p", "read_verilog " + strings.ReplaceAll(strings.TrimSpace(string(list)), "\n", " ") + "; hierarchy -check -top hotline; proc; check -assert"},
			} {
				cmd := exec.Command(c[0], c[1:]...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s: %s", c[0], out)
				require.Empty(t, string(out), c[0])
			}
		})
	}
}
