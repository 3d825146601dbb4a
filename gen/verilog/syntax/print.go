package syntax

import (
	"fmt"
	"strings"
)

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

func (m *Module) Text() string {
	p := &printer{}
	if m.Param != nil {
		p.as.param = m.Param.Name
	}
	for _, h := range m.Header {
		for _, l := range commentLines(h) {
			p.line(l)
		}
	}
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

// commentLines is s as comment lines.
func commentLines(s string) []string {
	var lines []string
	line := "//"
	words := strings.Fields(s)
	for i := 0; i < len(words); i++ {
		w := words[i]
		if most := maxWidth - len("//  "); len(w) > most {
			words[i] = w[most:]
			w = w[:most]
			i--
		}
		if len(line)+1+len(w) > maxWidth {
			lines = append(lines, line)
			line = "//  "
		}
		line += " " + w
	}
	return append(lines, line)
}

// line prints a line. One beyond the limit has its comment above, and is broken at blanks.
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

func (p *printer) longLine(s string) {
	width := maxWidth - p.indent*len(tab)
	code, comment := parted(s)
	if comment != "" {
		for _, l := range commentLines(comment) {
			p.line(l)
		}
	}
	code = strings.TrimRight(code, " ")
	if p.indent*len(tab)+len(code) <= limit {
		if code != "" {
			p.line(code)
		}
		return
	}
	margin := code[:len(code)-len(strings.TrimLeft(code, " "))]
	for _, l := range fill(margin, breakable(code, width-len(margin)-2*len(tab)), width, len(margin)+2*len(tab)) {
		p.out.WriteString(strings.Repeat(tab, p.indent) + l + "\n")
	}
}

// parted is the code of a line and the comment behind it.
func parted(s string) (code, comment string) {
	quoted := false
	for i := range s {
		switch {
		case s[i] == '"' && (i == 0 || s[i-1] != '\\'):
			quoted = !quoted
		case !quoted && strings.HasPrefix(s[i:], "//"):
			return s[:i], s[i+2:]
		}
	}
	return s, ""
}

// src is line with a source position, or another comment, behind.
func (p *printer) src(s, src string) {
	if src != "" {
		s += " // " + src
	}
	p.line(s)
}

var portWords = map[ObjectKind]string{
	Input: "input  wire", Output: "output wire", OutputReg: "output reg ", Inout: "inout  wire",
}

func (p *printer) ports(m *Module) {
	head := "module " + m.Name
	if m.Param != nil {
		p.line(head + " #(")
		p.line(fmt.Sprintf("%sparameter %s = %d", tab, m.Param.Name, m.Param.Value))
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

// column is s flush right in a column of width characters, which is left out if
// it is empty.
func column(s string, width int) string {
	if width == 0 {
		return ""
	}
	return fmt.Sprintf(" %*s", width, s)
}

// shape is the range of an object, "" for a single bit that needs none.
func (p *printer) shape(o *Object) string {
	if o.Width == 1 && !o.Integer {
		return ""
	}
	return "[" + p.as.size(o.Width-1) + ":0]"
}

// family tells which items stand together without a blank line between.
type family struct{ kind, group string }

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

// isLocal tells whether what follows it belongs to it.
func isLocal(it Item) bool {
	d, ok := it.(*DeclItem)
	return ok && d.Local
}

// genvars declares the variables of a loop and of the loops in it.
func (p *printer) genvars(g *GenerateItem, seen map[string]bool) {
	var names []string
	var visit func(g *GenerateItem)
	visit = func(g *GenerateItem) {
		if !seen[g.Var.Name] {
			seen[g.Var.Name] = true
			names = append(names, g.Var.Name)
		}
		for _, it := range g.Body {
			if in, ok := it.(*GenerateItem); ok {
				visit(in)
			}
		}
	}
	visit(g)
	if len(names) > 0 {
		p.line("genvar " + strings.Join(names, ", ") + ";")
	}
}

var declWords = map[ObjectKind]string{Wire: "wire", Reg: "reg", Memory: "reg", Localparam: "localparam"}

// declarations prints declarations without value in columns.
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

// attributes tell synthesis how to make a memory: the style, and that collisions need
// no logic, as Yosys, Quartus and Vivado each want it said.
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

// hints tell Verilator how to treat o.
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

func joined(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}

// setting is the left side, the value and the comment of an item that gives
// something a value; ranges take wide characters.
func (p *printer) setting(it Item, wide int) (head string, value Expr, comment string) {
	switch it := it.(type) {
	case *DeclItem:
		return declWords[it.Obj.Kind] + column(p.shape(it.Obj), wide) + " " + it.Obj.Name + hints(it.Obj), it.Init, joined(p.as.note(it.Obj), it.Src)
	case *AssignItem:
		return "assign " + p.as.expr(it.Lhs), it.Rhs, it.Src
	}
	panic(fmt.Sprintf("verilog: %T sets nothing", it))
}

// settings prints items that give something a value, with the values in one
// column.
func (p *printer) settings(list []Item) {
	wide := 0
	for _, it := range list {
		if d, ok := it.(*DeclItem); ok {
			wide = max(wide, len(p.shape(d.Obj)))
		}
	}
	a := aligner{p: p}
	for _, it := range list {
		head, value, src := p.setting(it, wide)
		a.add(head, " = ", value, src)
	}
	a.flush()
}

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

func (p *printer) generate(it *GenerateItem) {
	outer := p.indent == 1
	if outer {
		p.line("generate")
		p.indent++
	}
	v := it.Var.Name
	p.line(fmt.Sprintf("for (%s = 0; %s < %s; %s = %s + 1) begin : %s", v, v, p.as.size(it.Var.N), v, v, it.Label))
	p.indent++
	p.items(it.Body)
	p.indent--
	p.line("end")
	if outer {
		p.indent--
		p.line("endgenerate")
	}
}

func (p *printer) instance(it *InstanceItem) {
	head := it.Module
	switch n := len(it.Params); {
	case n == 1:
		head += " #(." + it.Params[0].Name + "(" + p.as.paramValue(it.Params[0]) + "))"
	case n > 1:
		p.line(it.Module + " #(")
		for i, x := range it.Params {
			s := fmt.Sprintf("%s.%s (%s)", tab, x.Name, p.as.paramValue(x))
			if i < n-1 {
				s += ","
			}
			p.line(s)
		}
		head = ")"
	}
	if len(it.Conns) == 0 {
		p.src(head+" "+it.Name+" ();", it.Src)
		return
	}
	wide := 0
	for _, c := range it.Conns {
		wide = max(wide, len(c.Port))
	}
	p.src(head+" "+it.Name+" (", it.Src)
	for i, c := range it.Conns {
		s := fmt.Sprintf("%s.%-*s (%s)", tab, wide, c.Port, p.as.expr(c.Value))
		if i < len(it.Conns)-1 {
			s += ","
		}
		p.line(s)
	}
	p.line(");")
}

// Head is the first line of a block, without its label.
func (it *AlwaysItem) Head() string {
	switch {
	case it.Initial:
		return "initial begin"
	case it.Clock != nil:
		return "always @(" + it.events() + ") begin"
	}
	return "always @* begin"
}

func (p *printer) always(it *AlwaysItem) {
	head := it.Head()
	if it.Label != "" {
		head += " : " + it.Label
	}
	p.src(head, it.Src)
	p.indent++
	var names []string
	for _, v := range it.Vars {
		names = append(names, v.Name)
	}
	if len(names) > 0 {
		p.line("integer " + strings.Join(names, ", ") + ";")
	}
	var locals []Item
	for _, o := range it.Locals {
		locals = append(locals, &DeclItem{Obj: o})
	}
	p.declarations(locals)
	p.stmts(it.Body)
	p.indent--
	p.line("end")
}

// events are what a clocked block waits for.
func (it *AlwaysItem) events() string {
	s := "posedge " + it.Clock.Name
	switch {
	case it.Reset != nil && it.Low:
		s += " or negedge " + it.Reset.Name
	case it.Reset != nil:
		s += " or posedge " + it.Reset.Name
	}
	return s
}
