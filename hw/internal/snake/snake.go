// Package snake turns the names of Go into those of hardware.
package snake

import (
	"strings"
	"unicode"
)

// Case turns FIFOQueue into fifo_queue, Mul32 into mul32 and GPUs into gpus.
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

// isPlural tells whether the last capital of an abbreviation, at the start of rs, has
// the s of its plural behind it.
func isPlural(rs []rune) bool {
	return rs[1] == 's' && (len(rs) == 2 || unicode.IsUpper(rs[2]))
}
