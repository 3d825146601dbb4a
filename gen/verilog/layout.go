package verilog

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// precedence of binary operators, as Verilog has it.
var precedence = map[string]int{
	"*": 12, "/": 12, "%": 12, "+": 11, "-": 11, "<<": 10, ">>": 10, ">>>": 10,
	"<": 9, "<=": 9, ">": 9, ">=": 9, "==": 8, "!=": 8,
	"&": 7, "^": 6, "|": 5, "&&": 4, "||": 3,
}

const unaryPrecedence = 14

// exprText is x on one line, for comparison.
func exprText(x expr) string { return spelling{}.expr(x) }

// expr is x on one line.
func (sp spelling) expr(x expr) string {
	switch x := x.(type) {
	case *ident:
		return x.obj.name
	case *number:
		if text := sp.number(x); !isFixed(x.width) || len(text) <= longNumber {
			return text
		}
		return sp.expr(x.pieces())
	case *part:
		return x.obj.name + sp.index(x)
	case *dynPart:
		return x.obj.name + sp.partBits(x)
	case *word:
		return x.mem.name + "[" + sp.expr(x.addr) + "]" + sp.wordBits(x)
	case *loopBits:
		return x.v.name + sp.bits(0, x.width)
	case *loopValue:
		return sp.affine(x.a)
	case *unary:
		return x.op + sp.operand(x.x, unaryPrecedence, "")
	case *binary:
		return sp.operand(x.x, precedence[x.op], x.op) + " " + x.op + " " + sp.rightOperand(x)
	case *ternary:
		return sp.condition(x.c) + " ? " + sp.arm(x.yes) + " : " + sp.expr(x.no)
	case *concat:
		var parts []string
		for _, p := range x.parts {
			parts = append(parts, sp.expr(p))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case *repeat:
		return fmt.Sprintf("{%s{%s}}", sp.factor(x.n), sp.expr(x.x))
	case *signed:
		return "$signed(" + sp.expr(x.x) + ")"
	}
	panic(fmt.Sprintf("verilog: no text for %T", x))
}

// root is expr for the right side of an assignment: a comparison gets
// parentheses there.
func (sp spelling) root(x expr) string {
	if b, ok := x.(*binary); ok && isComparison(b.op) {
		return "(" + sp.expr(x) + ")"
	}
	return sp.expr(x)
}

func isComparison(op string) bool { p := precedence[op]; return p == 8 || p == 9 }

func associative(op string) bool {
	switch op {
	case "+", "&", "|", "^", "&&", "||", "*":
		return true
	}
	return false
}

// operand puts parentheses where precedence or the reader needs them: operators
// of the outer's kind and arithmetic in comparisons go without.
func (sp spelling) operand(x expr, outer int, op string) string {
	text := sp.expr(x)
	switch x := x.(type) {
	case *ternary:
		return "(" + text + ")"
	case *unary:
		reduction := x.op != "~" && x.op != "!"
		if outer == unaryPrecedence || reduction && op != "&&" && op != "||" {
			return "(" + text + ")"
		}
	case *binary:
		inner := precedence[x.op]
		switch {
		case x.op == op && associative(op):
			return text
		case op == "-" && (x.op == "+" || x.op == "-"), op == "+" && x.op == "-":
			return text
		case outer <= 4 && isComparison(x.op): // && and ||
			return text
		case (outer == 8 || outer == 9) && (inner == 11 || inner == 12):
			return text
		}
		return "(" + text + ")"
	}
	return text
}

// rightOperand is operand for the right side, which does not associate with -.
func (sp spelling) rightOperand(b *binary) string {
	y, ok := b.y.(*binary)
	if ok && (b.op == "-" || b.op == "+" && y.op == "-") && precedence[y.op] == 11 {
		return "(" + sp.expr(y) + ")"
	}
	return sp.operand(b.y, precedence[b.op], b.op)
}

// condition is the first operand of a ternary.
func (sp spelling) condition(x expr) string {
	switch x.(type) {
	case *binary, *ternary:
		return "(" + sp.expr(x) + ")"
	}
	return sp.expr(x)
}

func (sp spelling) arm(x expr) string {
	if _, ok := x.(*ternary); ok {
		return "(" + sp.expr(x) + ")"
	}
	return sp.root(x)
}

// index is the bit or part select of a part.
func (sp spelling) index(x *part) string {
	if len(x.elem.terms) == 0 {
		return sp.bits(x.elem.konst*x.size+x.lo, x.width)
	}
	return sp.from(sp.scaled(x.elem, x.size), x.lo, x.width)
}

// bits is the part select of a word that is written in part.
func (sp spelling) wordBits(x *word) string {
	if x.width == 0 {
		return ""
	}
	return sp.bits(x.lo, x.width)
}

func (sp spelling) partBits(x *dynPart) string {
	at := sp.expr(x.index)
	if x.size > 1 {
		at = sp.operand(x.index, precedence["*"], "*") + "*" + sp.factor(x.size)
	}
	return sp.from(at, x.lo, x.width)
}

// scaled is the text of a*size.
func (sp spelling) scaled(a affine, size int) string {
	if size == 1 {
		return sp.affine(a)
	}
	if len(a.terms) == 1 && a.konst == 0 {
		return sp.affine(a.times(size))
	}
	return fmt.Sprintf("(%s)*%s", sp.affine(a), sp.factor(size))
}

func (sp spelling) affine(a affine) string {
	s := ""
	if len(a.terms) > 0 && a.terms[0].mul < 0 && a.konst > 0 { // 3 - i
		s = sp.size(a.konst)
		a.konst = 0
	}
	for _, t := range a.terms {
		m := t.mul
		switch {
		case s != "" && m < 0:
			s += " - "
			m = -m
		case s != "":
			s += " + "
		}
		s += t.v.name
		if m != 1 {
			s += "*" + sp.factor(m)
		}
	}
	switch {
	case s == "":
		return sp.size(a.konst)
	case a.konst > 0:
		s += " + " + sp.size(a.konst)
	case a.konst < 0:
		s += " - " + sp.factor(-a.konst)
	}
	return s
}

// inHex tells whether n is written in hexadecimal: because it is to be, or is large or a
// mask and no count.
func (n *number) inHex() bool {
	mask := n.width >= 8 && len(n.val) == 1 && n.val[0]+1 == 1<<n.width
	return n.hex || !n.count && (mask || toBig(&ir.Expr{Val: n.val}).Cmp(big.NewInt(1000)) >= 0)
}

// least is the number of bits that n needs.
func (n *number) least() int { return max(toBig(&ir.Expr{Val: n.val}).BitLen(), 1) }

func (n *number) isZero() bool { return toBig(&ir.Expr{Val: n.val}).Sign() == 0 }

// text is n with its width, which 0 stands for none of.
func (sp spelling) number(n *number) string {
	v := toBig(&ir.Expr{Val: n.val})
	switch {
	case !isFixed(n.width):
		return sp.padded(n)
	case n.width == 0:
		return v.String()
	case n.width == 1:
		return "1'b" + v.String()
	case !n.inHex():
		return fmt.Sprintf("%d'd%s", n.width, v)
	}
	digits := fmt.Sprintf("%0*x", (n.width+3)/4, v)
	if len(digits) > 4 {
		var groups []string
		for len(digits) > 4 {
			groups = append([]string{digits[len(digits)-4:]}, groups...)
			digits = digits[:len(digits)-4]
		}
		digits = strings.Join(append([]string{digits}, groups...), "_")
	}
	return fmt.Sprintf("%d'h%s", n.width, digits)
}

// broken is head and x on several lines of at most width characters, as far as
// x offers places to break.
func (sp spelling) broken(head string, x expr, width int) []string {
	switch x := x.(type) {
	case *ternary:
		return sp.brokenTernary(head, x, width)
	case *binary:
		if associative(x.op) {
			return sp.brokenChain(head, x, width)
		}
	case *unary:
		switch y := x.x.(type) {
		case *concat:
			return sp.brokenConcat(head+x.op, y, width)
		case *binary:
			lines := sp.broken(head+x.op+"(", y, width-len(")"))
			lines[len(lines)-1] += ")"
			return lines
		}
	case *concat:
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

// continued is the column in which lines behind head go on.
func continued(head string, width int) int {
	if len(head) > width/2 {
		return 2 * len(tab)
	}
	return len(head)
}

// brokenTernary puts the colons below the equals sign that ends head, or below
// the first condition. Below a long head they are further left.
func (sp spelling) brokenTernary(head string, x *ternary, width int) []string {
	at := max(len(head)-len("= "), 0)
	if at > width*3/4 {
		at = 2 * len(tab)
	}
	pad := strings.Repeat(" ", at)
	lines := sp.brokenArm(head+sp.condition(x.c)+" ? ", x.yes, width)
	for {
		next, ok := x.no.(*ternary)
		if !ok {
			return append(lines, sp.brokenArm(pad+": ", x.no, width)...)
		}
		x = next
		lines = append(lines, sp.brokenArm(pad+": "+sp.condition(x.c)+" ? ", x.yes, width)...)
	}
}

// brokenArm is an alternative of a ternary, on one line if it fits.
func (sp spelling) brokenArm(head string, x expr, width int) []string {
	if line := head + sp.arm(x); len(line) < width {
		return []string{line}
	}
	switch x := x.(type) {
	case *concat:
		return fill(head, sp.hanging(x), width, continued(head, width)+1)
	case *binary:
		if associative(x.op) {
			return sp.brokenChain(head, x, width)
		}
	}
	return fill(head, []string{sp.arm(x)}, width, continued(head, width))
}

// hanging are the words of a concatenation with its braces.
func (sp spelling) hanging(x *concat) []string {
	words := sp.elements(x)
	words[0] = "{" + words[0]
	words[len(words)-1] += "}"
	return words
}

// elements are the texts of the parts of x with commas between.
func (sp spelling) elements(x *concat) []string {
	var out []string
	for i, p := range x.parts {
		s := sp.expr(p)
		if i < len(x.parts)-1 {
			s += ","
		}
		out = append(out, s)
	}
	return out
}

// brokenChain fills lines with the operands of x, operators at line ends.
func (sp spelling) brokenChain(head string, x *binary, width int) []string {
	var operands []string
	var collect func(e expr)
	collect = func(e expr) {
		if b, ok := e.(*binary); ok && b.op == x.op {
			collect(b.x)
			collect(b.y)
			return
		}
		if len(operands) > 0 {
			operands[len(operands)-1] += " " + x.op
		}
		if n, ok := e.(*number); ok && isFixed(n.width) && n.width > wideNumber {
			operands = append(operands, sp.hanging(n.pieces())...)
			return
		}
		operands = append(operands, sp.operand(e, precedence[x.op], x.op))
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

// pieces are n as numbers of at most 128 bits.
func (n *number) pieces() *concat {
	c := &concat{}
	for hi := n.width; hi > 0; {
		lo := (hi - 1) / wideNumber * wideNumber
		c.parts = append(c.parts, &number{width: hi - lo, val: n.val[lo/64 : (hi+63)/64], hex: true})
		hi = lo
	}
	return c
}

// brokenConcat indents the parts one step more than head.
func (sp spelling) brokenConcat(head string, x *concat, width int) []string {
	margin := head[:len(head)-len(strings.TrimLeft(head, " "))]
	lines := append([]string{head + "{"}, fill(margin+tab, sp.elements(x), width, len(margin+tab))...)
	return append(lines, margin+"}")
}

// fill packs words into lines behind head; continuation lines start at column pad, or
// further left if words are long. A word that fits on no line is broken at its blanks.
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

// breakable returns the pieces of the text of an expression between which a line may
// break: between operands, outside parentheses first, and inside those that do not fit.
// Operators end a piece, and the alternatives of a choice begin one.
func breakable(text string, room int) []string { return breakAt(0, atoms(text), room) }

// breakAt is breakable for words that are in so many parentheses, or fewer.
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

// nesting is how many more parentheses w opens than it closes.
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

// atoms are the words of a text. A string, and a comment, is one.
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

// bodyText is the text of statements, for comparison.
func bodyText(list []stmt) string {
	p := &printer{}
	p.stmts(list)
	return p.out.String()
}
