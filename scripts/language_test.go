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

// TestProse: scripts/prose finds a phrase that reads as translated, and a sentence that is too
// long, in comments. It ignores code.
func TestProse(t *testing.T) {
	tools.Need(t, "bash", "git") // and Vale, which go builds
	long := "This sentence has " + strings.Repeat("very ", 45) + "many words."
	for text, found := range map[string]string{
		"// Area returns the product.\nfunc Area() {}":     "",
		"// Area is what a rectangle has.\nfunc Area() {}": "'is what' reads as translated",
		"// " + long + "\nfunc Area() {}":                  "more than 45 words",
		"// Area returns a text.\nvar s = \"those of\"":    "",
	} {
		file := filepath.Join(t.TempDir(), "p.go")
		require.NoError(t, os.WriteFile(file, []byte("package p\n\n"+text+"\n"), 0o600))
		out, ok := run(".", "./prose", file)
		require.Equal(t, found == "", ok, "%s: %s", text, out)
		require.Contains(t, out, found)
	}
}
