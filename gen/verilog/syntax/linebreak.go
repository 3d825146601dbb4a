package syntax

import "strings"

// broken returns head and x on several lines of at most width characters, as far as x offers
// places to break.
func (sp spelling) broken(head string, x Expr, width int) []string {
	switch x := x.(type) {
	case *Ternary:
		return sp.brokenTernary(head, x, width)
	case *Binary:
		if associative(x.Op) {
			return sp.brokenChain(head, x, width)
		}
	case *Unary:
		switch y := x.X.(type) {
		case *Concat:
			return sp.brokenConcat(head+x.Op, y, width)
		case *Binary:
			lines := sp.broken(head+x.Op+"(", y, width-len(")"))
			lines[len(lines)-1] += ")"
			return lines
		}
	case *Concat:
		return sp.brokenConcat(head, x, width)
	}
	text := sp.root(x)
	at := strings.TrimRight(head, " ")
	if len(head)+len(text) < width || !strings.HasSuffix(at, "=") {
		return fill(head, []string{text}, width, continued(head, width))
	}
	if len(tab)+len(text) < width {
		return []string{at, tab + text}
	}
	return append([]string{at}, fill(tab, breakable(text, width-2*len(tab)), width, 2*len(tab))...)
}

// continued returns the column of continuation lines below head.
func continued(head string, width int) int {
	if len(head) > width/2 {
		return 2 * len(tab)
	}
	return len(head)
}

// brokenTernary breaks a ternary before its colons. They are below the equals sign that ends
// head, below the first condition, or further left if head is long.
func (sp spelling) brokenTernary(head string, x *Ternary, width int) []string {
	at := max(len(head)-len("= "), 0)
	if at > width*3/4 {
		at = 2 * len(tab)
	}
	pad := strings.Repeat(" ", at)
	lines := sp.brokenArm(head+sp.condition(x.Cond)+" ? ", x.Yes, width)
	for {
		next, ok := x.No.(*Ternary)
		if !ok {
			return append(lines, sp.brokenArm(pad+": ", x.No, width)...)
		}
		x = next
		lines = append(lines, sp.brokenArm(pad+": "+sp.condition(x.Cond)+" ? ", x.Yes, width)...)
	}
}

// brokenArm returns head with an alternative of a ternary, on one line if it fits.
func (sp spelling) brokenArm(head string, x Expr, width int) []string {
	if line := head + sp.arm(x); len(line) < width {
		return []string{line}
	}
	switch x := x.(type) {
	case *Concat:
		return fill(head, sp.hanging(x), width, continued(head, width)+1)
	case *Binary:
		if associative(x.Op) {
			return sp.brokenChain(head, x, width)
		}
	}
	return fill(head, []string{sp.arm(x)}, width, continued(head, width))
}

// hanging returns the words of a concatenation with its braces.
func (sp spelling) hanging(x *Concat) []string {
	words := sp.elements(x)
	words[0] = "{" + words[0]
	words[len(words)-1] += "}"
	return words
}

// elements returns the texts of the parts of x, with commas between them.
func (sp spelling) elements(x *Concat) []string {
	var out []string
	for i, p := range x.Parts {
		s := sp.expr(p)
		if i < len(x.Parts)-1 {
			s += ","
		}
		out = append(out, s)
	}
	return out
}

// brokenChain fills lines with the operands of x. Lines end with operators.
func (sp spelling) brokenChain(head string, x *Binary, width int) []string {
	var operands []string
	var collect func(e Expr)
	collect = func(e Expr) {
		if b, ok := e.(*Binary); ok && b.Op == x.Op {
			collect(b.X)
			collect(b.Y)
			return
		}
		if len(operands) > 0 {
			operands[len(operands)-1] += " " + x.Op
		}
		if n, ok := e.(*Number); ok && IsFixed(n.Width) && n.Width > wideNumber {
			operands = append(operands, sp.hanging(n.pieces())...)
			return
		}
		operands = append(operands, sp.operand(e, precedence[x.Op], x.Op))
	}
	collect(x)
	pad := len(head)
	if pad > width/2 {
		pad = 2 * len(tab)
	}
	return fill(head, operands, width, pad)
}

const (
	wideNumber = 128 // the width of the pieces of a number
	longNumber = 90  // characters of a number that fits on a line
)

// brokenConcat breaks a concatenation after its brace and indents the parts.
func (sp spelling) brokenConcat(head string, x *Concat, width int) []string {
	margin := head[:len(head)-len(strings.TrimLeft(head, " "))]
	lines := append([]string{head + "{"}, fill(margin+tab, sp.elements(x), width, len(margin+tab))...)
	return append(lines, margin+"}")
}

// fill packs words into lines after head. Continuation lines start at column pad, or further
// left if words are long. A word that fits on no line is broken at its blanks.
func fill(head string, words []string, width, pad int) []string {
	var parts []string
	longest := 0
	for _, w := range words {
		if pad+len(w) > width+slack || len(parts) == 0 && len(head)+len(w) > width+slack {
			parts = append(parts, breakable(w, width-pad)...)
		} else {
			parts = append(parts, w)
		}
	}
	for _, w := range parts {
		longest = max(longest, len(w))
	}
	if pad+longest > width+slack {
		pad = max(min(pad, width-longest), 2*len(tab))
	}
	var lines []string
	line := strings.TrimSuffix(head, " ")
	if glue := strings.HasSuffix(head, " ") || head == ""; !glue || len(head)+len(parts[0]) <= width+slack || line == "" {
		line, parts = head+parts[0], parts[1:]
	}
	for _, w := range parts {
		if len(line)+1+len(w) > width {
			lines = append(lines, line)
			line = strings.Repeat(" ", pad) + w
			continue
		}
		line += " " + w
	}
	return append(lines, line)
}

// breakable splits the text of an expression into pieces between which a line may break. It
// breaks between operands, outside parentheses first, and inside those that do not fit. An
// operator ends a piece; an alternative of a ternary begins one.
func breakable(text string, room int) []string { return breakAt(0, atoms(text), room) }

// breakAt splits words as breakable does, between those that are in at most depth parentheses.
func breakAt(depth int, words []string, room int) []string {
	var out, piece []string
	deepest := 0 // of the piece
	flush := func() {
		if text := strings.Join(piece, " "); deepest > depth && len(text) > room {
			out = append(out, breakAt(depth+1, piece, room)...)
		} else if len(piece) > 0 {
			out = append(out, text)
		}
		piece, deepest = nil, 0
	}
	level := 0
	for i, w := range words {
		if level <= depth && precedence[w] == 0 && (i == 0 || words[i-1] != "?" && words[i-1] != ":") {
			flush()
		}
		piece = append(piece, w)
		level += nesting(w)
		deepest = max(deepest, level)
	}
	flush()
	return out
}

// nesting returns how many more parentheses w opens than it closes.
func nesting(w string) int {
	if strings.HasPrefix(w, "\"") {
		return 0
	}
	n := 0
	for _, c := range w {
		switch c {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

// atoms splits a text into words. A string is one word, and so is a comment.
func atoms(text string) []string {
	var out []string
	whole := false
	for _, w := range strings.Fields(text) {
		inside := whole
		if strings.Count(w, "\"")%2 == 1 || w == "/*" || w == "*/" {
			whole = !whole
		}
		if inside {
			out[len(out)-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}
