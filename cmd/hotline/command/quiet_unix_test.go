//go:build unix

package command

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestQuiet: --quiet leaves the result and errors as they are, and nothing else.
func TestQuiet(t *testing.T) {
	code, loud, notes := hotline("cosim", "--config", tiny, "--batches", "1")
	require.Zero(t, code)
	require.Contains(t, notes, "interpreting ")
	require.Contains(t, notes, "mini-batches")
	code, quiet, notes := hotline("cosim", "--config", tiny, "--batches", "1", "--quiet")
	require.Zero(t, code)
	require.Equal(t, loud, quiet)
	require.Empty(t, notes)

	for _, args := range [][]string{{"cosim", "--batches", "0"}, {"cosim", "--config", "none.hcl"}} {
		code, _, want := hotline(args...)
		require.Equal(t, exitUsage, code)
		code, _, stderr := hotline(append([]string{"--quiet"}, args...)...)
		require.Equal(t, exitUsage, code)
		require.Equal(t, want, stderr)
	}
}

// TestQuietRestart: a program that replaces this one writes its errors to the real stderr.
func TestQuietRestart(t *testing.T) {
	var log lockedBuilder
	c := &cobra.Command{}
	c.SetContext(t.Context())
	c.SetOut(&lockedBuilder{})
	c.SetErr(quieted{&log})
	require.Error(t, reexec(c, "/bin/sh", []string{"-c", "echo wrong >&2; exit 3"}, &spare{}))
	require.Equal(t, "wrong\n", log.text.String())
}
