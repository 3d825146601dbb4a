package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// run runs a program and returns what it prints, and whether it succeeds.
func run(dir, name string, args ...string) (text string, ok bool) {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	return string(out), err == nil
}

// TestSubjects: scripts/subjects accepts "area: do something" and refuses other subjects.
func TestSubjects(t *testing.T) {
	tools.Need(t, "bash", "git", "awk")
	for subject, right := range map[string]bool{
		"hw/lib/fifo: add a port":              true,
		"scripts: embed the source":            true,
		"add a port":                           false,
		"hw, sim: add a port":                  false,
		"hw: added a port":                     false,
		"hw: the port is new":                  false,
		"hw: " + strings.Repeat("say so ", 10): false,
	} {
		dir := t.TempDir()
		script, err := os.ReadFile("subjects")
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "scripts"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "scripts", "subjects"), script, 0o700))
		for _, args := range [][]string{
			{"init", "-q"},
			{"-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", subject},
		} {
			text, ok := run(dir, "git", args...)
			require.True(t, ok, text)
		}
		text, ok := run(dir, "scripts/subjects")
		require.Equal(t, right, ok, "%s: %s", subject, text)
		require.Equal(t, right, text == "", "%s: %s", subject, text)
	}
}

// TestProse: scripts/prose finds a phrase that reads as translated in a comment, and a long
// sentence in Markdown. It ignores code.
func TestProse(t *testing.T) {
	tools.Need(t, "bash", "git") // and Vale, which go builds
	for _, x := range []struct{ file, text, found string }{
		{"p.go", "package p\n\n// Area returns the product.\nfunc Area() {}\n", ""},
		{"p.go", "package p\n\n// Area is what a rectangle has.\nfunc Area() {}\n", "'is what' reads as translated"},
		{"p.go", "package p\n\n// S is a text.\nvar S = \"those of\"\n", ""},
		{"p.md", "This sentence has " + strings.Repeat("very ", 45) + "many words.\n", "more than 45 words"},
		{"p.md", "Use `that of` in code.\n", ""},
	} {
		file := filepath.Join(t.TempDir(), x.file)
		require.NoError(t, os.WriteFile(file, []byte(x.text), 0o600))
		out, ok := run(".", "./prose", file)
		require.Equal(t, x.found == "", ok, "%s: %s", x.text, out)
		require.Contains(t, out, x.found)
	}
}
