package verilog

import (
	"fmt"
	"strings"
)

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
