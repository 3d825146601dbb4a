package hclfile_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// parsers matches the functions of HCL that parse text.
var parsers = regexp.MustCompile(`hcl(parse|simple|json|dec|ed)"|hclsyntax\.(Parse|Lex)|hclwrite\.(Parse|Lex)`)

// parsing returns the Go files, except tests, that parse HCL.
func parsing(t *testing.T, tree fs.FS) (found []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if parsers.Match(text) {
			found = append(found, name)
		}
		return err
	}))
	return found
}

// TestOneLoader: only package hclfile parses HCL, so its limits apply to every file. Package sweep
// only rewrites files that hclfile has accepted.
func TestOneLoader(t *testing.T) {
	require.Equal(t, []string{"host/study/sweep/override.go", "host/ui/hclfile/file.go", "host/ui/hclfile/limits.go"}, parsing(t, os.DirFS("../../..")))
	second := fstest.MapFS{"a/b.go": {Data: []byte("f, diagnostics := hclsyntax.ParseConfig(text, name, start)")}}
	require.Equal(t, []string{"a/b.go"}, parsing(t, second), "negative control")
}
