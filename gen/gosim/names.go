package gosim

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Names of what is generated have those of the design in them, so that a profile, or a panic, reads
// back to it.

// unitName is the function of u.
func unitName(u *plan.Unit) string {
	return fmt.Sprintf("u%d%s", u.ID, suffixed(strings.TrimPrefix(u.Nodes[0].Place, ".")))
}

// fieldName is the field of the state that has v.
func fieldName(v *plan.Value) string {
	return fmt.Sprintf("v%d%s", v.ID, suffixed(v.Doc[strings.LastIndexByte(v.Doc, '.')+1:]))
}

// commitName is the function that gives registers their next values, number i.
func commitName(i int, list []*plan.Regs) string {
	path := list[0].Q.Doc
	return fmt.Sprintf("commit%d%s", i, suffixed(path[:max(0, strings.LastIndexByte(path, '.'))]))
}

// writeName is the function of the writes to m.
func writeName(p *plan.Plan, m *plan.Memory) string {
	return fmt.Sprintf("write%d%s", m.ID, suffixed(p.D.Mems[m.List[0]].Path))
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
