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

// longest is the greatest number of words of a sentence in a comment. Aim at 25.
const longest = 30

// sentence matches the end of a sentence, or of its part before a colon or semicolon.
var sentence = regexp.MustCompile(`[.!?:;](\s|$)|\n\n|\n[ \t]*[-*] `)

// lengthy returns the sentences of a comment that are too long. Indented text is code.
func lengthy(comment string) (long []string) {
	text := ""
	for line := range strings.Lines(comment) {
		if item := strings.TrimSpace(line); strings.HasPrefix(item, "- ") || !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "  ") {
			text += line
		} else {
			text += "\n\n"
		}
	}
	for _, s := range sentence.Split(text, -1) {
		if len(strings.Fields(s)) > longest {
			long = append(long, s)
		}
	}
	return long
}

// described counts the functions of a file that have a comment, and lists those whose
// comment describes a thing instead of what the function does.
func described(set *token.FileSet, f *ast.File) (functions int, things []string) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		functions++
		if noun.MatchString(fn.Doc.Text()) {
			things = append(things, set.Position(fn.Pos()).String()+": "+fn.Name.Name)
		}
	}
	return functions, things
}

// eachFile parses all hand-written Go files of the repository.
func eachFile(t *testing.T, set *token.FileSet, f func(*ast.File)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		if !ast.IsGenerated(file) {
			f(file)
		}
		return nil
	}))
}

// TestSentencesAreShort: no sentence of a comment has more than 30 words.
func TestSentencesAreShort(t *testing.T) {
	set := token.NewFileSet()
	comments, long := 0, []string{}
	eachFile(t, set, func(f *ast.File) {
		for _, c := range f.Comments {
			if strings.HasPrefix(c.Text(), "Output:") { // of an example
				continue
			}
			comments++
			for _, s := range lengthy(c.Text()) {
				long = append(long, set.Position(c.Pos()).String()+": "+s)
			}
		}
	})
	require.Greater(t, comments, 10000)
	require.Empty(t, long, "split these sentences")
}

// TestLongSentencesAreFound: a sentence of more than 30 words is found, and a list and code are not.
func TestLongSentencesAreFound(t *testing.T) {
	many := strings.Repeat("word ", longest)
	require.Len(t, lengthy("Area has "+many+"and ends."), 1)
	require.Len(t, lengthy("Area has\n"+strings.ReplaceAll(many, "word word ", "word\nword ")+"and ends. It is short."), 1)
	require.Empty(t, lengthy(strings.Repeat("It is short. ", 30)))
	require.Empty(t, lengthy(strings.Repeat("- an item of a list\n", 20)))
	require.Empty(t, lengthy("Code:\n\n\t"+many+"\n\nis no sentence."))
}

// TestFunctionsAreDescribedByVerbs: the comment of a function says what the function does
// ("Returns", "Reports whether"), and not what it is.
func TestFunctionsAreDescribedByVerbs(t *testing.T) {
	set := token.NewFileSet()
	functions, things := 0, []string{}
	eachFile(t, set, func(f *ast.File) {
		n, list := described(set, f)
		functions, things = functions+n, append(things, list...)
	})
	require.Greater(t, functions, 5000)
	require.Empty(t, things, "%d of %d functions are described as things", len(things), functions)
}

// TestThingsAreFound: a function that is described as a thing is found, and others are not.
func TestThingsAreFound(t *testing.T) {
	const source = "package p\n\n// Area is the product.\nfunc Area() {}\n\n// AreaOf is like Area.\nfunc AreaOf() {}\n\n// Size returns what is there.\nfunc Size() {}\n\nfunc none() {}\n"
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "p.go", source, parser.ParseComments)
	require.NoError(t, err)
	functions, things := described(set, f)
	require.Equal(t, 3, functions)
	require.Equal(t, []string{"p.go:4:1: Area"}, things)
}
