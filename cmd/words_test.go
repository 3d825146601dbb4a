package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// noun matches the comment of a function that is described as a thing: "Name is ...". The
// idiom "Name is like Other" of Go's standard library is no such comment.
var noun = regexp.MustCompile(`^\w+ (is|are) ([^l]|l[^i]|li[^k])`)

// described counts the functions of a file that have a comment, and lists those whose
// comment describes a thing instead of what the function does.
func described(t *testing.T, file *token.FileSet, name string, source any) (functions int, things []string) {
	t.Helper()
	f, err := parser.ParseFile(file, name, source, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	if ast.IsGenerated(f) {
		return 0, nil
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		functions++
		if noun.MatchString(fn.Doc.Text()) {
			things = append(things, file.Position(fn.Pos()).String()+": "+fn.Name.Name)
		}
	}
	return functions, things
}

// TestFunctionsAreDescribedByVerbs: the comment of a function says what the function does
// ("Returns", "Reports whether"), and not what it is.
func TestFunctionsAreDescribedByVerbs(t *testing.T) {
	set := token.NewFileSet()
	functions, things := 0, []string{}
	require.NoError(t, filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		n, list := described(t, set, name, nil)
		functions, things = functions+n, append(things, list...)
		return nil
	}))
	require.Greater(t, functions, 5000)
	require.Empty(t, things, "%d of %d functions are described as things", len(things), functions)
}

// TestThingsAreFound: a function that is described as a thing is found, and others are not.
func TestThingsAreFound(t *testing.T) {
	const source = "package p\n\n// Area is the product.\nfunc Area() {}\n\n// AreaOf is like Area.\nfunc AreaOf() {}\n\n// Size returns what is there.\nfunc Size() {}\n\nfunc none() {}\n"
	functions, things := described(t, token.NewFileSet(), "p.go", source)
	require.Equal(t, 3, functions)
	require.Equal(t, []string{"p.go:4:1: Area"}, things)
}
