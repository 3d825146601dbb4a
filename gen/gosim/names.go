package gosim

import (
	"fmt"
	"strings"
)

// Names of what is generated have those of the design in them, so that a profile, or a panic, reads
// back to it.

// unitName is the function of u.
func unitName(u *unit) string {
	return fmt.Sprintf("u%d%s", u.id, suffixed(strings.TrimPrefix(u.nodes[0].place, ".")))
}

// fieldName is the field of the state that has v.
func fieldName(v *value) string {
	return fmt.Sprintf("v%d%s", v.id, suffixed(v.doc[strings.LastIndexByte(v.doc, '.')+1:]))
}

// commitName is the function that gives registers their next values, number i.
func commitName(i int, list []*regs) string {
	path := list[0].q.doc
	return fmt.Sprintf("commit%d%s", i, suffixed(path[:max(0, strings.LastIndexByte(path, '.'))]))
}

// writeName is the function of the writes to m.
func writeName(p *plan, m *memory) string {
	return fmt.Sprintf("write%d%s", m.id, suffixed(p.d.Mems[m.list[0]].Path))
}

// suffixed is a path as the end of a name: without numbers of elements.
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
