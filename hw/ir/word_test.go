package ir

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSystemsOf32Bits: a build for a system of 32 bits fails, and the message gives the reason. All
// programs of the project need this package, so the same holds for them.
func TestSystemsOf32Bits(t *testing.T) {
	out, err := buildFor("386")
	require.Error(t, err)
	require.Contains(t, out, "undefined: hotline_needs_a_64_bit_system")
	out, err = buildFor("amd64")
	require.NoError(t, err, out)
}

// buildFor builds the package for an architecture and returns the messages of the compiler.
func buildFor(arch string) (string, error) {
	build := exec.Command("go", "build", ".")
	build.Env = append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	return string(out), err
}
