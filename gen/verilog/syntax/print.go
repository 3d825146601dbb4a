package syntax

import "strings"

// printer writes a module. It decides nothing but layout.
type printer struct {
	out    strings.Builder
	indent int
	as     spelling
}

const (
	tab      = "  "
	maxWidth = 100 // of a line that offers places to break
	limit    = 120 // of any line
	// slack is how much longer than maxWidth a line may be that can only break inside
	// parentheses.
	slack = limit - maxWidth - len(") begin")
)

// Text returns the file of m. Equal trees give equal texts.
func (m *Module) Text() string {
	p := &printer{}
	if m.Param != nil {
		p.as.param = m.Param.Name
	}
	p.header(m.Header)
	p.line("")
	p.line("`default_nettype none")
	p.line("")
	p.ports(m)
	p.indent++
	p.items(m.Items)
	p.indent--
	p.line("endmodule")
	p.line("")
	p.line("`default_nettype wire")
	return p.out.String()
}

// line prints a line. If it exceeds the limit, its comment comes first, and the code is broken
// at blanks.
func (p *printer) line(s string) {
	if p.indent*len(tab)+len(s) > limit {
		p.longLine(s)
		return
	}
	if s != "" {
		p.out.WriteString(strings.Repeat(tab, p.indent))
	}
	p.out.WriteString(s)
	p.out.WriteByte('\n')
}

// family identifies items that follow each other without a blank line. Items of the zero
// family have blank lines around.
type family struct{ kind, group string }

// familyOf returns the family of it.
func familyOf(it Item) family {
	switch it := it.(type) {
	case *DeclItem:
		switch {
		case it.Obj.Kind == Localparam:
			return family{"param", it.Obj.Group}
		case it.Alone:
			return family{}
		case it.Local:
			return family{kind: "local"}
		case it.Init != nil:
			return family{kind: "wire"}
		}
		return family{kind: "decl"}
	case *AssignItem:
		return family{kind: "assign"}
	}
	return family{}
}

// items prints items, with blank lines between families.
func (p *printer) items(list []Item) {
	genvars := map[string]bool{}
	for i := 0; i < len(list); {
		f := familyOf(list[i])
		if i > 0 && !isLocal(list[i-1]) {
			p.line("")
		}
		n := i + 1
		for f.kind != "" && n < len(list) && familyOf(list[n]) == f {
			n++
		}
		if f.group != "" {
			p.line("// " + f.group)
		}
		switch f.kind {
		case "decl", "local":
			p.declarations(list[i:n])
		case "param", "wire", "assign":
			p.settings(list[i:n])
		default:
			if g, ok := list[i].(*GenerateItem); ok && p.indent == 1 {
				p.genvars(g, genvars)
			}
			p.item(list[i])
		}
		i = n
	}
}

// isLocal reports whether it belongs to the item that follows.
func isLocal(it Item) bool {
	d, ok := it.(*DeclItem)
	return ok && d.Local
}

// item prints an item by itself.
func (p *printer) item(it Item) {
	switch it := it.(type) {
	case *DeclItem:
		if it.Init == nil {
			p.declarations([]Item{it})
			return
		}
		p.settings([]Item{it})
	case *AssignItem:
		p.settings([]Item{it})
	case *AlwaysItem:
		p.always(it)
	case *InstanceItem:
		p.instance(it)
	case *GenerateItem:
		p.generate(it)
	case *FormalItem:
		p.out.WriteString("`ifdef FORMAL\n")
		p.items(it.Formal)
		if len(it.Simulated) > 0 {
			p.out.WriteString("`elsif SYNTHESIS\n`else\n")
			p.items(it.Simulated)
		}
		p.out.WriteString("`endif\n")
	}
}
