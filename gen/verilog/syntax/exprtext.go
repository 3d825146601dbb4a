package syntax

import (
	"fmt"
	"strings"
)

// ExprText returns x on one line. Equal texts mean equal expressions within a scope.
func ExprText(x Expr) string { return spelling{}.expr(x) }

// expr returns x on one line.
func (sp spelling) expr(x Expr) string {
	switch x := x.(type) {
	case *Ident:
		return x.Obj.Name
	case *Number:
		if text := sp.number(x); !IsFixed(x.Width) || len(text) <= longNumber {
			return text
		}
		return sp.expr(x.pieces())
	case *Part:
		return x.Obj.Name + sp.index(x)
	case *DynPart:
		return x.Obj.Name + sp.partBits(x)
	case *Word:
		return x.Mem.Name + "[" + sp.expr(x.Addr) + "]" + sp.wordBits(x)
	case *LoopBits:
		return x.Var.Name + sp.bits(0, x.Width)
	case *LoopValue:
		return sp.affine(x.Value)
	case *Unary:
		return x.Op + sp.operand(x.X, unaryPrecedence, "")
	case *Binary:
		return sp.operand(x.X, precedence[x.Op], x.Op) + " " + x.Op + " " + sp.rightOperand(x)
	case *Ternary:
		return sp.condition(x.Cond) + " ? " + sp.arm(x.Yes) + " : " + sp.expr(x.No)
	case *Concat:
		var parts []string
		for _, p := range x.Parts {
			parts = append(parts, sp.expr(p))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case *Repeat:
		return fmt.Sprintf("{%s{%s}}", sp.factor(x.N), sp.expr(x.X))
	case *Signed:
		return "$signed(" + sp.expr(x.X) + ")"
	}
	panic(fmt.Sprintf("verilog: no text for %T", x))
}

// root returns the right side of an assignment on one line, with parentheses around a
// comparison.
func (sp spelling) root(x Expr) string {
	if b, ok := x.(*Binary); ok && IsComparison(b.Op) {
		return "(" + sp.expr(x) + ")"
	}
	return sp.expr(x)
}

// operand returns an operand of op, in parentheses where precedence or the reader needs them.
// Associative operators of one kind and arithmetic in comparisons need none.
func (sp spelling) operand(x Expr, outer int, op string) string {
	text := sp.expr(x)
	switch x := x.(type) {
	case *Ternary:
		return "(" + text + ")"
	case *Unary:
		reduction := x.Op != "~" && x.Op != "!"
		if outer == unaryPrecedence || reduction && op != "&&" && op != "||" {
			return "(" + text + ")"
		}
	case *Binary:
		inner := precedence[x.Op]
		switch {
		case x.Op == op && associative(op):
			return text
		case op == "-" && (x.Op == "+" || x.Op == "-"), op == "+" && x.Op == "-":
			return text
		case outer <= 4 && IsComparison(x.Op): // && and ||
			return text
		case (outer == 8 || outer == 9) && (inner == 11 || inner == 12):
			return text
		}
		return "(" + text + ")"
	}
	return text
}

// rightOperand returns the right operand of b. Unlike the left operand, it needs parentheses
// in x - (y + z).
func (sp spelling) rightOperand(b *Binary) string {
	y, ok := b.Y.(*Binary)
	if ok && (b.Op == "-" || b.Op == "+" && y.Op == "-") && precedence[y.Op] == 11 {
		return "(" + sp.expr(y) + ")"
	}
	return sp.operand(b.Y, precedence[b.Op], b.Op)
}

// condition returns the first operand of a ternary.
func (sp spelling) condition(x Expr) string {
	switch x.(type) {
	case *Binary, *Ternary:
		return "(" + sp.expr(x) + ")"
	}
	return sp.expr(x)
}

// arm returns an alternative of a ternary.
func (sp spelling) arm(x Expr) string {
	if _, ok := x.(*Ternary); ok {
		return "(" + sp.expr(x) + ")"
	}
	return sp.root(x)
}

// index returns the bit or part select of x.
func (sp spelling) index(x *Part) string {
	if len(x.Elem.Terms) == 0 {
		return sp.bits(x.Elem.Const*x.Size+x.Lo, x.Width)
	}
	return sp.from(sp.scaled(x.Elem, x.Size), x.Lo, x.Width)
}

// wordBits returns the part select of a word, "" for the whole word.
func (sp spelling) wordBits(x *Word) string {
	if x.Width == 0 {
		return ""
	}
	return sp.bits(x.Lo, x.Width)
}

// partBits returns the bit or part select of x.
func (sp spelling) partBits(x *DynPart) string {
	at := sp.expr(x.Index)
	if x.Size > 1 {
		at = sp.operand(x.Index, precedence["*"], "*") + "*" + sp.factor(x.Size)
	}
	return sp.from(at, x.Lo, x.Width)
}

// scaled returns the text of a*size.
func (sp spelling) scaled(a Affine, size int) string {
	if size == 1 {
		return sp.affine(a)
	}
	if len(a.Terms) == 1 && a.Const == 0 {
		return sp.affine(a.Times(size))
	}
	return fmt.Sprintf("(%s)*%s", sp.affine(a), sp.factor(size))
}

// affine returns the text of a.
func (sp spelling) affine(a Affine) string {
	s := ""
	if len(a.Terms) > 0 && a.Terms[0].Mul < 0 && a.Const > 0 { // 3 - i
		s = sp.size(a.Const)
		a.Const = 0
	}
	for _, t := range a.Terms {
		m := t.Mul
		switch {
		case s != "" && m < 0:
			s += " - "
			m = -m
		case s != "":
			s += " + "
		}
		s += t.Var.Name
		if m != 1 {
			s += "*" + sp.factor(m)
		}
	}
	switch {
	case s == "":
		return sp.size(a.Const)
	case a.Const > 0:
		s += " + " + sp.size(a.Const)
	case a.Const < 0:
		s += " - " + sp.factor(-a.Const)
	}
	return s
}

// StmtsText returns the text of statements. Equal texts mean equal statements within a scope.
func StmtsText(list []Stmt) string {
	p := &printer{}
	p.stmts(list)
	return p.out.String()
}
