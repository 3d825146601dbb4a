package docs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTwentyMistakes: the page shows the messages that elaboration reports for each first code
// block, in a user's own module. The second code blocks elaborate without mistakes. go vet reports
// nothing, because these are mistakes in hardware.
func TestTwentyMistakes(t *testing.T) {
	text := read(t, "reference/mistakes.md")
	pieces := regexp.MustCompile("(?ms)^## (\\d+)\\. .*?```go\n(.*?)```\n\n```\n(.*?)```\n(?:\n```go\n(.*?)```)?").FindAllStringSubmatch(text, -1)
	require.Len(t, pieces, 20)
	require.Equal(t, 20, strings.Count(text, "\n## "))
	files, want := map[string]string{}, ""
	main := "package main\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/hotline-rtl/hotline/hw\"\n)\n\nfunc main() {\n"
	for i, p := range pieces {
		n := fmt.Sprint(i + 1)
		require.Equal(t, n, p[1])
		files["m"+n+".go"] = fmt.Sprintf(mistakeFile, n, p[2])
		main += "\tfmt.Println(hw.Elaborate(design" + n + "{8}))\n"
		want += p[3]
		if p[4] != "" {
			right := fmt.Sprint("right", n)
			files["r"+n+".go"] = strings.ReplaceAll(fmt.Sprintf(mistakeFile, n, p[4]), "design"+n, right)
			main += "\tif _, err := hw.Elaborate(" + right + "{8}); err != nil {\n\t\tpanic(err)\n\t}\n"
		}
	}
	require.Len(t, files, 20+9)
	files["main.go"] = main + "}\n"
	dir := module(t, files)
	out, ok := golang(t, dir, "vet", ".")
	require.True(t, ok, out)
	require.Empty(t, out)
	out, ok = golang(t, dir, "run", ".")
	require.True(t, ok, out)
	require.Equal(t, want, lines(out))
}

// lines converts positions to line numbers of a code block, which begins in line 8 of its file.
func lines(out string) string {
	out = regexp.MustCompile(`(?m)^<nil> `).ReplaceAllString(out, "")
	out = regexp.MustCompile(`: design\d+: `).ReplaceAllString(out, ": ")
	out = regexp.MustCompile(` < main\.go:\d+`).ReplaceAllString(out, "")
	out = regexp.MustCompile(`m\d+\.go:\d+`).ReplaceAllStringFunc(out, func(at string) string {
		var n int
		fmt.Sscanf(at[strings.Index(at, ":")+1:], "%d", &n)
		return fmt.Sprint("line ", n-7)
	})
	return regexp.MustCompile(`(line \d+) < (line \d+)`).ReplaceAllStringFunc(out, func(at string) string {
		inner, outer, _ := strings.Cut(at, " < ")
		if inner == outer {
			return inner
		}
		return at
	})
}

const mistakeFile = `package main

import "github.com/hotline-rtl/hotline/hw"

type design%[1]s struct{ Width int }

func (design%[1]s) Build(m *hw.Module) struct{} {
	%[2]s
	return struct{}{}
}
`
