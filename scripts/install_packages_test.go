// Package scripts tests the shell scripts of this folder that have logic of their own.
package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// TestInstallPackagesWaitsForALock: apt is started again if another program holds its lock. Any other
// error ends the script at the first attempt. In this test, apt is a script that counts its calls, and
// sleep returns immediately.
func TestInstallPackagesWaitsForALock(t *testing.T) {
	tools.Need(t, "bash", "sed")
	for name, c := range map[string]struct {
		message string
		calls   string
		fails   bool
	}{
		"lock of the lists": {"E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)", "3 update\n1 install\n", false},
		"lock of dpkg":      {"E: Unable to acquire the dpkg frontend lock, is another process using it?", "3 update\n1 install\n", false},
		"other error":       {"E: Unable to locate package nothing", "1 update\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			program := func(name, text string) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o700))
			}
			calls := filepath.Join(dir, "calls")
			program("apt-get", `echo "$2" >>`+calls+`
if [ $(wc -l <`+calls+`) -lt 3 ]; then echo "`+c.message+`" >&2; exit 100; fi
`)
			program("sleep", "")
			program("sudo", `exec "$@"`)
			cmd := exec.Command("./install-packages", "some-package")
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			require.Equal(t, c.fails, err != nil, "%s", out)
			require.Contains(t, string(out), c.message)
			counted, err := exec.Command("sh", "-c", "uniq -c <"+calls+" | sed 's/^ *//'").Output()
			require.NoError(t, err)
			require.Equal(t, c.calls, string(counted))
		})
	}
}
