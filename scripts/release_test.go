package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// TestReleaseRefuses: the script builds nothing for a wrong version or in a folder with files.
func TestReleaseRefuses(t *testing.T) {
	tools.Need(t, "bash", "git", "sha256sum")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"0.1.0", t.TempDir()}, "usage: scripts/release VERSION DIR"},
		{[]string{"v0.1.0"}, "usage: scripts/release VERSION DIR"},
		{[]string{"v0.1.0", dir}, "is not empty"},
	} {
		out, err := exec.Command("./release", c.args...).CombinedOutput()
		require.Equal(t, 2, err.(*exec.ExitError).ExitCode(), string(out))
		require.Contains(t, string(out), c.want)
	}
}

// TestReleaseCheck: a file that differs from its checksum is found before anything runs.
func TestReleaseCheck(t *testing.T) {
	tools.Need(t, "bash", "git", "sha256sum")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("changed"), 0o600))
	sums := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file\n" // of an empty file
	require.NoError(t, os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums), 0o600))
	out, err := exec.Command("./release-check", dir).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "file: FAILED")
}

// TestSiteCheck: a page that shows the fence of a code block is found.
func TestSiteCheck(t *testing.T) {
	tools.Need(t, "bash")
	dir := t.TempDir()
	page := filepath.Join(dir, "index.html")
	require.NoError(t, os.WriteFile(page, []byte("<pre><code>go run .</code></pre>"), 0o600))
	out, err := exec.Command("./site-check", dir).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.WriteFile(page, []byte("<p>```wave registers</p>"), 0o600))
	out, err = exec.Command("./site-check", dir).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "code blocks that MkDocs does not recognize, in "+page)
}
