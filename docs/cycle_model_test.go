package docs_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
)

var updateStages = flag.Bool("stages", false, "write the stages of docs/explanation/cycle-model.md")

// TestStagesOfTheDocument: the page lists every stage of a model and its output for the example at
// some of the stages.
func TestStagesOfTheDocument(t *testing.T) {
	const name = "explanation/cycle-model.md"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	design := regexp.MustCompile("(?s)```\n(module .*?)```").FindStringSubmatch(string(text))
	require.NotNil(t, design)
	d, err := ir.Parse(name, design[1])
	require.NoError(t, err)

	head := "| stage | how it got there |\n|---|---|\n"
	table := head
	for _, s := range gosim.Stages() {
		table += fmt.Sprintf("| `%s` | %s |\n", s.Name, s.Does)
	}
	want := regexp.MustCompile(regexp.QuoteMeta(head)+"(\\|.*\n)*").ReplaceAllLiteralString(string(text), table)
	for _, stage := range []string{"roll", "storage", "kernels", "go"} {
		var b strings.Builder
		require.NoError(t, gosim.Dump(&b, d, stage, -1))
		before, after, ok := strings.Cut(want, "(`"+stage+"`)")
		require.True(t, ok, stage)
		lead, fenced, _ := strings.Cut(after, "\n```")
		language, _, _ := strings.Cut(fenced, "\n")
		_, rest, _ := strings.Cut(fenced, "\n```\n")
		want = before + "(`" + stage + "`)" + lead + "\n```" + language + "\n" + strings.TrimRight(b.String(), "\n") + "\n```\n" + rest
	}
	if *updateStages {
		require.NoError(t, os.WriteFile(name, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "go test ./docs -run TestStages -stages writes it")
}
