package gosim

import (
	"regexp"
	"strings"
)

var (
	declared = regexp.MustCompile(`(?m)^(?:([xt][0-9]+(?:_[0-9]+)?) := |var (t[0-9]+) ).*\n`)
	variable = regexp.MustCompile(`\b([xt][0-9]+(?:_[0-9]+)?)\b( = )?`)
)

// sweep drops the declarations of variables that have no use: sometimes only
// part of a value is needed.
func sweep(code string) string {
	seen, read := map[string]int{}, map[string]int{}
	for _, m := range variable.FindAllStringSubmatch(code, -1) {
		seen[m[1]]++
		if m[2] == "" {
			read[m[1]]++
		}
	}
	return declared.ReplaceAllStringFunc(code, func(line string) string {
		m := declared.FindStringSubmatch(line)
		name := m[1] + m[2]
		switch {
		case read[name] > 1: // the declaration counts
			return line
		case seen[name] > 1:
			return line + "_ = " + name + "\n"
		case m[1] != "":
			return "_" + strings.TrimPrefix(line, name+" :")
		}
		return ""
	})
}
