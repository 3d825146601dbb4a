package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// code matches what is code in Markdown, where brackets and parentheses are no links.
var code = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")

// brokenLinks returns the links of a page to files that do not exist.
func brokenLinks(page, text string) (broken []string) {
	for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
		file, _, _ := strings.Cut(m[1], "#")
		if file == "" || strings.Contains(file, "://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(page), file)); err != nil {
			broken = append(broken, m[1])
		}
	}
	return broken
}

// TestLinks: all links between documents and to files of the repository lead somewhere.
func TestLinks(t *testing.T) {
	pages := 0
	require.NoError(t, filepath.WalkDir("..", func(page string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(page) != ".md" {
			return err
		}
		pages++
		require.Empty(t, brokenLinks(page, read(t, page)), page)
		return nil
	}))
	require.Greater(t, pages, 30)
	require.Equal(t, []string{"nowhere.md#x"}, brokenLinks("x.md", "[a](nowhere.md#x), [b](readme_test.go), [c](#x), `hw.Inst[x](m)`, [d](https://example.com)"))
}

// TestWordsOfTheReadme: README.md is short enough to be read.
func TestWordsOfTheReadme(t *testing.T) {
	require.LessOrEqual(t, len(strings.Fields(read(t, "../README.md"))), 500)
}

// TestWordsOfTheDocuments: all documents together have at most 60,000 words, without code and
// without the bars of tables.
func TestWordsOfTheDocuments(t *testing.T) {
	require.Equal(t, 5, proseWords("One two.\n```sh\nthree four\n```\n\n| five | six seven |\n|---|---|\n"))
	total := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			total += proseWords(read(t, path))
		}
		return err
	}))
	require.Greater(t, total, 10_000)
	require.LessOrEqual(t, total, 60_000)
}

var (
	codeBlock = regexp.MustCompile("(?s)```.*?```")
	tableRule = regexp.MustCompile(`^[|-]+$`)
)

func proseWords(page string) (n int) {
	for _, word := range strings.Fields(codeBlock.ReplaceAllString(page, "")) {
		if !tableRule.MatchString(word) {
			n++
		}
	}
	return n
}

// TestSpeedInTheReadme: README.md states the speed-ups over Verilator that the page on
// performance measured for the accelerator, busy.
func TestSpeedInTheReadme(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `busy` \\| [\\d,]+ \\| ([\\d.]+) \\([^|]*\\| ([\\d.]+) \\([^|]*\\| ([\\d.]+) \\(").FindStringSubmatch(read(t, "evidence/performance.md"))
	require.NotNil(t, row)
	var speed [3]float64
	for i := range speed {
		var err error
		speed[i], err = strconv.ParseFloat(row[i+1], 64)
		require.NoError(t, err)
	}
	want := fmt.Sprintf("%.1f times as fast as Verilator 5.49 with clang in portable Go, %.1f times with AVX2 and %.0f times with AVX-512", speed[0], speed[1], speed[2])
	require.Contains(t, strings.Join(strings.Fields(read(t, "../README.md")), " "), want)
}

// TestIndex: docs/README.md lists every document once.
func TestIndex(t *testing.T) {
	_, index, ok := strings.Cut(read(t, "README.md"), "\n## ") // behind the paths of readers
	require.True(t, ok)
	for _, folder := range []string{"tutorial", "how-to", "reference", "explanation", "evidence"} {
		pages, err := filepath.Glob(folder + "/*.md")
		require.NoError(t, err)
		require.NotEmpty(t, pages, folder)
		for _, page := range pages {
			require.Equal(t, 1, strings.Count(index, "]("+page+")"), page)
		}
	}
}
