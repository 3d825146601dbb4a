package gosim

import "regexp"

var (
	declared = regexp.MustCompile(`(?m)^(?:([xt][0-9]+(?:_[0-9]+)?) := |var (t[0-9]+) ).*\n`)
	variable = regexp.MustCompile(`\b([xt][0-9]+(?:_[0-9]+)?)\b( = )?`)
)

// sweep drops the declarations of variables that have no use, since sometimes
// only part of a value is needed, and then those that only these used.
func sweep(code string) string {
	for {
		seen, read := map[string]int{}, map[string]int{}
		for _, m := range variable.FindAllStringSubmatch(code, -1) {
			seen[m[1]]++
			if m[2] == "" {
				read[m[1]]++
			}
		}
		dropped := false
		swept := declared.ReplaceAllStringFunc(code, func(line string) string {
			m := declared.FindStringSubmatch(line)
			switch name := m[1] + m[2]; {
			case seen[name] == 1:
				dropped = true
				return ""
			case read[name] == 1: // the declaration counts
				return line + "_ = " + name + "\n"
			}
			return line
		})
		if !dropped {
			return swept
		}
		code = regexp.MustCompile(`(?m)^_ = [xt][0-9_]+\n`).ReplaceAllString(swept, "")
	}
}
