package command

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompletion: each shell gets a script of its own, and other names are refused.
func TestCompletion(t *testing.T) {
	for shell, part := range map[string]string{"bash": "complete -o default", "zsh": "#compdef hotline", "fish": "complete -c hotline", "powershell": "Register-ArgumentCompleter"} {
		code, script, stderr := hotline("completion", shell)
		require.Zero(t, code, stderr)
		require.Contains(t, script, part, shell)
	}
	for _, args := range [][]string{{}, {"tcsh"}, {"bash", "zsh"}} {
		code, stdout, stderr := hotline(append([]string{"completion"}, args...)...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, "expected one of bash, fish, powershell, zsh")
		require.Empty(t, stdout)
	}
}

// TestCompletionInBash: the script is valid, and what it calls completes verbs and flags. An unknown
// verb has no flags.
func TestCompletionInBash(t *testing.T) {
	_, script, _ := hotline("completion", "bash")
	if bash, err := exec.LookPath("bash"); err == nil {
		check := exec.Command(bash, "-n")
		check.Stdin = strings.NewReader(script)
		out, err := check.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	_, verbs, _ := hotline("__complete", "co")
	require.Contains(t, verbs, "cosim\t")
	require.NotContains(t, verbs, "train\t")
	_, flags, _ := hotline("__complete", "cosim", "--bat")
	require.Contains(t, flags, "--batches\t")
	_, flags, _ = hotline("__complete", "cosine", "--bat")
	require.NotContains(t, flags, "--batches")
}
