package docs_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const firstDriver = "tutorial/first-driver.md"

// TestFirstDriver takes the steps of the page in a module outside of this module, without network
// access, and compares what they print.
func TestFirstDriver(t *testing.T) {
	commands, files, shown := fenced(t, firstDriver, "sh"), fenced(t, firstDriver, "go"), fenced(t, firstDriver, "")
	changes := fenced(t, firstDriver, "diff")
	require.Len(t, commands, 5)
	require.Len(t, files, 5)
	require.Len(t, shown, 4)
	require.Len(t, changes, 3)
	first := outside(t, commands[0], "first")
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(first.dir, name), []byte(text), 0o600))
	}
	file := func(name string) string { return filepath.Join(first.dir, name) }

	put("machine.go", files[0])
	put("main.go", files[1])
	require.Equal(t, shown[0], first.run(commands[1]))

	put("ring.go", files[2])
	put("sum.go", files[3])
	seed(t, file("main.go"), changes[0])
	require.Equal(t, shown[1], first.run(commands[2]))
	require.Empty(t, first.run("gofmt -l . && go vet ."))

	seed(t, file("ring.go"), changes[1])
	wrong := first.run("! " + commands[2])
	requireExcerpt(t, shown[2], wrong)
	require.NotContains(t, wrong, "\n6  ")
	requireExcerpt(t, shown[3], first.run(commands[3]))

	if runtime.GOOS != "linux" {
		return
	}
	put("ring.go", files[2])
	put("served.go", files[4])
	seed(t, file("main.go"), changes[2])
	first.serve(commands[4])
	require.Equal(t, withoutAddresses(shown[1]), withoutAddresses(first.run(commands[2])))
	require.Empty(t, first.run("gofmt -l . && go vet ."))
}

// serve starts a command that serves a device, and ends it with the test.
func (s *shell) serve(command string) {
	server := exec.Command("sh", "-ec", "exec "+command)
	server.Dir = s.dir
	log, err := server.StderrPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, server.Start())
	s.t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	line, err := bufio.NewReader(log).ReadString('\n')
	require.NoError(s.t, err)
	require.True(s.t, strings.HasPrefix(line, "listening on "), line)
}

// withoutAddresses replaces the addresses of DMA memory.
func withoutAddresses(text string) string {
	return regexp.MustCompile(`0x\w{9,}`).ReplaceAllString(text, "ADDRESS")
}

// TestLengthOfFirstDriver: the page fits into an hour, at most 1,200 words with its code.
func TestLengthOfFirstDriver(t *testing.T) {
	require.LessOrEqual(t, len(strings.Fields(read(t, firstDriver))), 1200)
}
