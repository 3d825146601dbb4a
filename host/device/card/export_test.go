package card

import (
	"fmt"
	"strings"
)

// Table returns the ports of a card as a table in Markdown.
func Table() string {
	return table("registers", registers) + table("`descriptors`", descriptors) + table("`axi4`", axi4) + table("interrupts", requests)
}

func table(what string, groups []group) string {
	var b strings.Builder
	for _, g := range groups {
		var names []string
		for _, p := range g.names {
			switch {
			case p.width > 1:
				names = append(names, fmt.Sprintf("`%s` (%d)", p.name, p.width))
			case p.width == 1:
				names = append(names, fmt.Sprintf("`%s`", p.name))
			case p.of > 0:
				names = append(names, fmt.Sprintf("`%s` (a multiple of %d up to %d)", p.name, p.of, p.most))
			default:
				names = append(names, fmt.Sprintf("`%s` (any)", p.name))
			}
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", what, g.prefix, direction(g.input), strings.Join(names, ", "))
	}
	return b.String()
}
