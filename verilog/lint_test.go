package verilog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
)

// TestLint: the tools report no warnings for the committed files, no warning is suppressed, and no
// line has more than 120 characters.
func TestLint(t *testing.T) {
	for _, dir := range []string{"small", "paper"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			list, err := os.ReadFile(filepath.Join(dir, "hotline.f"))
			require.NoError(t, err)
			for _, name := range strings.Fields(string(list)) {
				text, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				require.NotContains(t, string(text), "lint_off", name)
				for i, line := range strings.Split(string(text), "\n") {
					require.LessOrEqual(t, len(line), 120, "%s:%d", name, i+1)
				}
			}
			verilogtest.SilentFiles(t, dir, "hotline", strings.Fields(string(list)))
		})
	}
}
