// Package docs has the documents of the project from which programs read, so that nothing stands in
// two places.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
)

// Synthesis is synthesis.md, with what blocks of the accelerator take in standard cells.
//
//go:embed synthesis.md
var Synthesis string

//go:embed json.md
var json string

// row is that of a table of keys.
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// Keys are those of the object of JSON that a program prints: of a section of json.md, nil if there
// is none.
func Keys(section string) (list []string) {
	_, rest, _ := strings.Cut(json, "\n## "+section+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	for _, m := range row.FindAllStringSubmatch(rest, -1) {
		list = append(list, m[1])
	}
	return list
}
