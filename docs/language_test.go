package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// constructs returns the pages of the language, by their names without extension.
func constructs(t *testing.T) map[string]string {
	files, err := filepath.Glob("reference/language/*.md")
	require.NoError(t, err)
	pages := map[string]string{}
	for _, f := range files {
		pages[strings.TrimSuffix(filepath.Base(f), ".md")] = read(t, f)
	}
	return pages
}

// example returns the first Go block of a page of the language.
func example(t *testing.T, page string) string {
	return fenced(t, "reference/language/"+page+".md", "go")[0]
}

var (
	packageName = regexp.MustCompile(`\Apackage (\w+)\n`)
	elaborates  = regexp.MustCompile("`hw\\.Elaborate\\((?:(\\w+)\\.)?(\\w+\\{.*?\\})\\)`")
	verilogCode = regexp.MustCompile("(?s)```verilog\n(.*?)```")
)

// design returns the package of a page's design, and the Go expression of the design.
func design(t *testing.T, page string) (path, expression string) {
	m := elaborates.FindStringSubmatch(read(t, "reference/language/"+page+".md"))
	require.NotNil(t, m, page)
	if m[1] != "" {
		return "github.com/hotline-rtl/hotline/examples/" + m[1], m[1] + "." + m[2]
	}
	name := packageName.FindStringSubmatch(example(t, page))
	require.NotNil(t, name, "%s: the first Go block is no file", page)
	return "example.com/mine/" + name[1], name[1] + "." + m[2]
}

// generated returns the Verilog of the designs of all pages, from a program that imports them.
func generated(t *testing.T) map[string]string {
	files, imports, calls := map[string]string{}, "", ""
	for page := range constructs(t) {
		path, expression := design(t, page)
		imports += "\t\"" + path + "\"\n"
		calls += "\tshow(\"" + page + "\", " + expression + ")\n"
		if dir, own := strings.CutPrefix(path, "example.com/mine/"); own {
			files[dir+"/"+dir+".go"] = example(t, page)
		}
	}
	files["main.go"] = strings.NewReplacer("IMPORTS", imports, "CALLS", calls).Replace(showMain)
	out, ok := golang(t, module(t, files), "run", ".")
	require.True(t, ok, out)
	texts := map[string]string{}
	for _, part := range strings.Split(out, "==== ")[1:] {
		page, text, _ := strings.Cut(part, "\n")
		texts[page] = text
	}
	return texts
}

const showMain = `package main

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
IMPORTS)

func main() {
CALLS}

func show[P any](page string, g hw.Generator[P]) {
	d, err := hw.Elaborate(g)
	if err != nil {
		panic(err)
	}
	files, err := verilog.Generate(d)
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		if f.Name == d.Top.Name+".v" {
			fmt.Printf("==== %s\n%s", page, f.Text)
		}
	}
}
`

// omitted separates the pieces of an excerpt.
const omitted = "// ...\n"

// shows reports whether Verilog is a text, or pieces of it in their order.
func shows(text, verilog string) bool {
	for _, piece := range strings.Split(verilog, omitted) {
		_, rest, ok := strings.Cut(text, piece)
		if !ok || piece == "" {
			return false
		}
		text = rest
	}
	return true
}

// TestConstructs: each page of the language has a Go file that compiles, and its Verilog.
func TestConstructs(t *testing.T) {
	for page, text := range generated(t) {
		_, body, ok := strings.Cut(text, "\nmodule ")
		require.True(t, ok, page)
		body, _, _ = strings.Cut(body, "\nendmodule\n")
		file := "reference/language/" + page + ".md"
		old := read(t, file)
		shown := verilogCode.FindStringSubmatch(old)
		require.NotNil(t, shown, page)
		if *update && !strings.Contains(shown[1], omitted) {
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(old, shown[0], "```verilog\nmodule "+body+"\nendmodule\n```", 1)), 0o666))
			continue
		}
		require.True(t, shows(text, shown[1]), "%s is stale: run go test ./docs -run Constructs -update, if it is no excerpt", file)
		require.False(t, shows(text, strings.Replace(shown[1], ";", " ;", 1)), page)
		if pieces := strings.Split(shown[1], omitted); len(pieces) > 1 {
			require.False(t, shows(text, pieces[1]+omitted+pieces[0]), "pieces of %s in the wrong order", page)
		}
	}
}

// TestWordsOfConstructs: the pages of the language and of simulation are short, and the index has
// each page of the language once.
func TestWordsOfConstructs(t *testing.T) {
	index := read(t, "reference/language.md")
	prose := func(text string) int { return len(strings.Fields(code.ReplaceAllString(text, "x"))) }
	total := prose(index) + prose(read(t, simulation))
	for page, text := range constructs(t) {
		require.LessOrEqual(t, prose(text), 300, page)
		require.Equal(t, 1, strings.Count(index, "](language/"+page+".md)"), page)
		total += prose(text)
	}
	require.LessOrEqual(t, total, 3600)
}
