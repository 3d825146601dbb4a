// Package docs reads documents for tests, which compare the documents with the output of programs.
// Programs never read documents; host/imports_test.go forbids the import.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed reference/json.md
var json string

// row matches the first cell of a row of a table of keys.
var row = regexp.MustCompile("(?m)^\\| (`[^`]+`(?:, `[^`]+`)*) \\|")

// Keys returns the documented keys of a JSON object that a program prints. The section of json.md
// describes the object. Keys returns nil if there is no such section.
func Keys(section string) (list []string) {
	_, rest, _ := strings.Cut(json, "\n## "+section+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	for _, m := range row.FindAllStringSubmatch(rest, -1) {
		list = append(list, group(strings.Split(strings.ReplaceAll(m[1], "`", ""), ", "))...)
	}
	return list
}

// group completes the keys of a row. A key that begins with a dot replaces the last part of the
// first key.
func group(row []string) []string {
	object := row[0][:max(strings.LastIndex(row[0], "."), 0)]
	for i, key := range row {
		if strings.HasPrefix(key, ".") {
			row[i] = object + key
		}
	}
	return row
}
