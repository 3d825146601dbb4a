package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// TestCompareSeconds compares the times of a machine that is three times slower, with and without a
// package that has become much slower.
func TestCompareSeconds(t *testing.T) {
	tools.Need(t, "bash", "awk")
	file := func(scale float64, slow float64) string {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "p%d %.2f 1\n", i, scale*float64(i+4)-1)
		}
		fmt.Fprintf(&b, "slow %.2f 0\nnew 5 0\n", slow)
		path := filepath.Join(t.TempDir(), "seconds")
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
		return path
	}
	compare := func(slow float64) (string, error) {
		out, err := exec.Command("./compare-seconds", file(1, 30), file(3, slow)).CombinedOutput()
		return string(out), err
	}
	out, err := compare(150)
	require.NoError(t, err, out)
	require.Contains(t, out, "takes 3.00 times the kept figures")
	out, err = compare(200)
	require.ErrorContains(t, err, "exit status 1", out)
	require.Contains(t, out, "seconds: slow takes 200 CPU seconds, more than twice the 90 of scripts/seconds")
}

// TestSecondsAreOfPackages: each line of the file is of a package with tests. A package that is
// renamed takes its line along.
func TestSecondsAreOfPackages(t *testing.T) {
	text, err := os.ReadFile("seconds")
	require.NoError(t, err)
	require.Empty(t, strangers(string(text)))
	require.Equal(t, []string{"hw/gone"}, strangers(string(text)+"hw/gone 1 2\n"))
}

// strangers returns the folders of a file of seconds that have no tests.
func strangers(text string) (list []string) {
	for line := range strings.Lines(text) {
		folder, _, _ := strings.Cut(line, " ")
		if tests, _ := filepath.Glob(filepath.Join("..", folder, "*_test.go")); len(tests) == 0 {
			list = append(list, folder)
		}
	}
	return list
}

// TestCheckRefuses: a mistyped commit is an error, not a tree without changes.
func TestCheckRefuses(t *testing.T) {
	tools.Need(t, "bash")
	out, err := exec.Command("./check", "no-such-commit").CombinedOutput()
	require.ErrorContains(t, err, "exit status 2", string(out))
	require.Contains(t, string(out), "check: no-such-commit is not a commit; expected one, such as HEAD~1 or main")
	out, err = exec.Command("./compare-seconds", "one").CombinedOutput()
	require.ErrorContains(t, err, "exit status 2", string(out))
	require.Contains(t, string(out), "1 arguments, expected two files")
}
