package verilog

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

func (m *module) text() string {
	p := &printer{}
	if m.param != nil {
		p.as.param = m.param.name
	}
	for _, h := range m.header {
		for _, l := range commentLines(h) {
			p.line(l)
		}
	}
	p.line("")
	p.line("`default_nettype none")
	p.line("")
	p.ports(m)
	p.indent++
	p.items(m.items)
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

var portWords = map[objectKind]string{
	inputObject: "input  wire", outputObject: "output wire", outputRegObject: "output reg ", inoutObject: "inout  wire",
}

func (p *printer) ports(m *module) {
	head := "module " + m.name
	if m.param != nil {
		p.line(head + " #(")
		p.line(fmt.Sprintf("%sparameter %s = %d", tab, m.param.name, m.param.value))
		head = ")"
	}
	if len(m.ports) == 0 {
		p.line(head + ";")
		return
	}
	wide := 0
	for _, o := range m.ports {
		wide = max(wide, len(p.shape(o)))
	}
	var rows []row
	for i, o := range m.ports {
		s := portWords[o.kind] + column(p.shape(o), wide) + " " + o.name + hints(o)
		if i < len(m.ports)-1 {
			s += ","
		}
		rows = append(rows, row{s, p.as.note(o), o.group})
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
func (p *printer) shape(o *object) string {
	if o.width == 1 && !o.integer {
		return ""
	}
	return "[" + p.as.size(o.width-1) + ":0]"
}

// family tells which items stand together without a blank line between.
type family struct{ kind, group string }

func familyOf(it item) family {
	switch it := it.(type) {
	case *declItem:
		switch {
		case it.obj.kind == paramObject:
			return family{"param", it.obj.group}
		case it.alone:
			return family{}
		case it.local:
			return family{kind: "local"}
		case it.init != nil:
			return family{kind: "wire"}
		}
		return family{kind: "decl"}
	case *assignItem:
		return family{kind: "assign"}
	}
	return family{}
}

func (p *printer) items(list []item) {
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
			if g, ok := list[i].(*generateItem); ok && p.indent == 1 {
				p.genvars(g, genvars)
			}
			p.item(list[i])
		}
		i = n
	}
}

// isLocal tells whether what follows it belongs to it.
func isLocal(it item) bool {
	d, ok := it.(*declItem)
	return ok && d.local
}

// genvars declares the variables of a loop and of the loops in it.
func (p *printer) genvars(g *generateItem, seen map[string]bool) {
	var names []string
	var visit func(g *generateItem)
	visit = func(g *generateItem) {
		if !seen[g.v.name] {
			seen[g.v.name] = true
			names = append(names, g.v.name)
		}
		for _, it := range g.body {
			if in, ok := it.(*generateItem); ok {
				visit(in)
			}
		}
	}
	visit(g)
	if len(names) > 0 {
		p.line("genvar " + strings.Join(names, ", ") + ";")
	}
}

var declWords = map[objectKind]string{wireObject: "wire", regObject: "reg", memoryObject: "reg", paramObject: "localparam"}

// declarations prints declarations without value in columns.
func (p *printer) declarations(list []item) {
	word, wide := 0, 0
	for _, it := range list {
		o := it.(*declItem).obj
		word = max(word, len(declWords[o.kind]))
		wide = max(wide, len(p.shape(o)))
	}
	var rows []row
	flush := func() {
		p.rows(rows)
		rows = nil
	}
	for _, it := range list {
		d := it.(*declItem)
		o := d.obj
		if a := attributes(o); a != "" {
			flush()
			p.line("(* " + a + " *)")
		}
		if o.crosses {
			flush()
			p.line("(* async_reg = \"true\" *)")
		}
		s := fmt.Sprintf("%-*s", word, declWords[o.kind]) + column(p.shape(o), wide) + " " + o.name + hints(o)
		if o.depth > 0 {
			s += " [0:" + p.as.size(o.depth-1) + "]"
		}
		rows = append(rows, row{s + ";", joined(p.as.note(o), d.src), o.group})
	}
	flush()
}

// attributes tell synthesis how to make a memory: the style, and that collisions need
// no logic, as Yosys, Quartus and Vivado each want it said.
func attributes(o *object) string {
	var list []string
	if o.style != "" {
		list = append(list, fmt.Sprintf("ram_style = %q", o.style))
	}
	if o.any {
		list = append(list, "no_rw_check", `ramstyle = "no_rw_check"`, `rw_addr_collision = "no"`)
	}
	return strings.Join(list, ", ")
}

// hints tell Verilator how to treat o.
func hints(o *object) string {
	s := ""
	if o.split {
		s += " /* verilator split_var */"
	}
	if o.kept {
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
func (p *printer) setting(it item, wide int) (head string, value expr, comment string) {
	switch it := it.(type) {
	case *declItem:
		return declWords[it.obj.kind] + column(p.shape(it.obj), wide) + " " + it.obj.name + hints(it.obj), it.init, joined(p.as.note(it.obj), it.src)
	case *assignItem:
		return "assign " + p.as.expr(it.lhs), it.rhs, it.src
	}
	panic(fmt.Sprintf("verilog: %T sets nothing", it))
}

// settings prints items that give something a value, with the values in one
// column.
func (p *printer) settings(list []item) {
	wide := 0
	for _, it := range list {
		if d, ok := it.(*declItem); ok {
			wide = max(wide, len(p.shape(d.obj)))
		}
	}
	a := aligner{p: p}
	for _, it := range list {
		head, value, src := p.setting(it, wide)
		a.add(head, " = ", value, src)
	}
	a.flush()
}

func (p *printer) item(it item) {
	switch it := it.(type) {
	case *declItem:
		if it.init == nil {
			p.declarations([]item{it})
			return
		}
		p.settings([]item{it})
	case *assignItem:
		p.settings([]item{it})
	case *alwaysItem:
		p.always(it)
	case *instanceItem:
		p.instance(it)
	case *generateItem:
		p.generate(it)
	case *formalItem:
		p.out.WriteString("`ifdef FORMAL\n")
		p.items(it.formal)
		if len(it.simulated) > 0 {
			p.out.WriteString("`elsif SYNTHESIS\n`else\n")
			p.items(it.simulated)
		}
		p.out.WriteString("`endif\n")
	}
}

func (p *printer) generate(it *generateItem) {
	outer := p.indent == 1
	if outer {
		p.line("generate")
		p.indent++
	}
	v := it.v.name
	p.line(fmt.Sprintf("for (%s = 0; %s < %s; %s = %s + 1) begin : %s", v, v, p.as.size(it.v.n), v, v, it.label))
	p.indent++
	p.items(it.body)
	p.indent--
	p.line("end")
	if outer {
		p.indent--
		p.line("endgenerate")
	}
}

func (p *printer) instance(it *instanceItem) {
	head := it.module
	switch n := len(it.params); {
	case n == 1:
		head += " #(." + it.params[0].name + "(" + p.as.paramValue(it.params[0]) + "))"
	case n > 1:
		p.line(it.module + " #(")
		for i, x := range it.params {
			s := fmt.Sprintf("%s.%s (%s)", tab, x.name, p.as.paramValue(x))
			if i < n-1 {
				s += ","
			}
			p.line(s)
		}
		head = ")"
	}
	if len(it.conns) == 0 {
		p.src(head+" "+it.name+" ();", it.src)
		return
	}
	wide := 0
	for _, c := range it.conns {
		wide = max(wide, len(c.port))
	}
	p.src(head+" "+it.name+" (", it.src)
	for i, c := range it.conns {
		s := fmt.Sprintf("%s.%-*s (%s)", tab, wide, c.port, p.as.expr(c.value))
		if i < len(it.conns)-1 {
			s += ","
		}
		p.line(s)
	}
	p.line(");")
}

// head is the first line of a block, without its label.
func (it *alwaysItem) head() string {
	switch {
	case it.initial:
		return "initial begin"
	case it.clock != nil:
		return "always @(" + it.events() + ") begin"
	}
	return "always @* begin"
}

func (p *printer) always(it *alwaysItem) {
	head := it.head()
	if it.label != "" {
		head += " : " + it.label
	}
	p.src(head, it.src)
	p.indent++
	var names []string
	for _, v := range it.vars {
		names = append(names, v.name)
	}
	if len(names) > 0 {
		p.line("integer " + strings.Join(names, ", ") + ";")
	}
	var locals []item
	for _, o := range it.locals {
		locals = append(locals, &declItem{obj: o})
	}
	p.declarations(locals)
	p.stmts(it.body)
	p.indent--
	p.line("end")
}

// events are what a clocked block waits for.
func (it *alwaysItem) events() string {
	s := "posedge " + it.clock.name
	switch {
	case it.reset != nil && it.low:
		s += " or negedge " + it.reset.name
	case it.reset != nil:
		s += " or posedge " + it.reset.name
	}
	return s
}
