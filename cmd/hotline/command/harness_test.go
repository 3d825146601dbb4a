package command

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// tiny is a configuration with a very short run. clicks contains 70 invented rows.
const (
	tiny   = "../../../host/study/experiment/testdata/tiny.hcl"
	clicks = "testdata/clicks.tsv"
)

// hotline runs a command line in this process. It removes from stderr the text that progress adds
// on a slow machine.
func hotline(args ...string) (code int, stdout, stderr string) {
	var out strings.Builder
	var log lockedBuilder
	code = execute(context.Background(), args, &out, &log)
	return code, out.String(), slow.ReplaceAllString(log.text.String(), "")
}

// slow matches the text that progress adds on a slow machine: estimates of more than a minute, and
// lines after a silence.
var slow = regexp.MustCompile(`, about \d+ min left|(?m)^.*, after \S+s\n`)

// lockedBuilder is a strings.Builder for the progress of several goroutines.
type lockedBuilder struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// contents returns the text of a file of the project.
func contents(t *testing.T, file string) string {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(b)
}

// origin returns the directory of this package, independent of the working directory.
func origin(t *testing.T) string {
	_, file, _, ok := runtime.Caller(0)
	require.True(t, ok)
	return filepath.Dir(file)
}

// folder creates a directory with files and changes to it.
func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	t.Chdir(dir)
	return dir
}

// names returns the files and directories in a directory.
func names(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// edited returns a text with one part replaced.
func edited(t *testing.T, text, old, new string) string {
	require.Equal(t, 1, strings.Count(text, old), "%q must occur once", old)
	return strings.Replace(text, old, new, 1)
}
