package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTutorial: the commands of the tutorial create a module outside of this module from the code
// on the page. They need no network access and print the output shown.
func TestTutorial(t *testing.T) {
	commands, files := fenced(t, "tutorial/first-design.md", "sh"), fenced(t, "tutorial/first-design.md", "go")
	require.Len(t, commands, 3)
	require.Len(t, files, 3)
	edge := outside(t, commands[0], "edge")
	for i, name := range []string{"edge.go", "edge_test.go", "gen/main.go"} {
		require.NoError(t, os.WriteFile(filepath.Join(edge.dir, name), []byte(files[i]), 0o600))
	}
	require.Equal(t, "go vet . && go test .\n", commands[1])
	if !testing.Short() { // these tests run Verilator and Icarus Verilog
		require.Regexp(t, `^ok  \texample.com/edge\t\S+\n$`, edge.run(commands[1]))
	}
	require.Equal(t, fenced(t, "tutorial/first-design.md", "verilog")[0], edge.run(commands[2]))
	require.Regexp(t, `^ok  \texample.com/edge\t\S+\n$`, edge.run("go vet . && PATH=$(dirname $(command -v go)) go test -short ."), "without tools")
	require.NoFileExists(t, filepath.Join(edge.dir, "go.sum"), "nothing else is needed")

	seed(t, filepath.Join(edge.dir, "edge.go"), fenced(t, "tutorial/first-design.md", "diff")[0])
	require.Contains(t, untimed(edge.run("! go test -short .")), untimed(fenced(t, "tutorial/first-design.md", "")[0]))
}

// untimed removes the durations of tests from the output of go test.
func untimed(text string) string {
	return regexp.MustCompile(`\(\d+\.\d+s\)`).ReplaceAllString(text, "")
}

// TestExampleOfTheTutorial: the code on the page equals the example in the repository.
func TestExampleOfTheTutorial(t *testing.T) {
	files := fenced(t, "tutorial/first-design.md", "go")
	require.Equal(t, read(t, "../examples/edge/edge.go"), files[0])
	require.Equal(t, strings.ReplaceAll(read(t, "../examples/edge/edge_test.go"), "github.com/hotline-rtl/hotline/examples/edge", "example.com/edge"), files[1])
}

// TestLinesOfExamples: the table lists the examples that are Go designs, with their lines without
// blank lines and comments.
func TestLinesOfExamples(t *testing.T) {
	found := regexp.MustCompile(`(?m)^\| \[(\w+)\]\(\.\./\.\./examples/\S+ \| (\d+) \| (\d+) \|`).FindAllStringSubmatch(read(t, "tutorial/first-design.md"), -1)
	listed := map[string]bool{}
	for _, m := range found {
		listed[m[1]] = true
		files, err := filepath.Glob("../examples/" + m[1] + "/*.go")
		require.NoError(t, err)
		design, test, calls := 0, 0, ""
		for _, f := range files {
			n := 0
			for _, line := range strings.Split(read(t, f), "\n") {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
					n++
				}
			}
			if strings.HasSuffix(f, "_test.go") {
				test += n
				calls += read(t, f)
			} else {
				design += n
			}
		}
		require.Equal(t, []string{strconv.Itoa(design), strconv.Itoa(test)}, m[2:4], "lines of %s", m[1])
		require.Contains(t, calls, "hwtest.Run(", m[1])
		require.Contains(t, calls, "hwtest.Resets(", m[1])
	}
	designs, err := filepath.Glob("../examples/*/*_test.go")
	require.NoError(t, err)
	for _, f := range designs {
		if strings.Contains(read(t, f), "hwtest.") {
			require.True(t, listed[filepath.Base(filepath.Dir(f))], "%s is not in the table", f)
		}
	}
}
