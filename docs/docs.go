// Package docs reads documents for tests, which compare them with what programs print. A program
// never reads a document: host/imports_test.go forbids the import.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed reference/json.md
var json string

// row is that of a table of keys.
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// Keys are those of the object of JSON that a program prints: of a section of reference/json.md, nil if there
// is none.
func Keys(section string) (list []string) {
	_, rest, _ := strings.Cut(json, "\n## "+section+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	for _, m := range row.FindAllStringSubmatch(rest, -1) {
		list = append(list, m[1])
	}
	return list
}
