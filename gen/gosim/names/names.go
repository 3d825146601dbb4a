// Package names defines the names of functions and fields of generated code. They contain names of
// the design, so that a profile or a panic can be traced to it.
package names

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Unit returns the name of the function of u.
func Unit(u *plan.Unit) string {
	return fmt.Sprintf("u%d%s", u.ID, suffixed(strings.TrimPrefix(u.Nodes[0].Place, ".")))
}

// Field returns the name of the field of the state that stores v.
func Field(v *plan.Value) string {
	return fmt.Sprintf("v%d%s", v.ID, suffixed(v.Doc[strings.LastIndexByte(v.Doc, '.')+1:]))
}

// Commit returns the name of the function that performs commit i, which gives the registers their
// next values.
func Commit(i int, list []*plan.Regs) string {
	path := list[0].Q.Doc
	return fmt.Sprintf("commit%d%s", i, suffixed(path[:max(0, strings.LastIndexByte(path, '.'))]))
}

// Write returns the name of the function that writes to m.
func Write(p *plan.Plan, m *plan.Memory) string {
	return fmt.Sprintf("write%d%s", m.ID, suffixed(p.D.Mems[m.List[0]].Path))
}

// Port returns the name of the function of write port n of m.
func Port(p *plan.Plan, n int, m *plan.Memory) string {
	return fmt.Sprintf("port%d_%s", n, Write(p, m))
}

// suffixed returns a path as the suffix of a name, without indices of elements.
func suffixed(path string) string {
	var b strings.Builder
	skip := false
	for _, c := range path {
		switch {
		case c == '[' || c == ']':
			skip = c == '['
		case skip:
		case c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "_" + b.String()
}
