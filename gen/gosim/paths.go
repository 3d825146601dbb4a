package gosim

import (
	"fmt"
	"strconv"
	"strings"
)

// pathsText describes the paths of the lanes of a group: a pattern with one pair of brackets for
// each index that varies, or a list of all paths.
func pathsText(paths []string) string {
	if len(paths) == 1 {
		return fmt.Sprintf("Pattern: %q", paths[0])
	}
	pattern, dims := withoutNumbers(paths[0]), []int(nil)
	last := numbersOf(paths[len(paths)-1])
	total := 1
	for _, n := range last {
		dims = append(dims, n+1)
		total *= n + 1
	}
	regular := total == len(paths)
	for l := 0; regular && l < len(paths); l++ {
		regular = fill(pattern, dims, l) == paths[l]
	}
	if regular {
		return fmt.Sprintf("Pattern: %q, Dims: []int{%s}", pattern, strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", ", "), "[]"))
	}
	quoted := make([]string, len(paths))
	for i, p := range paths {
		quoted[i] = strconv.Quote(p)
	}
	return fmt.Sprintf("Paths: []string{%s}", strings.Join(quoted, ", "))
}

// withoutNumbers returns path without the indices in brackets.
func withoutNumbers(path string) string {
	var b strings.Builder
	for _, c := range path {
		if c < '0' || c > '9' || !inBrackets(b.String()) {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func inBrackets(s string) bool { return strings.LastIndexByte(s, '[') > strings.LastIndexByte(s, ']') }

func numbersOf(path string) []int {
	var out []int
	for {
		_, rest, ok := strings.Cut(path, "[")
		if !ok {
			return out
		}
		number, after, _ := strings.Cut(rest, "]")
		n, _ := strconv.Atoi(number)
		out = append(out, n)
		path = after
	}
}

// fill inserts the digits of l, of mixed radix dims, into the brackets of a pattern.
func fill(pattern string, dims []int, l int) string {
	digits := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		digits[i] = l % dims[i]
		l /= dims[i]
	}
	var b strings.Builder
	for i, piece := range strings.SplitAfter(pattern, "[") {
		b.WriteString(piece)
		if i < len(digits) && strings.HasSuffix(piece, "[") {
			b.WriteString(strconv.Itoa(digits[i]))
		}
	}
	return b.String()
}
