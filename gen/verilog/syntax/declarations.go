package syntax

import (
	"fmt"
	"strings"
)

// ports prints the head of a module with its parameter and ports.
func (p *printer) ports(m *Module) {
	head := "module " + m.Name
	if m.Param != nil {
		p.line(head + " #(")
		p.src(fmt.Sprintf("%sparameter %s = %d", tab, m.Param.Name, m.Param.Value), m.Param.Comment)
		head = ")"
	}
	if len(m.Ports) == 0 {
		p.line(head + ";")
		return
	}
	wide := 0
	for _, o := range m.Ports {
		wide = max(wide, len(p.shape(o)))
	}
	var rows []row
	for i, o := range m.Ports {
		s := portWords[o.Kind] + column(p.shape(o), wide) + " " + o.Name + hints(o)
		if i < len(m.Ports)-1 {
			s += ","
		}
		rows = append(rows, row{s, p.as.note(o), o.Group})
	}
	p.line(head + " (")
	p.indent++
	p.rows(rows)
	p.indent--
	p.line(");")
}

// portWords declares ports by their kind.
var portWords = map[ObjectKind]string{
	Input: "input  wire", Output: "output wire", OutputReg: "output reg ", Inout: "inout  wire",
}

// column aligns s to the right in a column of width characters. An empty column vanishes.
func column(s string, width int) string {
	if width == 0 {
		return ""
	}
	return fmt.Sprintf(" %*s", width, s)
}

// shape returns the range of an object, "" for a single bit that needs none.
func (p *printer) shape(o *Object) string {
	if o.Width == 1 && !o.Integer {
		return ""
	}
	return "[" + p.as.size(o.Width-1) + ":0]"
}

// declWords declares the other objects by their kind.
var declWords = map[ObjectKind]string{Wire: "wire", Reg: "reg", Memory: "reg", Localparam: "localparam"}

// declarations prints declarations without a value in columns.
func (p *printer) declarations(list []Item) {
	word, wide := 0, 0
	for _, it := range list {
		o := it.(*DeclItem).Obj
		word = max(word, len(declWords[o.Kind]))
		wide = max(wide, len(p.shape(o)))
	}
	var rows []row
	flush := func() {
		p.rows(rows)
		rows = nil
	}
	for _, it := range list {
		d := it.(*DeclItem)
		o := d.Obj
		if a := attributes(o); a != "" {
			flush()
			p.line("(* " + a + " *)")
		}
		if o.Crosses {
			flush()
			p.line("(* async_reg = \"true\" *)")
		}
		s := fmt.Sprintf("%-*s", word, declWords[o.Kind]) + column(p.shape(o), wide) + " " + o.Name + hints(o)
		if o.Depth > 0 {
			s += " [0:" + p.as.size(o.Depth-1) + "]"
		}
		rows = append(rows, row{s + ";", joined(p.as.note(o), d.Src), o.Group})
	}
	flush()
}

// attributes returns the attributes of a memory: its style, and that collisions need no logic,
// as Yosys, Quartus and Vivado each spell it.
func attributes(o *Object) string {
	var list []string
	if o.Style != "" {
		list = append(list, fmt.Sprintf("ram_style = %q", o.Style))
	}
	if o.Unchecked {
		list = append(list, "no_rw_check", `ramstyle = "no_rw_check"`, `rw_addr_collision = "no"`)
	}
	return strings.Join(list, ", ")
}

// hints returns the comments that control how Verilator treats o.
func hints(o *Object) string {
	s := ""
	if o.Split {
		s += " /* verilator split_var */"
	}
	if o.Opaque {
		s += " /* verilator public_flat_rd */"
	}
	return s
}

// row is a line of a list of ports or declarations.
type row struct{ text, comment, group string }

// rows prints a list with its comments in one column. Adjacent rows of one group get its name
// as heading, and blank lines around. A row that is alone in its group has the comment of the group.
func (p *printer) rows(list []row) {
	wide := 0
	for i, r := range list {
		if _, doc, ok := strings.Cut(r.group, ": "); ok && r.comment == "" && isAlone(list, i) {
			list[i].comment = doc
		}
	}
	for _, r := range list {
		if r.comment != "" {
			wide = max(wide, len(r.text))
		}
	}
	last := ""
	for i, r := range list {
		if isAlone(list, i) {
			r.group = ""
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

// isAlone reports whether the rows next to row i are of other groups.
func isAlone(list []row, i int) bool { return !adjoins(list, i-1, i) && !adjoins(list, i, i+1) }

// adjoins reports whether rows i and j exist and are of one group.
func adjoins(list []row, i, j int) bool {
	return i >= 0 && j < len(list) && list[i].group == list[j].group
}
