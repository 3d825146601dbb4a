//go:build unix

package external

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestApart: a simulator has its own process group, so Ctrl-C reaches its parent only.
func TestApart(t *testing.T) {
	p, err := start("cat", handmade(), nil, "cat")
	require.NoError(t, err)
	group, err := syscall.Getpgid(p.cmd.Process.Pid)
	require.NoError(t, err)
	require.Equal(t, p.cmd.Process.Pid, group)
	require.NoError(t, p.Close(), "it ends with its input")
}
