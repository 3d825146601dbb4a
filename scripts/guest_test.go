package scripts

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// TestGuestIsEndedWhenSilent: scripts/guest waits for a guest as long as it prints, regardless of
// its total time, and stops a silent guest.
func TestGuestIsEndedWhenSilent(t *testing.T) {
	tools.Need(t, "bash")
	script, err := os.ReadFile("guest")
	require.NoError(t, err)
	watch := regexp.MustCompile(`(?ms)^watch\(\) \{.*?^\}\n`).FindString(string(script))
	require.NotEmpty(t, watch)
	run := func(guest, seconds string) (string, error) {
		c := exec.Command("bash", "-c", watch+`: >console; sh -c "$1" >>console & watch $! console "$2"`, "watch", guest, seconds)
		c.Dir = t.TempDir()
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := run("for i in 1 2 3 4; do sleep 1; echo $i; done", "100")
	require.NoError(t, err, out)
	out, err = run("exit 3", "100")
	require.ErrorContains(t, err, "exit status 3", out)
	out, err = run("exec sleep 1000", "1")
	require.ErrorContains(t, err, "exit status 1", out)
	require.Contains(t, out, "guest: it printed nothing for 1 s")
}
