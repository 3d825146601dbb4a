package gosim

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// packages maps the names of the packages that generated code may use to their import paths.
var packages = map[string]string{
	"bits": "math/bits", "reflect": "reflect", "sync": "sync", "unsafe": "unsafe", "ir": module + "hw/ir", "sim": module + "sim", "bv": module + "sim/bv",
	"wave": module + "sim/wave", "model": module + "sim/compiled/model",
}

const module = "github.com/hotline-rtl/hotline/"

// importing returns a file with the import declaration that it needs, the standard library first.
// It returns a file that does not parse unchanged; gofmt reports the syntax error.
func importing(text string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		return text
	}
	var standard, ours []string
	for _, x := range f.Unresolved {
		switch path, ok := packages[x.Name]; {
		case !ok:
		case strings.HasPrefix(path, module):
			ours = append(ours, path)
		default:
			standard = append(standard, path)
		}
	}
	var groups []string
	for _, paths := range [][]string{standard, ours} {
		if slices.Sort(paths); len(paths) > 0 {
			groups = append(groups, "\""+strings.Join(slices.Compact(paths), "\"\n\"")+"\"\n")
		}
	}
	if groups == nil {
		return text
	}
	end := f.Name.End() - f.FileStart
	return text[:end] + "\n\nimport (\n" + strings.Join(groups, "\n") + ")" + text[end:]
}
