package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// blocks returns the code blocks of a document in a language.
func blocks(text, language string) (out []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestPiecesOfCLibrary: the code in c-library.md equals the examples.
func TestPiecesOfCLibrary(t *testing.T) {
	page := read(t, "how-to/c-library.md")
	require.Equal(t, []string{read(t, "../examples/c-library/bench.cpp")}, blocks(page, "cpp"))
	require.Equal(t, []string{read(t, "../examples/c-library/bench.py")}, blocks(page, "python"))
}

// TestCLibrary runs the commands of c-library.md and compares their output.
func TestCLibrary(t *testing.T) {
	tools.Need(t, "bash", "make", "gcc", "g++", "python3")
	page := read(t, "how-to/c-library.md")
	dir := t.TempDir()
	out, ok := golang(t, "..", "build", "-o", filepath.Join(dir, "bin", "hotline"), "./cmd/hotline")
	require.True(t, ok, out)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bench.cpp"), []byte(blocks(page, "cpp")[0]), 0o600))
	for _, commands := range blocks(page, "sh") {
		run := exec.Command("bash", "-ec", commands)
		run.Dir = dir
		text, err := run.CombinedOutput()
		require.NoError(t, err, string(text))
		out = string(text)
	}
	_, printed, _ := strings.Cut(page, "\nprints\n\n```\n")
	printed, _, ok = strings.Cut(printed, "```")
	require.True(t, ok)
	require.True(t, strings.HasSuffix(out, printed), out)

	header := read(t, filepath.Join(dir, "library", "hotline.h"))
	for _, name := range regexp.MustCompile("`(hotline_\\w+|HOTLINE_\\w+)`").FindAllStringSubmatch(page, -1) {
		require.Contains(t, header, name[1])
	}
	for _, m := range regexp.MustCompile(`(?m)^\S.* \**(hotline_\w+)\(`).FindAllStringSubmatch(header, -1) {
		require.Contains(t, page, "`"+m[1]+"`")
	}
	made, err := os.ReadDir(filepath.Join(dir, "library"))
	require.NoError(t, err)
	for _, file := range made {
		if base, _, _ := strings.Cut(file.Name(), "."); base != "bench" && file.Name() != "go.sum" {
			require.Contains(t, page, "`"+file.Name()+"`")
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| (`.*`) \\|").FindAllStringSubmatch(page, -1) {
		for _, file := range strings.Split(m[1], ", ") {
			require.FileExists(t, filepath.Join(dir, "library", strings.Trim(file, "`"))+map[bool]string{true: "/model.go"}[file == "`cycle`"])
		}
	}
}
