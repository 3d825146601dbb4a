package papermap

import (
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/host/study/papers"
)

// head begins the page.
const head = `# The papers' map

` + "`hotline-lab papers`" + ` prints this page. *Command* is the argument of ` + "`hotline reproduce`" + ` that prints our numbers, and *rows* counts the published numbers
that it evaluates, of all. The page of [reproduction](reproduction.md) has these numbers. *Test* is a test of the code behind a box or figure; it does not judge the
published numbers. A test of another package is named with its package.
`

// Print writes the map as Markdown, with a table for each paper.
func Print(w io.Writer) error {
	var b strings.Builder
	b.WriteString(head)
	for _, p := range Papers() {
		p.print(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// print writes the table of a paper. Only the paper of an accelerator has modules.
func (p Paper) print(b *strings.Builder) {
	modules := false
	for _, place := range p.Places {
		modules = modules || place.Module != ""
	}
	fmt.Fprintf(b, "\n## %s\n\n", papers.Title(p.Name))
	columns := []string{"paper", "box or contents", "package", "module", "command", "rows", "test"}
	row(b, modules, columns...)
	row(b, modules, strings.Split(strings.Repeat("---,", len(columns)-1)+"---", ",")...)
	for _, place := range p.Places {
		place.print(b, p.Name, modules)
	}
}

// print writes the row of a place.
func (p Place) print(b *strings.Builder, paper string, modules bool) {
	command, rows, test := "", "", p.Missing
	if list := p.rows(paper); len(list) > 0 {
		item := strings.SplitN(list[0].ID, "/", 3)
		command, rows = item[0]+"/"+item[1], fmt.Sprintf("%d of %d", evaluated(list), len(list))
	}
	if p.Test != "" {
		dir, name := split(p.Test)
		test = code(name)
		if dir != p.Package {
			test = code(p.Test)
		}
	}
	row(b, modules, p.Where, p.Shows, code(p.Package), code(p.Module), code(command), rows, test)
}

// row writes a row of a table, with the column of modules or without.
func row(b *strings.Builder, modules bool, cells ...string) {
	if !modules {
		cells = append(cells[:3:3], cells[4:]...)
	}
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// code returns text as code.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
