package verilog

import (
	"fmt"
	"strings"
)

func (p *printer) stmts(list []stmt) {
	a := aligner{p: p}
	for _, s := range list {
		if set, ok := s.(*setStmt); ok {
			a.add(p.as.expr(set.lhs), set.op(), set.rhs, set.src)
			continue
		}
		a.flush()
		p.stmt(s)
	}
	a.flush()
}

func (s *setStmt) op() string {
	if s.nonblocking {
		return " <= "
	}
	return " = "
}

func (p *printer) stmt(s stmt) {
	switch s := s.(type) {
	case *ifStmt:
		p.ifStmt("", s)
	case *caseStmt:
		p.caseStmt(s)
	case *forStmt:
		v := s.v.name
		p.line(fmt.Sprintf("for (%s = 0; %s < %s; %s = %s + 1) begin", v, v, p.as.size(s.v.n), v, v))
		p.indent++
		p.stmts(s.body)
		p.indent--
		p.line("end")
	case *assertStmt:
		p.src(p.claim(s), joined(s.text, s.src))
	case *errorStmt:
		p.line(s.call())
	}
}

func (p *printer) claim(s *assertStmt) string {
	return s.kind.String() + " (" + p.as.expr(s.cond) + ");"
}

// call is written as Verilog writes strings, in which % begins a format.
func (s *errorStmt) call() string {
	text := strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "%", "%%", "\n", "\\n", "\t", "\\t").Replace(s.text)
	var parts []string // which are printed behind each other
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

// short is what a list of one simple statement is on one line, else "".
func (p *printer) short(list []stmt) string {
	if len(list) != 1 {
		return ""
	}
	switch s := list[0].(type) {
	case *setStmt:
		if s.src == "" {
			return p.as.expr(s.lhs) + s.op() + p.as.root(s.rhs) + ";"
		}
	case *errorStmt:
		return s.call()
	case *assertStmt:
		if s.src == "" && s.text == "" {
			return p.claim(s)
		}
	}
	return ""
}

// ifStmt prints an if; before is what closes the branch before it.
func (p *printer) ifStmt(before string, s *ifStmt) {
	head := before + "if (" + p.as.expr(s.cond) + ")"
	if one := p.short(s.then); before == "" && one != "" && len(s.els) == 0 && s.src == "" && p.fits(head+" "+one) {
		p.line(head + " " + one)
		return
	}
	p.condition(before+"if (", s)
	p.indent++
	p.stmts(s.then)
	p.indent--
	switch next := elseIf(s); {
	case next != nil:
		p.ifStmt("end else ", next)
	case len(s.els) > 0:
		p.line("end else begin")
		p.indent++
		p.stmts(s.els)
		p.indent--
		p.line("end")
	default:
		p.line("end")
	}
}

// elseIf is the if that is all of the else branch of s, or nil.
func elseIf(s *ifStmt) *ifStmt {
	if len(s.els) != 1 {
		return nil
	}
	next, _ := s.els[0].(*ifStmt)
	return next
}

// condition prints head and the condition of s.
func (p *printer) condition(head string, s *ifStmt) {
	if flat := head + p.as.expr(s.cond) + ") begin"; p.fits(flat) {
		p.src(flat, s.src)
		return
	}
	lines := p.as.broken(head, s.cond, maxWidth-p.indent*len(tab)-len(") begin"))
	for i, l := range lines {
		if i == len(lines)-1 {
			p.src(l+") begin", s.src)
		} else {
			p.line(l)
		}
	}
}

func (p *printer) fits(s string) bool { return p.indent*len(tab)+len(s) <= maxWidth }

func (p *printer) caseStmt(s *caseStmt) {
	p.src("case ("+p.as.expr(s.of)+")", s.src)
	p.indent++
	for _, it := range s.items {
		p.caseBody(p.labels(it.labels), it.body, it.src)
	}
	p.caseBody("default:", s.rest, s.restFor)
	p.indent--
	p.line("endcase")
}

func (p *printer) caseBody(label string, body []stmt, note string) {
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

// labels prints the lines of labels that do not fit on one, and is the last.
func (p *printer) labels(labels []expr) string {
	lines := fill("", p.as.elements(&concat{labels}), maxWidth-p.indent*len(tab)-len(": begin"), 0)
	for _, l := range lines[:len(lines)-1] {
		p.line(l)
	}
	return lines[len(lines)-1] + ":"
}
