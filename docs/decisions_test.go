package docs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDecisions: each page of a decision has the same three parts, is short, and is listed once in
// the index, with its title.
func TestDecisions(t *testing.T) {
	index := read(t, "explanation/decisions/README.md")
	pages, err := filepath.Glob("explanation/decisions/*.md")
	require.NoError(t, err)
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" {
			require.Empty(t, faults(name, read(t, page), index))
		}
	}
	require.Equal(t, len(pages)-1, strings.Count(index, "\n* ["))

	page := "# Title\n\n**Context.** A.\n\n**Decision.** B.\n\n**Consequence.** C.\n"
	require.Empty(t, faults("x.md", page, "* [Title](x.md)\n"))
	require.Equal(t, []string{"x.md is not in the index"}, faults("x.md", page, "* [Title](y.md)\n"))
	require.Equal(t, []string{"x.md has no Consequence"}, faults("x.md", strings.ReplaceAll(page, "Conseq", "Seq"), "* [Title](x.md)\n"))
	require.Equal(t, []string{"x.md has 208 words; at most 200"}, faults("x.md", page+strings.Repeat("word ", 200), "* [Title](x.md)\n"))
}

// faults returns the rules that the page of a decision breaks.
func faults(name, page, index string) (list []string) {
	title, _, _ := strings.Cut(strings.TrimPrefix(page, "# "), "\n")
	if strings.Count(index, fmt.Sprintf("* [%s](%s)\n", title, name)) != 1 {
		list = append(list, name+" is not in the index")
	}
	for _, part := range []string{"Context", "Decision", "Consequence"} {
		if strings.Count(page, "\n\n**"+part+".** ") != 1 {
			list = append(list, name+" has no "+part)
		}
	}
	if n := len(strings.Fields(page)); n > 200 {
		list = append(list, fmt.Sprintf("%s has %d words; at most 200", name, n))
	}
	return list
}
