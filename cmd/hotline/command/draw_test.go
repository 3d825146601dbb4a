package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDraw(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dispatch.svg")
	code, stdout, stderr := hotline("draw", "--block", "dispatch", "--out", file)
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), ">memory_controller<")

	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"draw"}, "--out FILE is expected; see 'hotline draw --help'"},
		{[]string{"draw", "--out", file, "--block", "gpu"}, `--block is "gpu"; there is no such module`},
	} {
		code, _, stderr := hotline(c.args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, c.want)
	}
}

// TestPictureOfTheReference: docs/reference/hotline.svg is the picture of today's accelerator.
func TestPictureOfTheReference(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hotline.svg")
	code, _, stderr := hotline("draw", "--out", file)
	require.Zero(t, code, stderr)
	require.Equal(t, contents(t, file), contents(t, "../../../docs/reference/hotline.svg"), "stale: go run ./cmd/hotline draw --out docs/reference/hotline.svg")
}
