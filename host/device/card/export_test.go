package card

import (
	"fmt"
	"strings"
)

// Table returns the ports of a card as a table in Markdown.
func Table() string {
	var b strings.Builder
	for _, g := range boundary {
		var names []string
		for _, p := range g.names {
			switch {
			case p.width > 1:
				names = append(names, fmt.Sprintf("`%s` (%d)", p.name, p.width))
			case p.width == 1:
				names = append(names, fmt.Sprintf("`%s`", p.name))
			case p.of > 0:
				names = append(names, fmt.Sprintf("`%s` (a multiple of %d up to %d)", p.name, p.of, mostWords*p.of))
			default:
				names = append(names, fmt.Sprintf("`%s` (any)", p.name))
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", g.prefix, direction(g.input), strings.Join(names, ", "))
	}
	return b.String()
}
