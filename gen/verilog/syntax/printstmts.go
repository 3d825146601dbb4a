package syntax

import (
	"fmt"
	"strings"
)

// stmts prints statements. Adjacent assignments have their values in one column.
func (p *printer) stmts(list []Stmt) {
	a := aligner{p: p}
	for _, s := range list {
		if set, ok := s.(*SetStmt); ok {
			a.add(p.as.expr(set.Lhs), set.op(), set.Rhs, set.Src)
			continue
		}
		a.flush()
		p.stmt(s)
	}
	a.flush()
}

// op returns the assignment operator of s.
func (s *SetStmt) op() string {
	if s.Nonblocking {
		return " <= "
	}
	return " = "
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *IfStmt:
		p.ifStmt("", s)
	case *CaseStmt:
		p.caseStmt(s)
	case *ForStmt:
		v := s.Var.Name
		p.line(fmt.Sprintf("for (%s = 0; %s < %s; %s = %s + 1) begin", v, v, p.as.size(s.Var.N), v, v))
		p.indent++
		p.stmts(s.Body)
		p.indent--
		p.line("end")
	case *AssertStmt:
		p.src(p.claim(s), joined(s.Text, s.Src))
	case *ErrorStmt:
		p.line(s.call())
	}
}

// claim returns an assertion on one line.
func (p *printer) claim(s *AssertStmt) string {
	return s.Kind.String() + " (" + p.as.expr(s.Cond) + ");"
}

// call returns the system task that prints the text. In a string of Verilog, % begins a
// format.
func (s *ErrorStmt) call() string {
	text := strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "%", "%%", "\n", "\\n", "\t", "\\t").Replace(s.Text)
	var parts []string // which are printed one after the other
	for len(text) > longText {
		at := strings.LastIndexByte(text[:longText], ' ') + 1
		if at == 0 {
			break
		}
		parts, text = append(parts, "\""+text[:at]+"\""), text[at:]
	}
	return "$error(" + strings.Join(append(parts, "\""+text+"\""), ", ") + ");"
}

// longText is the length of a string that fits on a line.
const longText = 80

// short returns a list of one simple statement on one line, "" for any other list.
func (p *printer) short(list []Stmt) string {
	if len(list) != 1 {
		return ""
	}
	switch s := list[0].(type) {
	case *SetStmt:
		if s.Src == "" {
			return p.as.expr(s.Lhs) + s.op() + p.as.root(s.Rhs) + ";"
		}
	case *ErrorStmt:
		return s.call()
	case *AssertStmt:
		if s.Src == "" && s.Text == "" {
			return p.claim(s)
		}
	}
	return ""
}

// ifStmt prints an if after the text that closes the branch before it.
func (p *printer) ifStmt(before string, s *IfStmt) {
	head := before + "if (" + p.as.expr(s.Cond) + ")"
	if one := p.short(s.Then); before == "" && one != "" && len(s.Else) == 0 && s.Src == "" && p.fits(head+" "+one) {
		p.line(head + " " + one)
		return
	}
	p.condition(before+"if (", s)
	p.indent++
	p.stmts(s.Then)
	p.indent--
	switch next := s.ElseIf(); {
	case next != nil:
		p.ifStmt("end else ", next)
	case len(s.Else) > 0:
		p.line("end else begin")
		p.indent++
		p.stmts(s.Else)
		p.indent--
		p.line("end")
	default:
		p.line("end")
	}
}

// condition prints head and the condition of s.
func (p *printer) condition(head string, s *IfStmt) {
	if flat := head + p.as.expr(s.Cond) + ") begin"; p.fits(flat) {
		p.src(flat, s.Src)
		return
	}
	lines := p.as.broken(head, s.Cond, maxWidth-p.indent*len(tab)-len(") begin"))
	p.statementLines(lines, ") begin", s.Src)
}

// fits reports whether s fits on a line.
func (p *printer) fits(s string) bool { return p.indent*len(tab)+len(s) <= maxWidth }

// caseStmt prints a case. Alternatives of one simple statement, or of none, take one
// line.
func (p *printer) caseStmt(s *CaseStmt) {
	p.src("case ("+p.as.expr(s.Of)+")", s.Src)
	p.indent++
	for _, it := range s.Items {
		p.caseBody(p.labels(it.Labels), it.Body, it.Src)
	}
	p.caseBody("default:", s.Default, s.DefaultFor)
	p.indent--
	p.line("endcase")
}

func (p *printer) caseBody(label string, body []Stmt, note string) {
	if len(body) == 0 {
		p.src(label+" ;", note)
		return
	}
	if one := p.short(body); one != "" && p.fits(label+" "+one) {
		p.src(label+" "+one, note)
		return
	}
	p.src(label+" begin", note)
	p.indent++
	p.stmts(body)
	p.indent--
	p.line("end")
}

// labels prints the labels of an alternative except for the last line, which it returns.
func (p *printer) labels(labels []Expr) string {
	lines := fill("", p.as.elements(&Concat{labels}), maxWidth-p.indent*len(tab)-len(": begin"), 0)
	for _, l := range lines[:len(lines)-1] {
		p.line(l)
	}
	return lines[len(lines)-1] + ":"
}
