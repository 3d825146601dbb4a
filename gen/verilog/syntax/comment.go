package syntax

import "strings"

// commentLines returns s as comment lines.
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

// longLine prints a line beyond the limit: its comment first, then the code, broken at blanks.
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

// parted splits a line into its code and the comment after it.
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

// src prints a line with a comment, if there is one.
func (p *printer) src(s, src string) {
	if src != "" {
		s += " // " + src
	}
	p.line(s)
}

// statementLines prints a statement that takes several lines, and end after it. The comment follows
// the last line or, if it does not fit there, precedes the first.
func (p *printer) statementLines(lines []string, end, src string) {
	last := len(lines) - 1
	lines[last] += end
	if src != "" && p.indent*len(tab)+len(lines[last]+" // "+src) > limit {
		p.line("// " + src)
		src = ""
	}
	for _, l := range lines[:last] {
		p.line(l)
	}
	p.src(lines[last], src)
}

// joined joins two comments.
func joined(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}

// note returns the comment of a declaration: the shape of the object and its purpose.
func (sp spelling) note(o *Object) string {
	shape := ""
	if o.Lens != nil && o.Elem != 1 {
		for _, n := range o.Lens {
			shape += sp.size(n) + " x "
		}
		shape += sp.size(o.Elem) + " bits"
	}
	if shape != "" && o.Comment != "" {
		return shape + ": " + o.Comment
	}
	return shape + o.Comment
}
