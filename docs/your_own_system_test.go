package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

const ownExample = "../examples/recent/"

// TestCodeOfOwnSystem: the page contains the whole example in order, and a part of its test.
func TestCodeOfOwnSystem(t *testing.T) {
	source, blocks := read(t, ownExample+"main.go"), fenced(t, "tutorial/training-system.md", "go")
	last := len(blocks) - 1
	require.Equal(t, source, strings.Join(blocks[:last], "\n"))
	require.Less(t, strings.Count(source, "\n"), 160)
	require.Contains(t, read(t, ownExample+"main_test.go"), blocks[last])
}

// TestRunsOfOwnSystem: a module created outside of this module, as the page describes and without
// network access, prints the output on the page.
func TestRunsOfOwnSystem(t *testing.T) {
	commands, shown := fenced(t, "tutorial/training-system.md", "sh"), fenced(t, "tutorial/training-system.md", "")
	require.Len(t, commands, 2)
	require.Len(t, shown, 4)
	recent := outside(t, commands[0], "recent")
	right := recent.run("./recent")
	requireExcerpt(t, shown[0], right)
	if !testing.Short() { // the command contains grep
		require.Equal(t, shown[1], recent.run(commands[1]))
	}
	require.Equal(t, shown[2], recent.run("! ./recent -stay -1 2>&1 >/dev/null"))
	page := recent.run("./recent -html")
	for _, label := range []string{"recent, mini-batch 1:", "read rows", "rows that come", "place rows", "collect rows", "rows that leave", "write rows"} {
		require.Contains(t, page, label)
	}

	seed(t, filepath.Join(recent.dir, "main.go"), fenced(t, "tutorial/training-system.md", "diff")[0])
	recent.run("go build -mod=mod")
	wrong := recent.run("./recent")
	requireExcerpt(t, shown[3], wrong)
	require.Equal(t, upToOutcome(right), upToOutcome(wrong), "it takes the same time")
}

// TestProfilesOfOwnSystem: the profiles have the properties that the page uses to explain the
// speed-ups.
func TestProfilesOfOwnSystem(t *testing.T) {
	profile := func(name string) timing.Profile {
		p, err := timing.LoadProfile(name)
		require.NoError(t, err)
		return p
	}
	require.Equal(t, []string{"one", "each"}, []string{profile("hotline-2024-a").Processes, profile("hotline-2024-a").Tables})
	require.Equal(t, "together", profile("sceptic").Tables)
	require.True(t, profile("sceptic-pipelined").Pipelined)
}

// requireExcerpt requires that text contains the lines of an excerpt in order. Lines not separated
// by dots must be consecutive.
func requireExcerpt(t *testing.T, excerpt, text string) {
	t.Helper()
	text = "\n" + text
	for _, part := range strings.Split("\n"+excerpt, "\n...") {
		_, rest, ok := strings.Cut(text, part)
		require.True(t, ok, "%s\nis not in\n%s", part, text)
		text = rest
	}
}

// seed changes a file by a diff of one line.
func seed(t *testing.T, file, diff string) {
	t.Helper()
	before, after, ok := strings.Cut(diff, "\n+")
	require.True(t, ok, diff)
	text := read(t, file)
	require.Equal(t, 1, strings.Count(text, before[1:]+"\n"), diff)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(text, before[1:]+"\n", after, 1)), 0o600))
}

// upToOutcome returns the times of a printed report.
func upToOutcome(report string) string {
	times, _, _ := strings.Cut(report, "\nModels ")
	return times
}
