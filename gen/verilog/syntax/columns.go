package syntax

import "fmt"

// row is a line of a list of ports or declarations.
type row struct{ text, comment, group string }

// rows prints a list with the comments in one column. Rows of one group that follow each
// other stand below its name, with a blank line around.
func (p *printer) rows(list []row) {
	wide := 0
	for _, r := range list {
		if r.comment != "" {
			wide = max(wide, len(r.text))
		}
	}
	last := ""
	for i, r := range list {
		if !adjoins(list, i-1, i) && !adjoins(list, i, i+1) {
			r.group = "" // alone
		}
		if i > 0 && r.group != last {
			p.line("")
		}
		if r.group != "" && r.group != last {
			p.line("// " + r.group)
		}
		last = r.group
		if r.comment != "" {
			r.text = fmt.Sprintf("%-*s // %s", wide, r.text, r.comment)
		}
		p.line(r.text)
	}
}

// adjoins tells whether rows i and j are of one group.
func adjoins(list []row, i, j int) bool {
	return i >= 0 && j < len(list) && list[i].group == list[j].group
}
