package fromverilog

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// names is the set of names that a scope uses.
type names map[string]bool

var illegal = regexp.MustCompile(`[^a-z0-9_]`)

// legal returns an unused legal name that resembles a name of Verilog, and marks it as used.
func (n names) legal(name string) string {
	name = illegal.ReplaceAllString(strings.ToLower(strings.TrimPrefix(name, "\\")), "_")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "n" + name
	}
	out := name
	for i := 2; n[out] || ir.Keyword(out); i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	n[out] = true
	return out
}

// place is a position in Verilog.
type place struct {
	file      string
	line, col int
}

// placeOf parses the first position of an attribute src, such as a.v:3.1-4.7|a.v:9.1-9.2.
func placeOf(attributes map[string]string) (p place) {
	first, _, _ := strings.Cut(attributes["src"], "|")
	colon := strings.LastIndexByte(first, ':')
	if colon < 0 {
		return place{}
	}
	start, _, _ := strings.Cut(first[colon+1:], "-")
	line, col, _ := strings.Cut(start, ".")
	p.file = first[:colon]
	p.line, _ = strconv.Atoi(line)
	p.col, _ = strconv.Atoi(col)
	return p
}

// pos returns the place as a position of the IR.
func (p place) pos() ir.Pos {
	if p.line == 0 {
		return ir.Pos{}
	}
	return ir.At(p.file, p.line)
}

// prefix returns the beginning of a message about the place.
func (p place) prefix() string {
	if p.line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", p.file, p.line)
}

// inOrder returns the keys of m in the order of their places in the source.
func inOrder[V any](m map[string]V, attributes func(string) map[string]string) []string {
	list := eda.Sorted(m)
	slices.SortStableFunc(list, func(a, b string) int {
		p, q := placeOf(attributes(a)), placeOf(attributes(b))
		return cmp.Or(cmp.Compare(p.file, q.file), cmp.Compare(p.line, q.line), cmp.Compare(p.col, q.col))
	})
	return list
}
