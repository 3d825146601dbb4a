// Package tools lets a test declare the programs that it requires besides Go. A test that requires
// none belongs to the short form of the suite, which go test -short and scripts/test-short run.
// Only tests and their helpers import the package.
package tools

import (
	"os/exec"
	"strings"
	"testing"
)

// Need skips the test with -short. Otherwise, it fails the test if one of the programs is not in
// the PATH.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("-short: runs %s", strings.Join(programs, ", "))
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("%s is missing; scripts/setup installs it", p)
		}
	}
}
