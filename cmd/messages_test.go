package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// message is the text of an error or panic in the source.
type message struct {
	place token.Position
	text  string
}

// messages returns the formats of the errors and panics of a file.
func messages(set *token.FileSet, f *ast.File) (found []message) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || !reports(call.Fun) {
			return true
		}
		for _, argument := range call.Args {
			if text, ok := literal(argument); ok && strings.Contains(text, " ") {
				found = append(found, message{set.Position(argument.Pos()), text})
				break
			}
		}
		return true
	})
	return found
}

// makers are functions of this repository that make an error of a format.
var makers = []string{"errorf", "Errorf", "failf", "Failf", "newError", "refuse", "bad", "wrong", "misfit", "panic"}

// reports reports whether a called function makes an error, or panics.
func reports(function ast.Expr) bool {
	switch f := function.(type) {
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		if ok && x.Name == "t" { // of a test
			return false
		}
		return ok && x.Name == "errors" && f.Sel.Name == "New" || slices.Contains(makers, f.Sel.Name)
	case *ast.Ident:
		return slices.Contains(makers, f.Name)
	}
	return false
}

// literal returns the text of a string literal, a concatenation or the format of a call of Sprintf.
// It replaces other operands of a concatenation by %v.
func literal(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, x.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, ok := literal(x.X)
		right, more := literal(x.Y)
		if !more {
			right = "%v"
		}
		return left + right, ok
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return literal(x.Args[0])
		}
	}
	return "", false
}

// blocks are the HCL blocks whose errors begin with the name of the block.
var blocks = []string{"generator", "model"}

// prefix matches a single lower-case word before a colon, at the beginning of a message.
var prefix = regexp.MustCompile(`^([a-z][a-z0-9]*): `)

// translated returns the phrases that scripts/vale refuses in comments and documents.
func translated(t *testing.T) *regexp.Regexp {
	t.Helper()
	style, err := os.ReadFile("../scripts/vale/styles/Hotline/Translated.yml")
	require.NoError(t, err)
	var tokens []string
	for line := range strings.Lines(string(style)) {
		if token, ok := strings.CutPrefix(line, "  - "); ok {
			tokens = append(tokens, strings.TrimSpace(token))
		}
	}
	require.Greater(t, len(tokens), 10)
	return regexp.MustCompile(`\b(` + strings.Join(tokens, "|") + `)\b`)
}

// fault returns the first convention that a message breaks, or an empty text. A message may begin
// with an exported name. Its prefix is the name of its folder, or of a folder around it.
func fault(m message, exported map[string]bool, translated *regexp.Regexp) string {
	first, _ := utf8.DecodeRuneInString(m.text)
	word := regexp.MustCompile(`^\w+`).FindString(m.text)
	if unicode.IsUpper(first) && strings.ToUpper(word) != word && !exported[word] {
		return "begins with a capital letter"
	}
	if strings.ContainsAny(m.text[len(m.text)-1:], ".!\n") {
		return "ends like a sentence"
	}
	if p := prefix.FindStringSubmatch(m.text); p != nil && !slices.Contains(blocks, p[1]) && !strings.Contains("/"+filepath.ToSlash(filepath.Dir(m.place.Filename))+"/", "/"+p[1]+"/") {
		return "begins with a prefix that is not the package"
	}
	if phrase := translated.FindString(m.text); phrase != "" {
		return "contains " + strconv.Quote(phrase)
	}
	return ""
}

// declared adds the exported functions, methods and types of a file to names.
func declared(f *ast.File, names map[string]bool) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					names[s.Name.Name] = true
				}
			}
		}
	}
}

// TestMessages checks the texts of all errors and panics: Go's convention for the case of the
// first letter and the end, prefixes, and the phrases that comments may not have.
func TestMessages(t *testing.T) {
	set := token.NewFileSet()
	var all []message
	exported := map[string]bool{"Zipf": true} // a person
	eachFile(t, set, func(f *ast.File) {
		if strings.HasSuffix(set.Position(f.Pos()).Filename, "_test.go") {
			return
		}
		declared(f, exported)
		all = append(all, messages(set, f)...)
	})
	require.Greater(t, len(all), 1000)
	style := translated(t)
	var faults []string
	for _, m := range all {
		if what := fault(m, exported, style); what != "" {
			faults = append(faults, m.place.String()+": "+strconv.Quote(m.text)+" "+what)
		}
	}
	require.Empty(t, strings.Join(faults, "\n"))
}

// TestBadMessagesAreFound: each convention is broken once.
func TestBadMessagesAreFound(t *testing.T) {
	const source = `package p

import ("errors"; "fmt")

func Read() error { return fmt.Errorf("Read of nothing: %w", m.errorf("p: no file")) }

func bad() {
	_ = errors.New("The file is missing")
	_ = fmt.Errorf("the file %q is missing.", name)
	_ = fmt.Errorf("the file is missing\n" + hint)
	panic("old: the file is missing")
	m.errorf("the file stands in no folder")
	panic(fmt.Sprintf("old: %s is missing", name))
}
`
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "hw/p/p.go", source, 0)
	require.NoError(t, err)
	names := map[string]bool{}
	declared(f, names)
	var faults []string
	for _, m := range messages(set, f) {
		faults = append(faults, fault(m, names, translated(t)))
	}
	require.Equal(t, []string{"", "", "begins with a capital letter", "ends like a sentence", "",
		"begins with a prefix that is not the package", `contains "stands"`, "begins with a prefix that is not the package"}, faults)
}
