// Package snake converts Go names to hardware names.
package snake

import (
	"strings"
	"unicode"
)

// Case converts a name to snake case: FIFOQueue to fifo_queue, Mul32 to mul32 and GPUs to gpus.
func Case(s string) string {
	var b strings.Builder
	rs := []rune(s)
	for i, r := range rs {
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]) && !isPlural(rs[i:])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// isPlural reports whether rs starts with the last capital of an abbreviation and its plural s.
func isPlural(rs []rune) bool {
	return rs[1] == 's' && (len(rs) == 2 || unicode.IsUpper(rs[2]))
}
