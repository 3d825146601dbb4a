package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPromisesOfTheVirtualMachine: the tests that virtual-machine.md names exist. It names all
// tests of guarantees in these packages and in the command.
func TestPromisesOfTheVirtualMachine(t *testing.T) {
	page, err := os.ReadFile("how-to/virtual-machine.md")
	require.NoError(t, err)
	named := map[string]bool{}
	for _, name := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(page), -1) {
		named[name[1]] = true
	}
	there := map[string]bool{}
	for _, pattern := range []string{"../host/device/vfiouser/*_test.go", "../host/device/rootport/*_test.go", "../host/device/driver/conformance/*_test.go", "../host/device/vfio/guest_test.go", "../cmd/hotline/command/serve_linux_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, name := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllSubmatch(text, -1) {
				there[string(name[1])] = true
			}
		}
	}
	for _, name := range []string{"TestConfigIsChecked", "TestServeWithoutASocket"} { // mistakes in Go and on the command line
		require.True(t, there[name], name)
		delete(there, name)
	}
	require.Equal(t, there, named)
}

// TestVariablesOfTheGuest: virtual-machine.md names exactly the variables of scripts/guest, and CI
// runs the script with both drivers.
func TestVariablesOfTheGuest(t *testing.T) {
	page, err := os.ReadFile("how-to/virtual-machine.md")
	require.NoError(t, err)
	script, err := os.ReadFile("../scripts/guest")
	require.NoError(t, err)
	variables := regexp.MustCompile(`\bHOTLINE_GUEST\w*`)
	names := func(text []byte) map[string]bool {
		found := map[string]bool{}
		for _, name := range variables.FindAllString(string(text), -1) {
			found[name] = true
		}
		return found
	}
	require.Equal(t, names(script), names(page))
	ci, err := os.ReadFile("../.ci/run")
	require.NoError(t, err)
	require.Contains(t, string(ci), "\nHOTLINE_GUEST=required ./scripts/guest\nHOTLINE_GUEST=required ./scripts/guest --kernel-driver\nHOTLINE_GUEST=required ./scripts/guest --own-card\n")
}
